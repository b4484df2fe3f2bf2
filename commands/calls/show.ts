/** `fiscal calls show`: one provider call with its request and response. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { outputSettingsOf, write } from "../io.ts";
import { addExamples } from "../options.ts";
import { printJson } from "../ui/json.ts";
import { formatExchange } from "../ui/log-view.ts";
import { printFields } from "../ui/table.ts";
import { callFields } from "./call-view.ts";

export function defineShow(command: Command, context: CommandContext): void {
  command.action((id: string) => context.end(showCall(context, id)));
  addExamples(command, context, "fiscal calls show pcl_… --json");
}

async function showCall(context: CommandContext, id: string): Promise<void> {
  const { io } = context;
  const { getProviderCall } = await import("../../src/logs/list-calls.ts");
  const call = await context.withAppliance((appliance, mode) => getProviderCall(appliance, mode, id));
  if (context.options.json === true) return printJson(io, call);
  await printFields(io, callFields(call));
  await write(io.stdout, formatExchange(call, outputSettingsOf(io).language));
}
