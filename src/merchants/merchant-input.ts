/** The schemas of request bodies for merchants and their settings (docs/contract.md#merchants). */
import * as v from "valibot";
import { INCOME_CATEGORIES, INCOME_TYPES } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, type DocumentType } from "../domain/document-types.ts";
import { problemWithPair } from "../domain/document-rules.ts";
import { NUMBER_MAX, SeriesSchema } from "../domain/series.ts";
import { isValidAfm, normaliseTaxCode } from "../domain/tax-number.ts";
import { characters, integerBetween, trimmedCharacters } from "../foundation/field-schemas.ts";
import { MetadataChangesSchema, MetadataSchema } from "../foundation/metadata.ts";
import { rule } from "../foundation/rules.ts";
import { PaperSchema } from "./paper-input.ts";

const ExternalIdSchema = trimmedCharacters(200);
const NameSchema = trimmedCharacters(200);
const BranchSchema = integerBetween(0, 9999);

/** A Greek tax number; normalised, then its check digit is verified. */
const TaxIdSchema = v.pipe(
  characters(1, 60),
  v.transform(normaliseTaxCode),
  rule(isValidAfm, {
    en: "must be a Greek tax number (ΑΦΜ): 9 digits with a correct check digit",
    el: "πρέπει να είναι ΑΦΜ: 9 ψηφία με σωστό ψηφίο ελέγχου",
  }),
);

export const CreateMerchantSchema = v.strictObject({
  external_id: ExternalIdSchema,
  name: NameSchema,
  tax_id: v.optional(TaxIdSchema),
  branch: v.optional(BranchSchema),
  metadata: v.optional(MetadataSchema),
});

export const UpdateMerchantSchema = v.strictObject({
  external_id: v.optional(ExternalIdSchema),
  name: v.optional(NameSchema),
  tax_id: v.optional(v.nullable(TaxIdSchema)),
  branch: v.optional(BranchSchema),
  metadata: v.optional(MetadataChangesSchema),
});

const ClassificationSchema = v.pipe(
  v.strictObject({
    category: v.picklist(INCOME_CATEGORIES),
    type: v.optional(v.nullable(v.picklist(INCOME_TYPES))),
  }),
  rule(({ category, type }) => problemWithPair(category, type ?? undefined) === undefined, {
    en: "must have a type; category1_95 has none, E3_596 or E3_597",
    el: "πρέπει να έχει τύπο· το category1_95 έχει κανέναν, E3_596 ή E3_597",
  }),
);

const NumberingSchema = v.strictObject({
  series: SeriesSchema,
  next_number: v.optional(integerBetween(1, NUMBER_MAX)),
});

function byDocumentType<const Schema extends v.GenericSchema>(schema: Schema) {
  const optional = v.optional(schema);
  const entries = Object.fromEntries(DOCUMENT_TYPES.map((type) => [type, optional]));
  return v.strictObject(entries as Record<DocumentType, typeof optional>);
}

export const SettingsSchema = v.strictObject({
  /** By document type: the classification of lines that have none of their own. */
  classification: v.optional(byDocumentType(ClassificationSchema)),
  /** By document type: the series, and the lowest number that the next document may get. */
  numbering: v.optional(byDocumentType(NumberingSchema)),
  /** What PDFs show of the merchant. */
  paper: v.optional(PaperSchema),
  /** The merchant pays VAT when it is paid itself: the documents say so. */
  vat_payment_suspension: v.optional(v.boolean()),
});

export type SettingsInput = v.InferOutput<typeof SettingsSchema>;
