/**
 * Tax numbers: their normal form, the Greek check digit, the countries that have them, and the lookup of a number in a registry
 * (docs/contract.md#tax-number-lookup).
 */
import * as v from "valibot";
import type { Mode } from "../../storage/stored-values.ts";
import { component, described } from "../foundation/described.ts";
import type { Text } from "../foundation/text.ts";
import { InstantText, objectName } from "../foundation/wire.ts";

const SEPARATORS = /[\s.\-‐‑–]/gu;

/** Removes spaces, hyphens and dots and converts to upper case, before a number is checked (docs/contract.md#tax-numbers). */
export function normaliseTaxCode(code: string): string {
  return code.replace(SEPARATORS, "").toUpperCase();
}

/** Greece is EL in VAT numbers and GR everywhere else. */
const GREEK_PREFIX = "EL";

/** Reads `DE129273398`, `EL094012834` or, for a Greek number, `094012834`. */
export function readCustomerNumber(text: string): { country: string; code: string } {
  const whole = normaliseTaxCode(text);
  const [, prefix = "GR", code = whole] = /^([A-Z]{2})(.+)$/.exec(whole) ?? [];
  return { country: prefix === GREEK_PREFIX ? "GR" : prefix, code };
}

/** Reads a number to search for: `DE129273398` is one of Germany, `094012834` one of any country. */
export function readSearchedNumber(text: string): { country: string | undefined; code: string } {
  const { country, code } = readCustomerNumber(text);
  const whole = normaliseTaxCode(text);
  return whole !== code && isCountryCode(country) ? { country, code } : { country: undefined, code: whole };
}

const AFM_FORM = /^[0-9]{9}$/;
/** Has a valid check digit but is not assigned. */
const AFM_OF_NOBODY = "000000000";

/**
 * Whether `code` is a Greek tax number (ΑΦΜ): nine ASCII digits, where the ninth is the sum of the first eight weighted 256,
 * 128 … 2, modulo 11, modulo 10 (docs/eu-registry.md#check-digit).
 */
export function isValidAfm(code: string): boolean {
  if (!AFM_FORM.test(code) || code === AFM_OF_NOBODY) return false;
  let sum = 0;
  for (let index = 0; index < 8; index += 1) sum = (sum + (code.charCodeAt(index) - 48)) * 2;
  return (sum % 11) % 10 === code.charCodeAt(8) - 48;
}

/** Undefined for a valid number. */
export function problemWithAfm(code: string): Text | undefined {
  if (isValidAfm(code)) return undefined;
  const hasOnlyDigits = /^[0-9]+$/.test(code);
  if (hasOnlyDigits && code.length === 8) {
    return {
      en: "must be a Greek tax number (ΑΦΜ) of 9 digits; a leading zero may have been lost",
      el: "πρέπει να είναι ΑΦΜ 9 ψηφίων· ίσως χάθηκε ένα μηδενικό στην αρχή",
    };
  }
  if (hasOnlyDigits && code.length === 9)
    return { en: "has a wrong check digit", el: "έχει λάθος ψηφίο ελέγχου" };
  return {
    en: "must be a Greek tax number (ΑΦΜ): 9 digits, without a country prefix",
    el: "πρέπει να είναι ΑΦΜ: 9 ψηφία, χωρίς πρόθεμα χώρας",
  };
}

/** Nine digits, with or without separators. */
const POSSIBLE_AFM = /(?<![0-9])[0-9](?:[._:-]?[0-9]){8}(?![0-9])/g;

/** The text with asterisks for each Greek tax number in it. */
export function maskTaxNumbers(text: string): string {
  return text.replace(POSSIBLE_AFM, (digits) =>
    isValidAfm(digits.replaceAll(/[^0-9]/g, "")) ? "*".repeat(9) : digits,
  );
}

const EU_COUNTRIES = [
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
] as const;

/** Whether the country is a member state. Northern Ireland (XI) is not, though it counts as one for goods. */
export function isEuCountry(alpha2: string): boolean {
  return (EU_COUNTRIES as readonly string[]).includes(alpha2);
}

/** The VAT prefix of Northern Ireland, which is in the EU for goods and outside it for services. */
export const NORTHERN_IRELAND = "XI" as const;

/** The officially assigned codes of ISO 3166-1 alpha-2. */
const COUNTRIES = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ " +
    "NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
    "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
    "UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** Whether a customer's country may have this code. XI is accepted; EL is not, because it is only a VAT prefix. */
export function isCountryCode(alpha2: string): boolean {
  return COUNTRIES.has(alpha2) || alpha2 === NORTHERN_IRELAND;
}

/** Greece is GR here; XI is Northern Ireland (docs/contract.md#tax-number-lookup). */
export const LOOKUP_COUNTRIES = [...EU_COUNTRIES, NORTHERN_IRELAND] as const;

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
