/** Finds merchants by id or external id, as every command names them. */
import type { Context } from "../../src/journal/context.ts";
import type { MerchantObject } from "../../src/merchants/merchant-object.ts";
import type { Flags } from "../define.ts";

export interface MerchantOption {
  /** Id or external id. */
  merchant?: string;
}

export const MERCHANT_FILTER: Flags = {
  "--merchant <merchant>": {
    en: "only of this merchant: id or external id",
    el: "αυτής της επιχείρησης: id ή εξωτερικό id",
  },
};

/** The merchant with this id or external id, ignoring case. Throws `not_found`. */
export async function findMerchant(context: Context, name: string): Promise<MerchantObject> {
  const { findMerchantByName } = await import("../../src/merchants/merchants.ts");
  return findMerchantByName(context, name);
}

/** The id of that merchant, for a filter that may be omitted. */
export async function merchantIdOf(context: Context, name: string | undefined): Promise<string | undefined> {
  return name === undefined ? undefined : (await findMerchant(context, name)).id;
}
