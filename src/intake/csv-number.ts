/**
 * Numbers as people and spreadsheets write them. A number is read by itself here: what it proves about the decimal sign of
 * its file, or that it leaves the sign open. `csv-dialect.ts` knows the file.
 */

export type DecimalSign = "," | ".";

/** Digits of a number that is understood; both may be empty strings, `whole` without leading zeros. */
export interface Digits {
  whole: string;
  decimals: string;
}

export type NumberReading =
  /** `proves` is the decimal sign that the number cannot do without; undefined where it has neither. */
  | ({ kind: "clear"; proves: DecimalSign | undefined } & Digits)
  /** One separator with three digits behind it: `1,234` is 1234 or 1.234. */
  | { kind: "open"; separator: DecimalSign; before: string; behind: string }
  | { kind: "wrong"; message: string };

/** No-break and narrow no-break spaces, too. */
const SPACES = /\s+/gu;
const EURO = /^(?:€|EUR)|(?:€|EUR)$/iu;
const NEGATIVE = /^[-−–(]|[-−–)]$/u;
const SCIENTIFIC = /^[0-9]+(?:[.,][0-9]+)?E[+-]?[0-9]+$/iu;

/** `1 234 567,89`: spaces may group thousands, and then the sign that is left is the decimal one. */
const SPACED = /^[1-9][0-9]{0,2}(?: [0-9]{3})+(?:([.,])([0-9]+))?$/;
/** `1234`, `12,50`, `0.5`, `,5`. */
const PLAIN = /^([0-9]*)(?:([.,])([0-9]+))?$/;
/** `1.234.567` and `1.234.567,89`, or with the signs changed over. */
const GROUPED = /^([1-9][0-9]{0,2}(?:([.,])[0-9]{3})(?:\2[0-9]{3})*)(?:([.,])([0-9]+))?$/;

/** Whether a spreadsheet has turned a long number into `1,23E+08`: its digits are lost. */
export function isScientific(text: string): boolean {
  return SCIENTIFIC.test(text);
}

const EXACT = /^([0-9]+)(?:\.([0-9]+))?$/;

/** The digits of a number as a workbook holds it: a point before its decimals, and no grouping. */
export function exactDigits(text: string): Digits | { message: string } {
  const [, whole, decimals = ""] = EXACT.exec(text) ?? [];
  if (whole !== undefined) return { whole: whole.replace(/^0+/, ""), decimals };
  const reading = readNumber(text);
  return { message: reading.kind === "wrong" ? reading.message : "must be a number" };
}

/** Reads `text`, which is not blank. The euro sign and spaces are allowed, a sign before or behind is not. */
export function readNumber(text: string): NumberReading {
  const spaced = text.trim().replace(EURO, "").trim().replace(SPACES, " ");
  if (NEGATIVE.test(spaced)) {
    return {
      kind: "wrong",
      message: "must not be negative; what is given back is credited with a document of type 5.1 or 5.2",
    };
  }
  if (isScientific(spaced))
    return { kind: "wrong", message: "was shortened by a spreadsheet; write all its digits" };
  if (spaced.includes(" ")) return readSpaced(spaced);
  return (
    readPlain(spaced) ??
    readGrouped(spaced) ?? { kind: "wrong", message: "must be a number such as 12.50 or 12,50" }
  );
}

function readSpaced(text: string): NumberReading {
  const match = SPACED.exec(text);
  if (match === null) return { kind: "wrong", message: "has a space where none belongs" };
  const whole = text.replace(/[.,].*$/, "").replaceAll(" ", "");
  return clear(whole, match[2] ?? "", asSign(match[1]));
}

function readPlain(text: string): NumberReading | undefined {
  const match = PLAIN.exec(text);
  if (match === null || text === "") return undefined;
  const [, before = "", separator, behind = ""] = match;
  const sign = asSign(separator);
  // No one groups `0,500` or `1234,567`: the first group would be 0 or too long.
  const mayGroup = sign !== undefined && behind.length === 3 && /^[1-9][0-9]{0,2}$/.test(before);
  return mayGroup ? { kind: "open", separator: sign, before, behind } : clear(before, behind, sign);
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
