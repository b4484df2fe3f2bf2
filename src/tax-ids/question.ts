/** What may be asked about: the registry's countries, and numbers in the form that it takes. */
import { type Problem, validationError } from "../foundation/errors.ts";
import { LOOKUP_COUNTRIES, type LookupCountry } from "../domain/tax-id-lookup.ts";
import { isValidAfm, normaliseTaxCode } from "../domain/tax-number.ts";

/** A number that may be asked about, normalised, without its prefix: `{country: "GR", code: "123456783"}`. */
export interface TaxQuestion {
  country: LookupCountry;
  code: string;
}

/** spec: as sent, in characters. */
const CODE_LENGTH_MAX = 60;
/** What the registry takes as a number (providers facts D). */
const CODE_FORM = /^[0-9A-Z+*]{2,12}$/;
const CODE_LENGTH_FORM_MAX = 12;
/** Their numbers may begin with letters: a French key may be `FR`, and Dutch numbers have no fixed letters. */
const LETTERS_FIRST: ReadonlySet<LookupCountry> = new Set(["FR", "NL"]);

/** What stands before a VAT number of the country: the country itself, but EL for Greece. */
export function vatPrefixOf(country: LookupCountry): string {
  return country === "GR" ? "EL" : country;
}

/** The question in its normal form. Throws `validation_failed` with what is wrong with `country` and `code`. */
export function parseQuestion(asked: { country: string; code: string }): TaxQuestion {
  const country = LOOKUP_COUNTRIES.find((one) => one === asked.country);
  const code = normaliseTaxCode(asked.code);
  const problems: Problem[] = [];
  if (country === undefined)
    problems.push({ path: "country", message: `must be one of ${LOOKUP_COUNTRIES.join(", ")}` });
  const message = [...asked.code].length > CODE_LENGTH_MAX ? TOO_LONG : problemWithCode(country, code);
  if (message !== undefined) problems.push({ path: "code", message });
  if (country === undefined || problems.length > 0) throw validationError(problems);
  return { country, code };
}

const TOO_LONG = `must have at most ${CODE_LENGTH_MAX} characters`;
const NOT_AN_AFM = "must be a Greek tax number: nine digits, the last of which checks the others";
const WRONG_FORM = "must have 2 to 12 letters and digits (+ and * count as letters)";

/** What is wrong with a normalised code; undefined when it may be asked about. Of an unknown country only the form is known. */
function problemWithCode(country: LookupCountry | undefined, code: string): string | undefined {
  if (country !== undefined && hasPrefix(country, code))
    return `must be given without the prefix ${code.slice(0, 2)}, which the country says already`;
  if (country === "GR") return isValidAfm(code) ? undefined : NOT_AN_AFM;
  return CODE_FORM.test(code) ? undefined : WRONG_FORM;
}

/**
 * Whether the country's prefix was left before the number: the registry would call such a number not valid (providers
 * facts D). Where numbers may begin with these letters, only the length can tell.
 */
function hasPrefix(country: LookupCountry, code: string): boolean {
  const isPrefixed = code.startsWith(vatPrefixOf(country)) || code.startsWith(country);
  if (!isPrefixed || !CODE_FORM.test(code.slice(2)) || !/[0-9]/.test(code)) return false;
  return !LETTERS_FIRST.has(country) || code.length > CODE_LENGTH_FORM_MAX;
}
