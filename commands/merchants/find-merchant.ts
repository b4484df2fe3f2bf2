/** Finds merchants by id or external id, as every command names them. If `--merchant` is missing, the person searches for one on the terminal. */
import type { Context } from "../../src/journal/context.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { Flags, OptionsOf } from "../define.ts";
import { causeOf, type CommandContext } from "../context.ts";
import { UsageError } from "../exit.ts";
import type { Text } from "../../src/foundation/text.ts";
import { askBySearch, canPrompt } from "../ui/prompt.ts";

export const MERCHANT_FILTER = {
  "--merchant <merchant>": {
    en: "only of this merchant: id or external id",
    el: "αυτής της επιχείρησης: id ή εξωτερικό id",
  },
} satisfies Flags;

export type MerchantOption = OptionsOf<typeof MERCHANT_FILTER>;

/** The merchant with this id or external id, ignoring case. Throws `not_found`. */
export async function findMerchant(context: Context, name: string): Promise<MerchantObject> {
  const { findMerchantByName } = await import("../../src/merchants/merchants.ts");
  return findMerchantByName(context, name);
}

/** The id of that merchant, for a filter that may be omitted. */
export async function merchantIdOf(context: Context, name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : (await findMerchant(context, name)).id;
}

const WHICH_MERCHANT = {
  flag: "--merchant",
  message: {
    en: "Merchant (type part of its id, name or tax number)",
    el: "Επιχείρηση (γράψτε μέρος του κωδικού, της επωνυμίας ή του ΑΦΜ)",
  },
};

export const MERCHANT = {
  "--merchant <merchant>": {
    en: "id or external id of the merchant",
    el: "id ή εξωτερικό id της επιχείρησης",
  },
} satisfies Flags;

/**
 * `given`, or the id of the chosen merchant; with `isOnlyTaken` that of the only one. Throws UsageError without a terminal or
 * without merchants.
 */
export async function chooseMerchant(
  context: CommandContext,
  given: string | undefined,
  { isOnlyTaken = false } = {},
): Promise<string> {
  if (given !== undefined) return given;
  const requireTerminal = () => {
    if (!canPrompt(context.io)) throw new UsageError(MISSING);
  };
  if (!isOnlyTaken) requireTerminal();
  return context.withAppliance(async (appliance) => {
    const { listActiveMerchants } = await import("../../src/merchants/merchants.ts");
    const merchants = await listActiveMerchants(appliance);
    const [only, another] = merchants;
    if (isOnlyTaken && only !== undefined && another === undefined) return only.id;
    if (only === undefined)
      throw new UsageError({
        en: "there are no merchants yet; add one with `fiscal merchants add`",
        el: "δεν υπάρχει ακόμη επιχείρηση· προσθέστε μία με `fiscal merchants add`",
      });
    requireTerminal();
    return askBySearch(context.io, merchants.map(choiceOf), WHICH_MERCHANT);
  });
}

const MISSING: Text = {
  en: "--merchant is missing; `fiscal merchants list` lists them",
  el: "λείπει η --merchant· η `fiscal merchants list` δείχνει ποιες υπάρχουν",
};

function choiceOf({ id, external_id: externalId, name, tax_id: taxId }: MerchantObject) {
  return { value: id, name: [externalId, name, taxId].filter((text) => text !== null).join("  ") };
}

/** The merchant of made-up documents with the external id of `body`, which is created if it is missing. */
export async function findOrCreateMerchant(
  context: Context,
  body: { external_id: string; name: string; tax_id: string },
): Promise<MerchantObject> {
  const { createMerchant, getMerchant, listMerchants } = await import("../../src/merchants/merchants.ts");
  const { data } = await listMerchants(context, { limit: 1, external_id: body.external_id });
  if (data[0] !== undefined) return data[0];
  const created = await createMerchant(context, body, causeOf("test"));
  return getMerchant(context, created.id);
}
