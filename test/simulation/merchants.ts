/** The merchants of every history. */
import type { Account } from "../helpers/fake-registry/authority.ts";

/** Their tax numbers. The last one issues through provider_a, the others through the authority. */
export const TAX_NUMBERS = ["123456783", "094012834", "090000045", "094014201"] as const;

export const PROVIDER_A_MERCHANT = TAX_NUMBERS.length - 1;

/** The authority's accounts, in the same order. */
export const ACCOUNTS: readonly Account[] = TAX_NUMBERS.slice(0, PROVIDER_A_MERCHANT).map((vat) => ({
  userId: `user-of-${vat}`,
  key: `key-of-${vat}-0123456789abcdef`,
  vat,
}));
