/** `fiscal openapi`: prints the OpenAPI description of the HTTP API. */
import type { CommandContext } from "../context.ts";
import { printJson } from "../ui/json.ts";
import { verb } from "../define.ts";

export const defineOpenApi = verb({
  examples: ["fiscal openapi"],
  run: printOpenApi,
});

/** The same document that a server has at /openapi.json. Needs no database. */
async function printOpenApi({ io }: CommandContext): Promise<void> {
  const { OPERATIONS } = await import("../../server/app.ts");
  const { buildOpenApi } = await import("../../server/openapi/build-openapi.ts");
  await printJson(io, buildOpenApi(OPERATIONS));
}
