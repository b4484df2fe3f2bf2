/** The `--merchant` flag of commands that need one. If it is missing, the person searches for the merchant on the terminal. */
import type { Command } from "commander";
import type { Context } from "../../src/journal/context.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { askBySearch, requirePrompt } from "../ui/prompt.ts";

const QUESTION = {
  flag: "--merchant",
  message: {
    en: "Merchant (type part of its id, name or tax number)",
    el: "Επιχείρηση (γράψτε μέρος του κωδικού, της επωνυμίας ή του ΑΦΜ)",
  },
};

/** Only this many are searched. */
const MERCHANTS_MAX = 2000;
const PAGE_SIZE = 100;

export function addMerchantOption(command: Command, { inLanguage }: CommandContext): Command {
  return command.option(
    "--merchant <merchant>",
    inLanguage({ en: "id or external id of the merchant", el: "id ή εξωτερικό id της επιχείρησης" }),
  );
}

/** `given`, or the id of the chosen merchant. Throws UsageError without a terminal or without merchants. */
export async function chooseMerchant(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  requirePrompt(context.io, QUESTION.flag);
  return context.withAppliance(async (appliance) => {
    const merchants = await listActiveMerchants(appliance);
    if (merchants.length === 0)
      throw new UsageError({
        en: "there are no merchants yet; add one with `fiscal merchants add`",
        el: "δεν υπάρχει ακόμη επιχείρηση· προσθέστε μία με `fiscal merchants add`",
      });
    return askBySearch(context.io, merchants.map(choiceOf), QUESTION);
  });
}

/** The merchants that are not archived, newest first. */
async function listActiveMerchants(appliance: Context): Promise<MerchantObject[]> {
  const { listMerchants } = await import("../../src/merchants/merchants.ts");
  const found: MerchantObject[] = [];
  for (let after: string | undefined; ; after = found.at(-1)?.id) {
    const page = await listMerchants(appliance, { archived: false, limit: PAGE_SIZE, starting_after: after });
    found.push(...page.data);
    if (!page.has_more || found.length >= MERCHANTS_MAX) return found;
  }
}

function choiceOf({ id, external_id: externalId, name, tax_id: taxId }: MerchantObject) {
  return { value: id, name: [externalId, name, taxId].filter((text) => text !== null).join("  ") };
}
