/** `fiscal openapi`: prints the OpenAPI description of the HTTP API. */
import { printJson } from "../ui/json.ts";
import { verb } from "../define.ts";

export const defineOpenApi = verb({
  examples: ["fiscal openapi"],
  /** The same document that a server has at /openapi.json. Needs no database. */
  async run({ io }) {
    const { OPERATIONS } = await import("../../server/app.ts");
    const { buildOpenApi } = await import("../../server/openapi/build-openapi.ts");
    await printJson(io, buildOpenApi(OPERATIONS));
  },
});
