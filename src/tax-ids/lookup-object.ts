/** Builds the wire object of a tax-number lookup. */
import type { TaxIdLookupObject } from "../domain/tax-id-lookup.ts";
import type { Finding } from "./registry-answer.ts";
import type { TaxQuestion } from "./question.ts";

/** `checkedAt` is the time of the answer of `source`. */
export function buildTaxIdLookupObject(
  { country, code }: TaxQuestion,
  { valid, name, address }: Finding,
  source: TaxIdLookupObject["source"],
  checkedAt: string,
): TaxIdLookupObject {
  return { object: "tax_id_lookup", country, code, valid, name, address, source, checked_at: checkedAt };
}
