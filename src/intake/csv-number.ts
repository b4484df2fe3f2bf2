/** Reads one number as people write it: its digits, and whether it proves the decimal sign of its file (csv-dialect.ts). */
import type { Text } from "../foundation/text.ts";

export type DecimalSign = "," | ".";

/** The digits of a number; both may be empty strings, and `whole` has no leading zeros. */
export interface Digits {
  whole: string;
  decimals: string;
}

export type NumberReading =
  /** `proves` is the only decimal sign with which the text is a number; undefined where it has no separator. */
  | ({ kind: "clear"; proves: DecimalSign | undefined } & Digits)
  /** One separator with three digits after it: `1,234` is 1234 or 1.234. */
  | { kind: "ambiguous"; separator: DecimalSign; before: string; after: string }
  | { kind: "invalid"; problem: Text };

/** Includes no-break and narrow no-break spaces. */
const SPACES = /\s+/gu;
const EURO = /^(?:€|EUR)|(?:€|EUR)$/iu;
const NEGATIVE = /^[-−–(]|[-−–)]$/u;
const SCIENTIFIC = /^[0-9]+(?:[.,][0-9]+)?E[+-]?[0-9]+$/iu;

/** `1 234 567,89`: where spaces group thousands, any other separator is the decimal sign. */
const SPACED = /^[1-9][0-9]{0,2}(?: [0-9]{3})+(?:([.,])([0-9]+))?$/;
/** `1234`, `12,50`, `0.5`, `,5`. */
const PLAIN = /^([0-9]*)(?:([.,])([0-9]+))?$/;
/** `1.234.567` and `1.234.567,89`, or with the signs swapped. */
const GROUPED = /^([1-9][0-9]{0,2}(?:([.,])[0-9]{3})(?:\2[0-9]{3})*)(?:([.,])([0-9]+))?$/;

/** Whether a spreadsheet has shortened a long number to `1,23E+08`, which loses digits. */
export function isScientific(text: string): boolean {
  return SCIENTIFIC.test(text);
}

const EXACT = /^([0-9]+)(?:\.([0-9]+))?$/;

/** Reads a number as a workbook stores it: with a decimal point and no grouping. */
export function readExactDigits(text: string): Digits | { problem: Text } {
  const [, whole, decimals = ""] = EXACT.exec(text) ?? [];
  if (whole !== undefined) return { whole: whole.replace(/^0+/, ""), decimals };
  const reading = readNumber(text);
  if (reading.kind === "invalid") return { problem: reading.problem };
  return { problem: { en: "must be a number", el: "πρέπει να είναι αριθμός" } };
}

const IS_NEGATIVE: Text = {
  en: "must not be negative; credit a refund with a document of type 5.1, 5.2 or 11.4",
  el: "δεν πρέπει να είναι αρνητικό· για επιστροφή εκδώστε πιστωτικό, τύπου 5.1, 5.2 ή 11.4",
};
const IS_SHORTENED: Text = {
  en: "was shortened by a spreadsheet; write all its digits",
  el: "συντομεύτηκε από λογιστικό φύλλο· γράψτε όλα τα ψηφία",
};
const IS_NO_NUMBER: Text = {
  en: "must be a number such as 12.50 or 12,50",
  el: "πρέπει να είναι αριθμός, όπως 12.50 ή 12,50",
};

/** Reads `text`, which is not blank. The euro sign and spaces are allowed, a minus or plus sign is not. */
export function readNumber(text: string): NumberReading {
  const spaced = text.trim().replace(EURO, "").trim().replace(SPACES, " ");
  if (NEGATIVE.test(spaced)) return { kind: "invalid", problem: IS_NEGATIVE };
  if (isScientific(spaced)) return { kind: "invalid", problem: IS_SHORTENED };
  if (spaced.includes(" ")) return readSpaced(spaced);
  return readPlain(spaced) ?? readGrouped(spaced) ?? { kind: "invalid", problem: IS_NO_NUMBER };
}

function readSpaced(text: string): NumberReading {
  const match = SPACED.exec(text);
  if (match === null) {
    return { kind: "invalid", problem: { en: "has a misplaced space", el: "έχει κενό σε λάθος θέση" } };
  }
  const whole = text.replace(/[.,].*$/, "").replaceAll(" ", "");
  return clear(whole, match[2] ?? "", asSign(match[1]));
}

function readPlain(text: string): NumberReading | undefined {
  const match = PLAIN.exec(text);
  if (match === null || text === "") return undefined;
  const [, before = "", separator, after = ""] = match;
  const sign = asSign(separator);
  // Nobody groups `0,500` or `1234,567`: the first group would be 0 or too long.
  const mayGroup = sign !== undefined && after.length === 3 && /^[1-9][0-9]{0,2}$/.test(before);
  return mayGroup ? { kind: "ambiguous", separator: sign, before, after } : clear(before, after, sign);
}

function readGrouped(text: string): NumberReading | undefined {
  const match = GROUPED.exec(text);
  const [, whole, grouping, separator, decimals = ""] = match ?? [];
  if (whole === undefined || grouping === undefined || grouping === separator) return undefined;
  return clear(whole.replaceAll(grouping, ""), decimals, asSign(separator) ?? (grouping === "," ? "." : ","));
}

function clear(whole: string, decimals: string, proves: DecimalSign | undefined): NumberReading {
  return { kind: "clear", whole: whole.replace(/^0+/, ""), decimals, proves };
}

function asSign(text: string | undefined): DecimalSign | undefined {
  return text === "," || text === "." ? text : undefined;
}
