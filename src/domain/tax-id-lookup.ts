/** The tax number lookup: its API object and the interface that performs it. */
import * as v from "valibot";
import type { Mode } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import { InstantText, objectName } from "../foundation/wire.ts";

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

export const TaxIdLookupObjectSchema = component(
  "TaxIdLookup",
  "What the registry knows about a tax number.",
  v.strictObject({
    object: objectName("tax_id_lookup"),
    country: described(v.picklist(LOOKUP_COUNTRIES), "The country that was looked up."),
    code: described(v.string(), "The number that was looked up, without spaces, hyphens and dots."),
    valid: described(v.boolean(), "Whether the registry reports an active VAT registration."),
    name: described(
      v.nullable(v.string()),
      "The name as the registry has it; null if it shares none or the number is not valid.",
    ),
    address: described(
      v.nullable(v.string()),
      "The address as the registry has it, in one line; null if it shares none or the number is not valid.",
    ),
    source: described(
      v.picklist(["eu_registry", "sandbox"]),
      "`eu_registry` for live keys, `sandbox` for test keys.",
    ),
    checked_at: described(
      InstantText,
      "When the registry answered, in UTC. An answer is reused for up to a day.",
    ),
  }),
);

export type TaxIdLookupObject = v.InferOutput<typeof TaxIdLookupObjectSchema>;
export type LookupSource = TaxIdLookupObject["source"];

export interface TaxIds {
  /**
   * Throws `validation_failed` when country or code is malformed, and `service_unavailable` when the registry does not answer:
   * that never counts as "not valid".
   */
  lookup(
    mode: Mode,
    asked: { country: string; code: string },
    /** Called before the registry is queried. What it throws is the result. */
    admit?: () => Promise<void>,
  ): Promise<TaxIdLookupObject>;
  /** Fails lookups that still wait for the registry as unavailable. Results that have arrived are still stored. */
  close(): Promise<void>;
}
