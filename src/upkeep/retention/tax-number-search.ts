/** Searches texts and JSON values for a tax number (docs/contract.md#erasure). */
import { isCountryCode, normaliseTaxCode } from "../../domain/tax-number.ts";
import { validationError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";

export interface SearchedNumber {
  /** The normalised number, with and without its country prefix. */
  codes: string[];
  /** Whether the text contains the number: with or without a prefix, separators or leading zeros. */
  isIn(text: string): boolean;
}

const CODE_FORM = /^[0-9A-Z+*]{2,32}$/;
const GREEK_PREFIX = "EL";
/** What people and programs write between the characters of a number. */
const SEPARATORS = "[\\s.,·•'’|/\\\\_:+\\-‐‑–—−]{0,3}";
/** A space in a URL, and one in XML that does not break. */
const ESCAPED_SPACE = /%20|&#160;|&nbsp;/g;
/** Shorter numbers without their leading zeros are too common. */
const SHORTENED_MIN = 7;

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
  const pattern = patternOf(bare);
  return {
    codes: [...new Set([code, bare])],
    isIn: (text) => pattern.test(text.replaceAll(ESCAPED_SPACE, " ")),
  };
}

const zerosOf = (bare: string) => /^0*/.exec(bare)![0].length;

/** Whether the number is also searched for without its leading zeros. */
function isShortenable(bare: string): boolean {
  return bare.startsWith("0") && bare.length - zerosOf(bare) >= SHORTENED_MIN && /^[0-9]+$/.test(bare);
}

function patternOf(bare: string): RegExp {
  const zeros = zerosOf(bare);
  const mayBeShortened = isShortenable(bare);
  const characters = Array.from(bare, (character, index) => {
    const literal = character.replace(/[+*]/, "\\$&");
    const separated = index === bare.length - 1 ? literal : `${literal}${SEPARATORS}`;
    return mayBeShortened && index < zeros ? `(?:${separated})?` : separated;
  }).join("");
  // Letters may touch a number of digits: `inv094012834`, `EL094012834`.
  return /^[0-9]+$/.test(bare)
    ? new RegExp(`(?<![0-9])${characters}(?![0-9])`, "u")
    : new RegExp(`(?<![0-9A-Za-z])(?:[A-Za-z]{2}${SEPARATORS})?${characters}(?![0-9A-Za-z])`, "iu");
}

/** Whether any text, number or key in a JSON value contains the number. */
export function containsNumber(value: unknown, searched: SearchedNumber): boolean {
  if (typeof value === "string") return searched.isIn(value);
  if (typeof value === "number") return searched.isIn(String(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([key, member]) => searched.isIn(key) || containsNumber(member, searched),
  );
}
