/** Searches texts and JSON values for a tax number, in all the ways in which it may be written. */
import { isCountryCode, normaliseTaxCode } from "../../domain/tax-number.ts";
import { validationError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";

export interface SearchedNumber {
  /** The normalised number, with and without its country prefix. */
  codes: string[];
  /** Matches the number with or without a prefix, and with separators between its characters. */
  pattern: RegExp;
}

const CODE_FORM = /^[0-9A-Z+*]{2,32}$/;
const GREEK_PREFIX = "EL";
/** The characters that `normaliseTaxCode` removes. */
const SEPARATORS = "[\\s.\\-‐‑–]*";

const NOT_A_TAX_NUMBER: Text = {
  en: "must be a tax number: 2 to 32 letters and digits",
  el: "πρέπει να είναι αριθμός φορολογικού μητρώου: 2 έως 32 λατινικά γράμματα και ψηφία",
};

/** Throws `validation_failed` if `taxId` is not a tax number. */
export function parseSearchedNumber(taxId: string): SearchedNumber {
  const code = normaliseTaxCode(taxId);
  if (!CODE_FORM.test(code)) throw validationError([{ path: "tax_id", message: NOT_A_TAX_NUMBER }]);
  const prefix = /^[A-Z]{2}(?=.*[0-9])/.exec(code)?.[0];
  const isPrefixed = prefix !== undefined && (prefix === GREEK_PREFIX || isCountryCode(prefix));
  const bare = isPrefixed ? code.slice(2) : code;
  const separated = [...bare].map((character) => character.replace(/[+*]/, "\\$&")).join(SEPARATORS);
  return {
    codes: [...new Set([code, bare])],
    pattern: new RegExp(`(?<![0-9A-Za-z])(?:[A-Za-z]{2}${SEPARATORS})?${separated}(?![0-9A-Za-z])`, "iu"),
  };
}

/** Whether any text, number or key in a JSON value contains the number, as it is or URL-encoded. */
export function containsNumber(value: unknown, pattern: RegExp): boolean {
  if (typeof value === "string") return pattern.test(value) || pattern.test(decodeUrl(value));
  if (typeof value === "number") return pattern.test(String(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, member]) => pattern.test(key) || containsNumber(member, pattern));
}

/** Unlike `decodeURIComponent`, this accepts malformed text. */
function decodeUrl(text: string): string {
  return text
    .replaceAll("+", " ")
    .replace(/(?:%[0-9A-Fa-f]{2})+/g, (escapes) =>
      Buffer.from(escapes.replaceAll("%", ""), "hex").toString("utf8"),
    );
}
