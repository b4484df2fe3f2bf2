/** `fiscal merchants unarchive`: issues for an archived merchant again. */
import type { Command } from "commander";
import { unarchiveMerchant } from "../../src/merchants/merchants.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { addExamples } from "../options.ts";
import { findMerchant } from "./find-merchant.ts";
import { printMerchant } from "./merchant-view.ts";

export function defineUnarchive(command: Command, context: CommandContext): void {
  command.action((name: string) => context.end(unarchive(context, name)));
  addExamples(command, context, "fiscal merchants unarchive shop");
}

async function unarchive(context: CommandContext, name: string): Promise<void> {
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, name);
    return unarchiveMerchant(appliance, id, causeOf(mode));
  });
  await printMerchant(context, merchant);
}
