/** The schema of the canonical document: its fields and the limits of each (docs/contract.md#canonical-document). */
import * as v from "valibot";
import { normaliseTaxCode } from "./tax-number.ts";
import { pattern } from "../foundation/rules.ts";
import { characters, DateSchema, integerBetween, nameCharacters } from "../foundation/field-schemas.ts";
import {
  GROSS_MAX,
  INCOME_CATEGORIES,
  INCOME_TYPES,
  LINES_MAX,
  MARK_FORM,
  NOT_A_MARK,
  NET_MAX,
  ORIGINAL_MARKS_MAX,
  PAYMENT_METHODS,
  PAYMENTS_MAX,
  QUANTITY_FORM,
  UNIT_PRICE_MAX,
  UNITS,
  VAT_CATEGORIES,
} from "./document-codes.ts";
import { DOCUMENT_TYPES } from "./document-types.ts";

function keysOf<const T extends Record<string, unknown>>(
  record: T,
): [keyof T & string, ...(keyof T & string)[]] {
  return Object.keys(record) as [keyof T & string, ...(keyof T & string)[]];
}

const TaxIdSchema = v.strictObject({
  country: v.pipe(
    v.string(),
    pattern(/^[A-Z]{2}$/, {
      en: "must be two upper-case letters (ISO 3166-1), GR for Greece",
      el: "πρέπει να είναι δύο κεφαλαία λατινικά γράμματα (ISO 3166-1), GR για την Ελλάδα",
    }),
  ),
  code: v.pipe(characters(1, 60), v.transform(normaliseTaxCode)),
});

const AddressSchema = v.strictObject({
  street: v.optional(nameCharacters(1, 150)),
  number: v.optional(nameCharacters(1, 20)),
  postal_code: nameCharacters(1, 20),
  city: nameCharacters(1, 150),
});

const PartySchema = v.strictObject({
  tax_id: TaxIdSchema,
  name: v.optional(nameCharacters(1, 200)),
  address: v.optional(AddressSchema),
  branch: v.optional(integerBetween(0, 9999), 0),
});

const IncomeClassificationSchema = v.strictObject({
  category: v.picklist(INCOME_CATEGORIES),
  type: v.optional(v.picklist(INCOME_TYPES)),
});

export const QuantitySchema = v.pipe(
  v.string(),
  pattern(QUANTITY_FORM, {
    en: "must be a decimal string above 0, with up to 9 integer digits and 3 decimals",
    el: "πρέπει να είναι δεκαδικός αριθμός σε κείμενο, μεγαλύτερος από 0, με έως 9 ακέραια ψηφία και 3 δεκαδικά",
  }),
);

export const LineSchema = v.strictObject({
  description: characters(1, 300),
  quantity: QuantitySchema,
  unit: v.optional(v.picklist(keysOf(UNITS)), "piece"),
  unit_price: integerBetween(0, UNIT_PRICE_MAX),
  vat_category: v.picklist(keysOf(VAT_CATEGORIES)),
  vat_exemption: v.optional(integerBetween(1, 31)),
  income_classification: v.optional(IncomeClassificationSchema),
});

const PaymentSchema = v.strictObject({
  method: v.picklist(keysOf(PAYMENT_METHODS)),
  amount: integerBetween(0, GROSS_MAX),
});

const MarkSchema = v.pipe(v.string(), pattern(MARK_FORM, NOT_A_MARK));

export const CanonicalDocumentSchema = v.strictObject({
  type: v.picklist(DOCUMENT_TYPES),
  issue_date: DateSchema,
  currency: v.literal("EUR"),
  supplier: PartySchema,
  customer: v.optional(PartySchema),
  original_marks: v.optional(v.pipe(v.array(MarkSchema), v.minLength(1), v.maxLength(ORIGINAL_MARKS_MAX))),
  lines: v.pipe(v.array(LineSchema), v.minLength(1), v.maxLength(LINES_MAX)),
  payments: v.optional(v.pipe(v.array(PaymentSchema), v.minLength(1), v.maxLength(PAYMENTS_MAX))),
  totals: v.strictObject({
    net: integerBetween(0, NET_MAX),
    vat: integerBetween(0, NET_MAX),
    gross: integerBetween(0, GROSS_MAX),
  }),
});

/** A parsed document: tax numbers normalised, defaults of branch and unit filled in. */
export type CanonicalDocument = v.InferOutput<typeof CanonicalDocumentSchema>;
export type CanonicalLine = v.InferOutput<typeof LineSchema>;
export type Party = v.InferOutput<typeof PartySchema>;
export type Payment = v.InferOutput<typeof PaymentSchema>;
