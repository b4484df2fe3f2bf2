/** `fiscal connections show`: one connection. */
import type { Command } from "commander";
import { getConnection } from "../../src/connections/connections.ts";
import type { CommandContext } from "../context.ts";
import { addExamples } from "../options.ts";
import { printConnection } from "./connection-view.ts";

export function defineShow(command: Command, context: CommandContext): void {
  command.action((id: string) => context.end(show(context, id)));
  addExamples(command, context, "fiscal connections show con_… --json");
}

async function show(context: CommandContext, id: string): Promise<void> {
  const connection = await context.withAppliance((appliance, mode) => getConnection(appliance, mode, id));
  await printConnection(context, connection);
}
