/** Checks the country and number of a lookup before the registry is queried (docs/contract.md#tax-number-lookup). */
import { type Problem, validationError } from "../foundation/errors.ts";
import { lengthFromTo, oneOf } from "../foundation/messages.ts";
import type { Text } from "../foundation/text.ts";
import {
  LOOKUP_COUNTRIES,
  type LookupCountry,
  type LookupSource,
  normaliseTaxCode,
  problemWithAfm,
} from "../domain/tax-number.ts";

/** A checked number, normalised and without its prefix: `{country: "GR", code: "123456783"}`. */
export interface TaxQuestion {
  country: LookupCountry;
  code: string;
}

/** Characters before normalising. */
const CODE_LENGTH_MAX = 60;
/** The form that the registry requires (docs/eu-registry.md#number-form). */
const CODE_FORM = /^[0-9A-Z+*]{2,12}$/;
const CODE_LENGTH_FORM_MAX = 12;
/** Numbers of these countries may begin with letters: a French key may be `FR`, and Dutch numbers have no fixed letters. */
const LETTERS_FIRST: ReadonlySet<LookupCountry> = new Set(["FR", "NL"]);

/** The prefix of VAT numbers of the country: the country code, but EL for Greece. */
export function vatPrefixOf(country: LookupCountry): string {
  return country === "GR" ? "EL" : country;
}

/** Checks and normalises a question to `source`. Throws `validation_failed`. */
export function parseQuestion(
  asked: { country: string; code: string },
  source: LookupSource = "eu_registry",
): TaxQuestion {
  const country = LOOKUP_COUNTRIES.find((one) => one === asked.country);
  const code = normaliseTaxCode(asked.code);
  const problems: Problem[] = [];
  if (country === undefined) problems.push({ path: "country", message: oneOf(LOOKUP_COUNTRIES) });
  const findProblem = source === "sandbox" ? problemInSandbox : problemWithCode;
  const message = [...asked.code].length > CODE_LENGTH_MAX ? TOO_LONG : findProblem(country, code);
  if (message !== undefined) problems.push({ path: "code", message });
  if (country === undefined || problems.length > 0) throw validationError(problems);
  return { country, code };
}

const TOO_LONG = lengthFromTo(0, CODE_LENGTH_MAX);
const WRONG_FORM: Text = {
  en: "must have 2 to 12 letters and digits (+ and * count as letters)",
  el: "πρέπει να έχει 2 έως 12 γράμματα και ψηφία (τα + και * μετρούν ως γράμματα)",
};
const withoutPrefix = (prefix: string): Text => ({
  en: `must be given without the prefix ${prefix}, because the country is given separately`,
  el: `πρέπει να δοθεί χωρίς το πρόθεμα ${prefix}, αφού η χώρα δίνεται χωριστά`,
});

const NO_CODE: Text = {
  en: "must have at least one character besides spaces, hyphens and dots",
  el: "πρέπει να έχει τουλάχιστον έναν χαρακτήρα εκτός από κενά, παύλες και τελείες",
};
const AFM_FORM = /^[0-9]{9}$/;

/** The sandbox answers any code. Only the check digit of a Greek number is checked first, as with a live key. */
function problemInSandbox(country: LookupCountry | undefined, code: string): Text | undefined {
  if (code === "") return NO_CODE;
  return country === "GR" && AFM_FORM.test(code) ? problemWithAfm(code) : undefined;
}

/** The problem of a normalised code; undefined if it is valid. For an unknown country only the form is checked. */
function problemWithCode(country: LookupCountry | undefined, code: string): Text | undefined {
  if (country !== undefined && hasPrefix(country, code)) return withoutPrefix(code.slice(0, 2));
  if (country === "GR") return problemWithAfm(code);
  return CODE_FORM.test(code) ? undefined : WRONG_FORM;
}

/**
 * Whether the code still has the country's prefix: the registry would report such a number as not valid
 * (docs/eu-registry.md#number-form). If numbers may begin with the same letters, only the length shows it.
 */
function hasPrefix(country: LookupCountry, code: string): boolean {
  const isPrefixed = code.startsWith(vatPrefixOf(country)) || code.startsWith(country);
  if (!isPrefixed || !CODE_FORM.test(code.slice(2)) || !/[0-9]/.test(code)) return false;
  return !LETTERS_FIRST.has(country) || code.length > CODE_LENGTH_FORM_MAX;
}
