/** The merchant object of the API (docs/contract.md#merchant-object). */
import * as v from "valibot";
import type { MerchantRow } from "../../storage/merchants/merchants.ts";
import { readJson } from "../foundation/json.ts";
import { component, described } from "../foundation/described.ts";
import { CreatedField, idOf, objectName } from "../foundation/wire.ts";
import { integerBetween, MetadataObjectSchema, trimmedCharacters } from "../foundation/field-schemas.ts";

export const MERCHANT_FIELDS = {
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
