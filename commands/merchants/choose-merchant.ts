/** `--merchant` where it was left out: on a terminal the merchants are searched, elsewhere the flag is named. */
import type { Context } from "../../src/journal/context.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import { askBySearch, requirePrompt } from "../ui/prompt.ts";

const QUESTION = { flag: "--merchant", message: "Merchant (type a part of its id, name or tax number)" };

/** More than this are not searched: whoever has so many gives the flag. */
const MERCHANTS_MAX = 2000;
const PAGE_SIZE = 100;

/** `given`, or the id of the merchant that is chosen. Throws UsageError where nobody can be asked, or there is none. */
export async function chooseMerchant(context: CommandContext, given: string | undefined): Promise<string> {
  if (given !== undefined) return given;
  requirePrompt(context.io, QUESTION.flag);
  return context.withAppliance(async (appliance) => {
    const merchants = await merchantsOf(appliance);
    if (merchants.length === 0)
      throw new UsageError("there is no merchant yet: `fiscal merchants add` adds one");
    return askBySearch(context.io, merchants.map(choiceOf), QUESTION);
  });
}

/** Those that may be issued for, newest first. */
async function merchantsOf(appliance: Context): Promise<MerchantObject[]> {
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
