/**
 * The schema of the canonical document: its fields and the limits of each (docs/contract.md#canonical-document). Fields that responses
 * and events have as well are described here once.
 */
import * as v from "valibot";
import { normaliseTaxCode } from "./tax-number.ts";
import { pattern } from "../foundation/field-checks.ts";
import { component, described } from "../foundation/described.ts";
import {
  characters,
  DateSchema,
  integerBetween,
  nameCharacters,
  trimmedCharacters,
} from "../foundation/field-schemas.ts";
import {
  GROSS_MAX,
  INCOME_CATEGORIES,
  INCOME_TYPES,
  LINES_MAX,
  MARK_FORM,
  NET_MAX,
  NOT_A_MARK,
  ORIGINAL_MARKS_MAX,
  PAYMENT_METHODS,
  PAYMENTS_MAX,
  QUANTITY_FORM,
  UNIT_PRICE_MAX,
  UNITS,
  VAT_CATEGORIES,
} from "./document-codes.ts";
import { DOCUMENT_TYPES, type DocumentTypeInfo, typeInfo } from "./document-types.ts";
import { TaxesSchema } from "./taxes.ts";

const TYPE_NAMES = DOCUMENT_TYPES.map((type) => `\`${type}\` ${typeInfo(type).name.en.toLowerCase()}`);

export const DocumentTypeField = described(
  v.picklist(DOCUMENT_TYPES),
  `The type of the document: ${TYPE_NAMES.join("; ")}.`,
);

export const IssueDateField = described(DateSchema, "The day of issue in Athens, YYYY-MM-DD.");

export const CurrencyField = described(v.literal("EUR"), "Always `EUR`.");

export const MarkSchema = described(
  v.pipe(v.string(), pattern(MARK_FORM, NOT_A_MARK)),
  "A MARK: the number under which the tax authority registered a document.",
);

export const ExternalReferenceField = described(
  trimmedCharacters(200),
  "Your own reference for the document, such as an order number.",
);

export const IncomeCategoryField = described(
  v.picklist(INCOME_CATEGORIES),
  "The income category: `category1_1` sale of goods, `category1_2` sale of products, `category1_3` services, `category1_95` other income information; the others are those of the tax authority.",
);

export const IncomeTypeField = described(
  v.picklist(INCOME_TYPES),
  "The income type: the tax authority's name for a box of the Ε3 form.",
);

/** In cents. */
export const AMOUNT_FIELDS = {
  net: described(integerBetween(0, NET_MAX), "The net amount in cents."),
  vat: described(
    integerBetween(0, NET_MAX),
    "The VAT in cents. That of a document is the sum over its lines, each rounded half up to the cent.",
  ),
  gross: described(integerBetween(0, GROSS_MAX), "Net and VAT together, in cents."),
};

export const TotalsSchema = component(
  "Totals",
  "The totals of a document. They must add up, otherwise it is refused.",
  v.strictObject(AMOUNT_FIELDS),
);

function keysOf<const T extends Record<string, unknown>>(
  record: T,
): [keyof T & string, ...(keyof T & string)[]] {
  return Object.keys(record) as [keyof T & string, ...(keyof T & string)[]];
}

/** The document types whose `rule` is `value`, such as `1.1, 2.1`. */
function listTypes(rule: "customer" | "originalMarks", value: DocumentTypeInfo[typeof rule]): string {
  return DOCUMENT_TYPES.filter((type) => typeInfo(type)[rule] === value).join(", ");
}

/** The authority's number for each word, such as `piece (1), kg (2)`. */
function listCodes(codes: Readonly<Record<string, number>>): string {
  return Object.entries(codes)
    .map(([word, code]) => `\`${word}\` (${code})`)
    .join(", ");
}

const VAT_RATES = Object.entries(VAT_CATEGORIES)
  .map(([word, { ratePercent, code }]) => `\`${word}\` ${ratePercent}% (${code})`)
  .join(", ");

const TaxIdSchema = component(
  "TaxId",
  "A tax number and the country that issued it.",
  v.strictObject({
    country: described(
      v.pipe(
        v.string(),
        pattern(/^[A-Z]{2}$/, {
          en: "must be two upper-case letters (ISO 3166-1), GR for Greece",
          el: "πρέπει να είναι δύο κεφαλαία λατινικά γράμματα (ISO 3166-1), GR για την Ελλάδα",
        }),
      ),
      "The country: two upper-case letters of ISO 3166-1, `GR` for Greece. The supplier's is always `GR`.",
    ),
    code: described(
      v.pipe(characters(1, 60), v.transform(normaliseTaxCode)),
      "The number without a country prefix. Spaces, hyphens and dots are removed. A Greek one (ΑΦΜ) has 9 digits and a correct check digit; others have 2 to 30 letters and digits.",
    ),
  }),
);

const AddressSchema = component(
  "Address",
  "A postal address.",
  v.strictObject({
    street: v.optional(described(nameCharacters(1, 150), "The street.")),
    number: v.optional(described(nameCharacters(1, 20), "The number in the street.")),
    postal_code: described(nameCharacters(1, 20), "The postal code."),
    city: described(nameCharacters(1, 150), "The city or town."),
  }),
);

const PartySchema = component(
  "Party",
  "The supplier or the customer of a document.",
  v.strictObject({
    tax_id: described(TaxIdSchema, "The tax number."),
    name: v.optional(
      described(
        nameCharacters(1, 200),
        "The name. Required outside Greece; optional in Greece, where the tax authority has it.",
      ),
    ),
    address: v.optional(
      described(AddressSchema, "The address. Required outside Greece, optional in Greece."),
    ),
    branch: v.optional(
      described(
        integerBetween(0, 9999),
        "The number of the branch in the tax authority's records; 0, the default, is the head office.",
      ),
      0,
    ),
  }),
);

const IncomeClassificationSchema = component(
  "IncomeClassification",
  "How the tax authority counts the income of a line. `category1_95` has no type, `E3_596` or `E3_597`; every other category needs a type.",
  v.strictObject({
    category: IncomeCategoryField,
    type: v.optional(IncomeTypeField),
  }),
);

export const QuantitySchema = described(
  v.pipe(
    v.string(),
    pattern(QUANTITY_FORM, {
      en: "must be a decimal string above 0, with up to 9 integer digits and 3 decimals",
      el: "πρέπει να είναι δεκαδικός αριθμός σε κείμενο, μεγαλύτερος από 0, με έως 9 ακέραια ψηφία και 3 δεκαδικά",
    }),
  ),
  'The quantity as text, such as "2.5": above 0, with up to 3 decimals.',
);

export const LineSchema = component(
  "Line",
  "One item of a document. Its net amount is quantity × unit_price, rounded half up to the cent.",
  v.strictObject({
    description: described(characters(1, 300), "What is sold."),
    quantity: QuantitySchema,
    unit: v.optional(
      described(
        v.picklist(keysOf(UNITS)),
        `The unit of the quantity, with the tax authority's code: ${listCodes(UNITS)}. \`piece\` by default.`,
      ),
      "piece",
    ),
    unit_price: described(integerBetween(0, UNIT_PRICE_MAX), "The net price of one unit, in cents."),
    unit_price_gross: v.optional(
      described(
        integerBetween(0, GROSS_MAX),
        "The price of one unit with VAT, in cents, for retail paper only.",
      ),
    ),
    vat_category: described(
      v.picklist(keysOf(VAT_CATEGORIES)),
      `The VAT category, with its rate and the tax authority's code: ${VAT_RATES}.`,
    ),
    vat_exemption: v.optional(
      described(
        integerBetween(1, 31),
        "The tax authority's number for why there is no VAT. Required on `exempt` lines, and allowed only there.",
      ),
    ),
    income_classification: v.optional(
      described(
        IncomeClassificationSchema,
        "How the income is classified. Without it the line takes the merchant's default or the service's, and a warning says so.",
      ),
    ),
  }),
);

export const PaymentSchema = component(
  "Payment",
  "How a part of what is payable is paid.",
  v.strictObject({
    method: described(
      v.picklist(keysOf(PAYMENT_METHODS)),
      `The means of payment, with the tax authority's code: ${listCodes(PAYMENT_METHODS)}.`,
    ),
    amount: described(integerBetween(0, GROSS_MAX), "The amount in cents."),
  }),
);

const listOf = <const Item extends v.GenericSchema>(item: Item, maximum: number) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(maximum));

export const CanonicalDocumentSchema = component(
  "CanonicalDocument",
  "A document as you submit it: the same shape for every provider. All amounts are in cents.",
  v.strictObject({
    type: DocumentTypeField,
    issue_date: IssueDateField,
    currency: CurrencyField,
    supplier: described(PartySchema, "The business that issues the document: the merchant."),
    customer: v.optional(
      described(
        PartySchema,
        `The customer. Required for ${listTypes("customer", "required")}; not allowed for ${listTypes("customer", "forbidden")}.`,
      ),
    ),
    original_marks: v.optional(
      described(
        listOf(MarkSchema, ORIGINAL_MARKS_MAX),
        `The MARKs of the documents that are credited. Required for ${listTypes("originalMarks", "required")}, optional for ${listTypes("originalMarks", "optional")}, not allowed for other types.`,
      ),
    ),
    lines: described(listOf(LineSchema, LINES_MAX), "The items, up to 1000."),
    payments: v.optional(
      described(
        listOf(PaymentSchema, PAYMENTS_MAX),
        "How it is paid; the amounts add up to the gross total, with `taxes` to what is payable. Without payments the whole is sent as `on_credit`, or as `cash` on retail receipts.",
      ),
    ),
    taxes: v.optional(
      described(
        TaxesSchema,
        "Taxes besides VAT. What is payable is the gross total without withheld taxes and deductions, with fees, other taxes and stamp duty.",
      ),
    ),
    totals: described(
      TotalsSchema,
      "The sums over the lines. They must add up, otherwise the document is refused.",
    ),
    notes: v.optional(described(characters(1, 1000), "Shown on paper only, such as terms of payment.")),
    due_date: v.optional(described(DateSchema, "The day by which to pay, YYYY-MM-DD. On paper only.")),
    delivery_date: v.optional(
      described(DateSchema, "The day of delivery or performance, YYYY-MM-DD. On paper only."),
    ),
  }),
);

/** A parsed document: tax numbers normalised, defaults of branch and unit filled in. */
export type CanonicalDocument = v.InferOutput<typeof CanonicalDocumentSchema>;
export type CanonicalLine = v.InferOutput<typeof LineSchema>;
export type Party = v.InferOutput<typeof PartySchema>;
export type Payment = v.InferOutput<typeof PaymentSchema>;
