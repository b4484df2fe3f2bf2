/** `fiscal merchants show`: one merchant. */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { addExamples } from "../options.ts";
import { findMerchant } from "./find-merchant.ts";
import { printMerchant } from "./merchant-view.ts";

export function defineShow(command: Command, context: CommandContext): void {
  command.action((name: string) => context.end(show(context, name)));
  addExamples(command, context, "fiscal merchants show shop --json");
}

async function show(context: CommandContext, name: string): Promise<void> {
  await printMerchant(context, await context.withAppliance((appliance) => findMerchant(appliance, name)));
}
