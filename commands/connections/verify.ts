/** `fiscal connections verify`: checks the credentials with the provider again. */
import type { Command } from "commander";
import { verifyConnection } from "../../src/connections/connections.ts";
import { type CommandContext, causeOf } from "../context.ts";
import type { ExitCode } from "../exit.ts";
import { addExamples } from "../options.ts";
import { printVerified } from "./connection-view.ts";

export function defineVerify(command: Command, context: CommandContext): void {
  command.action((id: string) => context.end(verify(context, id)));
  addExamples(command, context, "fiscal connections verify con_…");
}

async function verify(context: CommandContext, id: string): Promise<ExitCode> {
  const connection = await context.withAppliance((appliance, mode) =>
    verifyConnection(appliance, id, causeOf(mode)),
  );
  return printVerified(context, connection);
}
