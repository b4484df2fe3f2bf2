/** The tax number lookup: its API object and the interface that performs it. */
import * as v from "valibot";
import type { Mode } from "../../storage/stored-values.ts";
import { InstantText } from "../foundation/wire.ts";

/** Greece is GR here; XI is Northern Ireland (docs/contract.md#tax-number-lookup). */
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

export interface TaxIds {
  /**
   * Throws `validation_failed` when country or code is malformed, and `service_unavailable` when the registry does not answer:
   * that never counts as "not valid".
   */
  lookup(mode: Mode, asked: { country: string; code: string }): Promise<TaxIdLookupObject>;
  /** Fails lookups that still wait for the registry as unavailable. Results that have arrived are still stored. */
  close(): Promise<void>;
}
