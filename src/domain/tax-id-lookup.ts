/** The tax-number lookup: its result on the wire, and the interface that performs lookups. */
import * as v from "valibot";
import type { Mode } from "../../storage/stored-values.ts";
import { InstantText } from "../foundation/wire.ts";

/** spec, GET /api/v1/tax_ids/lookup, in its order. Greece is GR here; XI is Northern Ireland. */
export const LOOKUP_COUNTRIES = [
  "AT",
  "BE",
  "BG",
  "CY",
  "CZ",
  "DE",
  "DK",
  "EE",
  "ES",
  "FI",
  "FR",
  "GR",
  "HR",
  "HU",
  "IE",
  "IT",
  "LT",
  "LU",
  "LV",
  "MT",
  "NL",
  "PL",
  "PT",
  "RO",
  "SE",
  "SI",
  "SK",
  "XI",
] as const;

export type LookupCountry = (typeof LOOKUP_COUNTRIES)[number];

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
