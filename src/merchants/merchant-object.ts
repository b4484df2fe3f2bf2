/** The merchant object of the API (docs/contract.md#merchant-object). */
import * as v from "valibot";
import type { MerchantRow } from "../../storage/merchants/merchants.ts";
import { readJson } from "../foundation/json.ts";
import { idOf, InstantText } from "../foundation/wire.ts";

export const MerchantObjectSchema = v.strictObject({
  id: idOf("mer"),
  object: v.literal("merchant"),
  external_id: v.string(),
  name: v.string(),
  tax_id: v.nullable(v.pipe(v.string(), v.regex(/^[0-9]{9}$/))),
  branch: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9999)),
  metadata: v.record(v.string(), v.string()),
  archived: v.boolean(),
  created: InstantText,
});

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
