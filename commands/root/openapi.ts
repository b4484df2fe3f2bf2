/** `fiscal openapi`: prints the OpenAPI description of the HTTP API. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";

export function defineOpenApi(command: Command, context: CommandContext): void {
  command.action(() => context.end(printOpenApi(context)));
  addExamples(command, context, "fiscal openapi");
}

/** The same document that a server has at /openapi.json. Needs no database. */
async function printOpenApi({ io }: CommandContext): Promise<void> {
  const { allOperations } = await import("../../server/app.ts");
  const { buildOpenApi } = await import("../../server/openapi/build-openapi.ts");
  await printJson(io, buildOpenApi(allOperations()));
}
