/** The merchant object of the API (docs/contract.md#merchant-object), and the request bodies for merchants and their settings. */
import * as v from "valibot";
import type { MerchantRow } from "../../storage/merchants/merchants.ts";
import { readJson } from "../foundation/json.ts";
import { component, described } from "../foundation/described.ts";
import { CreatedField, idOf, objectName } from "../foundation/wire.ts";
import {
  characters,
  DateSchema,
  integerBetween,
  MetadataChangesSchema,
  MetadataObjectSchema,
  MetadataSchema,
  trimmedCharacters,
} from "../foundation/field-schemas.ts";
import { IncomeCategoryField, IncomeTypeField } from "../domain/canonical-schema.ts";
import { DOCUMENT_TYPES, type DocumentType, typeInfo } from "../domain/document-types.ts";
import { problemWithPair } from "../domain/document-rules.ts";
import { NUMBER_MAX, SeriesSchema } from "../domain/series.ts";
import { isValidAfm, normaliseTaxCode } from "../domain/tax-number.ts";
import { must } from "../foundation/field-checks.ts";
import { PaperSchema } from "./paper-input.ts";

const MERCHANT_FIELDS = {
  external_id: described(
    trimmedCharacters(200),
    "Your own id for the merchant. Unique, whether in upper or lower case.",
  ),
  // It is printed on paper, and is the sender's name of mails.
  name: described(trimmedCharacters(200, { lines: 1 }), "The name of the business, in one line."),
  branch: described(
    integerBetween(0, 9999),
    "The number of the branch in the tax authority's records; 0, the default, is the head office.",
  ),
};

export const MerchantObjectSchema = component(
  "Merchant",
  "A business on whose behalf documents are issued. Test and live keys see the same merchants.",
  v.strictObject({
    id: idOf("mer"),
    object: objectName("merchant"),
    external_id: MERCHANT_FIELDS.external_id,
    name: MERCHANT_FIELDS.name,
    tax_id: described(
      v.nullable(v.pipe(v.string(), v.regex(/^[0-9]{9}$/))),
      "The Greek tax number (ΑΦΜ), 9 digits; null if not given.",
    ),
    branch: MERCHANT_FIELDS.branch,
    metadata: MetadataObjectSchema,
    archived: described(
      v.boolean(),
      "Whether the merchant is archived. An archived merchant issues nothing new.",
    ),
    created: CreatedField,
  }),
);

export type MerchantObject = v.InferOutput<typeof MerchantObjectSchema>;

export function buildMerchantObject(row: MerchantRow): MerchantObject {
  return {
    id: row.id,
    object: "merchant",
    external_id: row.external_id,
    name: row.name,
    tax_id: row.tax_id,
    branch: row.branch,
    metadata: readJson<Record<string, string>>(row.metadata_json),
    archived: row.archived === 1,
    created: row.created_at,
  };
}

/** A Greek tax number; normalised, then its check digit is verified. */
const TaxIdSchema = described(
  v.pipe(
    characters(1, 60),
    v.transform(normaliseTaxCode),
    must(isValidAfm, {
      en: "must be a Greek tax number (ΑΦΜ): 9 digits with a correct check digit",
      el: "πρέπει να είναι ΑΦΜ: 9 ψηφία με σωστό ψηφίο ελέγχου",
    }),
  ),
  "The Greek tax number (ΑΦΜ): 9 digits with a correct check digit. Spaces, hyphens and dots are removed.",
);

export const CreateMerchantSchema = component(
  "CreateMerchant",
  "A new merchant.",
  v.strictObject({
    external_id: MERCHANT_FIELDS.external_id,
    name: MERCHANT_FIELDS.name,
    tax_id: v.optional(TaxIdSchema),
    branch: v.optional(MERCHANT_FIELDS.branch),
    metadata: v.optional(MetadataSchema),
  }),
);

export const UpdateMerchantSchema = component(
  "UpdateMerchant",
  "The fields to change. What is left out stays as it is.",
  v.strictObject({
    external_id: v.optional(MERCHANT_FIELDS.external_id),
    name: v.optional(MERCHANT_FIELDS.name),
    tax_id: v.optional(
      described(v.nullable(TaxIdSchema), "The Greek tax number (ΑΦΜ): 9 digits, or null to remove it."),
    ),
    branch: v.optional(MERCHANT_FIELDS.branch),
    metadata: v.optional(MetadataChangesSchema),
  }),
);

const ClassificationSchema = component(
  "DefaultClassification",
  "The income classification of lines that have none of their own.",
  v.pipe(
    v.strictObject({
      category: IncomeCategoryField,
      type: v.optional(described(v.nullable(IncomeTypeField), "The income type; null or absent for none.")),
    }),
    must(({ category, type }) => problemWithPair(category, type ?? undefined) === undefined, {
      en: "must have a type; category1_95 has none, E3_596 or E3_597",
      el: "πρέπει να έχει τύπο· το category1_95 έχει κανέναν, E3_596 ή E3_597",
    }),
  ),
);

const NumberingSchema = component(
  "SeriesSetting",
  "The series of a document type.",
  v.strictObject({
    series: described(SeriesSchema, "The series, up to 20 Latin or Greek letters, digits or . _ / -"),
    next_number: v.optional(
      described(integerBetween(1, NUMBER_MAX), "The lowest number that the next document may get."),
    ),
  }),
);

function byDocumentType<const Schema extends v.GenericSchema>(schema: Schema) {
  const entries = Object.fromEntries(
    DOCUMENT_TYPES.map((type) => [
      type,
      v.optional(described(schema, `For ${typeInfo(type).name.en} (${type}).`)),
    ]),
  );
  return v.strictObject(entries as Record<DocumentType, v.OptionalSchema<Schema, undefined>>);
}

export const ON_ISSUE_WORDS = ["nothing", "mail"] as const;

export const SettingsSchema = component(
  "MerchantSettings",
  "How a merchant issues, separately for test and live.",
  v.strictObject({
    classification: v.optional(
      described(
        byDocumentType(ClassificationSchema),
        "By document type: the classification of lines that have none of their own.",
      ),
    ),
    numbering: v.optional(
      described(
        byDocumentType(NumberingSchema),
        "By document type: the series, and the lowest number that the next document may get.",
      ),
    ),
    paper: v.optional(PaperSchema),
    vat_payment_suspension: v.optional(
      described(
        v.boolean(),
        "Whether the merchant owes VAT only once it is paid (VAT payment suspension). Its documents say so.",
      ),
    ),
    on_issue: v.optional(
      described(
        v.picklist(ON_ISSUE_WORDS),
        "What happens once a document is issued: `mail` sends its PDF to the address that the customer's last document was mailed to.",
      ),
    ),
    closed_until: v.optional(
      described(
        v.nullable(DateSchema),
        "The last day of the closed books: documents dated then or before are refused. Null: none.",
      ),
    ),
  }),
);

export type SettingsInput = v.InferOutput<typeof SettingsSchema>;
