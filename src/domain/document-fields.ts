/** The fields that a document has in requests, in responses and in events alike, each described once. */
import * as v from "valibot";
import { component, described } from "../foundation/described.ts";
import { DateSchema, integerBetween, trimmedCharacters } from "../foundation/field-schemas.ts";
import { pattern } from "../foundation/rules.ts";
import {
  GROSS_MAX,
  INCOME_CATEGORIES,
  INCOME_TYPES,
  MARK_FORM,
  NET_MAX,
  NOT_A_MARK,
} from "./document-codes.ts";
import { DOCUMENT_TYPES, typeInfo } from "./document-types.ts";

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
