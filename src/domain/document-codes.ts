/** Codes and limits of the canonical document (docs/contract.md#canonical-document, docs/contract.md#limits). */
import type { Text } from "../foundation/text.ts";

/** Units and the tax authority's codes for them. */
export const UNITS = { piece: 1, kg: 2, litre: 3, metre: 4, square_metre: 5, cubic_metre: 6 } as const;

/** VAT categories: the tax authority's code and the rate in percent. */
export const VAT_CATEGORIES = {
  standard: { code: 1, ratePercent: 24 },
  reduced: { code: 2, ratePercent: 13 },
  super_reduced: { code: 3, ratePercent: 6 },
  standard_island: { code: 4, ratePercent: 17 },
  reduced_island: { code: 5, ratePercent: 9 },
  super_reduced_island: { code: 6, ratePercent: 4 },
  exempt: { code: 7, ratePercent: 0 },
} as const;
export type VatCategory = keyof typeof VAT_CATEGORIES;

/** Payment methods and the tax authority's codes for them. */
export const PAYMENT_METHODS = {
  domestic_account: 1,
  foreign_account: 2,
  cash: 3,
  cheque: 4,
  on_credit: 5,
  web_banking: 6,
  pos: 7,
  iris: 8,
} as const;
export type PaymentMethod = keyof typeof PAYMENT_METHODS;

export const INCOME_CATEGORIES = [
  "category1_1",
  "category1_2",
  "category1_3",
  "category1_4",
  "category1_5",
  "category1_6",
  "category1_7",
  "category1_8",
  "category1_9",
  "category1_10",
  "category1_95",
] as const;

export const INCOME_TYPES = [
  ...(["E3_106", "E3_205", "E3_210", "E3_305", "E3_310", "E3_318"] as const),
  ...([
    "E3_561_001",
    "E3_561_002",
    "E3_561_003",
    "E3_561_004",
    "E3_561_005",
    "E3_561_006",
    "E3_561_007",
  ] as const),
  ...(["E3_562", "E3_563", "E3_564", "E3_565", "E3_566", "E3_567", "E3_568", "E3_570"] as const),
  ...(["E3_595", "E3_596", "E3_597"] as const),
  ...(["E3_880_001", "E3_880_002", "E3_880_003", "E3_880_004"] as const),
  ...(["E3_881_001", "E3_881_002", "E3_881_003", "E3_881_004"] as const),
  ...(["E3_598_001", "E3_598_003"] as const),
] as const;

/** In cents. */
export const NET_MAX = 1_000_000_000_000_000;
export const GROSS_MAX = 1_250_000_000_000_000;
export const UNIT_PRICE_MAX = 100_000_000_000;
export const LINES_MAX = 1000;
export const PAYMENTS_MAX = 10;
export const ORIGINAL_MARKS_MAX = 1000;

export const MARK_FORM = /^[1-9][0-9]{0,18}$/;
export const NOT_A_MARK: Text = {
  en: "must be a MARK: 1 to 19 digits, the first not 0",
  el: "πρέπει να είναι ΜΑΡΚ: 1 έως 19 ψηφία, το πρώτο όχι 0",
};

/** Up to 9 integer digits and 3 decimals, above 0. */
export const QUANTITY_FORM = /^(?=.*[1-9])[0-9]{1,9}(\.[0-9]{1,3})?$/;
