/** `fiscal merchants archive`: stops issuing for a merchant. */
import type { Command } from "commander";
import { archiveMerchant } from "../../src/merchants/merchants.ts";
import { addYesOption, confirmChange, type YesOption } from "../confirmation.ts";
import { type CommandContext, causeOf } from "../context.ts";
import { EXIT, type ExitCode } from "../exit.ts";
import { addExamples } from "../options.ts";
import { findMerchant } from "./find-merchant.ts";
import { printMerchant } from "./merchant-view.ts";

export function defineArchive(command: Command, context: CommandContext): void {
  addYesOption(command, context).action((name: string, options: YesOption) =>
    context.end(archive(context, name, options)),
  );
  addExamples(command, context, "fiscal merchants archive shop --yes");
}

async function archive(context: CommandContext, name: string, options: YesOption): Promise<ExitCode> {
  const isConfirmed = await confirmChange(context, options, {
    en: "Archive this merchant? No new documents will be issued for it.",
    el: "Να αρχειοθετηθεί αυτή η επιχείρηση; Από εκεί και πέρα δεν εκδίδεται τίποτα νέο για αυτήν.",
  });
  if (!isConfirmed) return EXIT.failure;
  const merchant = await context.withAppliance(async (appliance, mode) => {
    const { id } = await findMerchant(appliance, name);
    return archiveMerchant(appliance, id, causeOf(mode));
  });
  await printMerchant(context, merchant);
  return EXIT.done;
}
