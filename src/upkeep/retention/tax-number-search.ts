/** Searches texts and JSON values for a tax number, however it is written (docs/contract.md#erasure). */
import { isCountryCode, normaliseTaxCode } from "../../domain/tax-number.ts";
import { validationError } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import { base64Cores, encodedRuns, hexOfText, viewsOf } from "../../logs/encodings.ts";

export interface SearchedNumber {
  /** The normalised number, with and without its country prefix. */
  codes: string[];
  /**
   * Whether the text contains the number: with or without a prefix or leading zeros, with separators or invisible characters
   * between its characters, in digits of other scripts, escaped, in Base64 or in hex.
   */
  isIn(text: string): boolean;
}

const CODE_FORM = /^[0-9A-Z+*]{2,32}$/;
const GREEK_PREFIX = "EL";
/** What people and programs write between the characters of a number. */
const SEPARATORS = "[\\s.,·•'’|/\\\\_:+\\-‐‑–—−]{0,3}";
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
  const spellings = [bare, bare.toLowerCase(), ...(isShortenable(bare) ? [bare.replace(/^0+/, "")] : [])];
  const encoded = spellings.flatMap(base64Cores);
  const hex = hexOfText(bare);

  function isWritten(text: string): boolean {
    const plain = simplified(text);
    if (pattern.test(plain)) return true;
    if (encoded.some((core) => text.includes(core)) && isInBase64(text, pattern)) return true;
    if (plain.toLowerCase().includes(hex)) return true;
    for (const { decoded } of encodedRuns(text)) if (pattern.test(simplified(decoded))) return true;
    return false;
  }

  return {
    codes: [...new Set([code, bare])],
    isIn(text) {
      for (const view of viewsOf(text)) if (isWritten(view.text)) return true;
      return false;
    },
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

/** Zero-width characters, soft hyphens and marks of writing direction. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Arabic-Indic digits, and those of Persian. */
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9]/gu;
const isAscii = (text: string) => !/[^\0-\x7f]/.test(text);

/** The text without invisible characters, and with ASCII digits for full-width, superscript and Arabic ones. */
function simplified(text: string): string {
  if (isAscii(text)) return text;
  return text
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(OTHER_DIGITS, (digit) => String(digit.charCodeAt(0) & 0xf));
}

const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}/g;

/** Tells the number from a longer one that contains it, by decoding what is around it. */
function isInBase64(text: string, pattern: RegExp): boolean {
  for (const [run] of text.matchAll(BASE64_RUN)) {
    for (let shift = 0; shift < 4; shift += 1)
      if (pattern.test(Buffer.from(run.slice(shift), "base64").toString("latin1"))) return true;
  }
  return false;
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
