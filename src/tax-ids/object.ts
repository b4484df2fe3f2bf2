/** The tax-number lookup result as the specification writes it. */
import * as v from "valibot";
import type { Mode } from "../../storage/schema.ts";
import { InstantText } from "../wire.ts";
import type { Finding } from "./answer.ts";
import { LOOKUP_COUNTRIES, type TaxQuestion } from "./question.ts";

export const TaxIdLookupObjectSchema = v.strictObject({
  object: v.literal("tax_id_lookup"),
  country: v.picklist(LOOKUP_COUNTRIES),
  code: v.string(),
  valid: v.boolean(),
  name: v.nullable(v.string()),
  address: v.nullable(v.string()),
  source: v.picklist(["eu_registry", "sandbox"]),
  checked_at: InstantText,
});

export type TaxIdLookupObject = v.InferOutput<typeof TaxIdLookupObjectSchema>;

/** `checkedAt` is when `source` answered. */
export function buildTaxIdLookupObject(
  { country, code }: TaxQuestion,
  { valid, name, address }: Finding,
  source: TaxIdLookupObject["source"],
  checkedAt: string,
): TaxIdLookupObject {
  return { object: "tax_id_lookup", country, code, valid, name, address, source, checked_at: checkedAt };
}

/** What answers lookups. */
export interface TaxIds {
  /**
   * Throws `validation_failed` where country or code cannot be asked about, or the registry says that the code can be no
   * number of the country; `service_unavailable` where there is no answer, which never reads as "not valid".
   */
  lookup(mode: Mode, asked: { country: string; code: string }): Promise<TaxIdLookupObject>;
  /** Ends the lookups that wait for the registry: they fail as unavailable. What was answered is still kept. */
  close(): Promise<void>;
}
