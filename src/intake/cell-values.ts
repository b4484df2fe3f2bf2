/** Reads single cells as values of the API. Refuses only what a spreadsheet damaged and what is ambiguous: the rest is checked later. */
import {
  codesNamed,
  PAYMENT_METHODS,
  PAYMENT_WORDS,
  TYPE_WORDS,
  UNIT_WORDS,
  UNITS,
  VAT_CATEGORIES,
  VAT_WORDS,
  type VatCategory,
  type WordTable,
} from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, type DocumentType } from "../domain/document-types.ts";
import { joinTexts, type Text } from "../foundation/text.ts";
import { isScientific } from "./csv-number.ts";

/** The value of a cell that is not blank, or why it has none. A problem never quotes the cell. */
export type Reading<Value = string> = { value: Value } | { problem: Text };
export type Reader = (text: string) => Reading;

export function readText(text: string): Reading {
  return { value: text };
}

/** Reads the word of a code; undefined for an unknown one. A word with several meanings is refused with the choices. */
export function readWord<Code extends string>(
  words: WordTable<Code>,
  text: string,
): Reading<Code> | undefined {
  const [code, ...others] = codesNamed(words, text);
  if (code === undefined) return undefined;
  if (others.length === 0) return { value: code };
  const named = [code, ...others].map((name) => ({
    en: `${words[name].en} (${name})`,
    el: `${words[name].el} (${name})`,
  }));
  const { en, el } = { en: joinTexts(named, " or ").en, el: joinTexts(named, " ή ").el };
  return {
    problem: { en: `may be ${en}; write one of them`, el: `μπορεί να είναι ${el}· γράψτε ένα από αυτά` },
  };
}

/** `1.1`, `1,1` as Greek Excel writes it, and the words for it. */
export function readType(text: string): Reading<DocumentType> {
  const type = DOCUMENT_TYPES.find((candidate) => candidate === text.replace(",", "."));
  if (type !== undefined) return { value: type };
  const types = DOCUMENT_TYPES.join(", ");
  const problem = {
    en: `must be one of ${types}; a spreadsheet may have made a date of it, so format the column as text`,
    el: `πρέπει να είναι ένα από τα ${types}· ίσως το λογιστικό φύλλο το μετέτρεψε σε ημερομηνία: μορφοποιήστε τη στήλη ως κείμενο`,
  };
  return readWord(TYPE_WORDS, text) ?? { problem };
}

/** A whole number of digits, without leading zeros: `007` is 7. */
export function readWhole(text: string): Reading {
  if (/^[0-9]{1,15}$/.test(text)) return { value: text.replace(/^0+(?=[0-9])/, "") };
  const problem = {
    en: "must be a whole number, written in digits only",
    el: "πρέπει να είναι ακέραιος αριθμός, μόνο με ψηφία",
  };
  return { problem };
}

/** Greece is EL in VAT numbers and GR everywhere else. */
export function readCountry(text: string): Reading {
  const country = text.toUpperCase();
  return { value: country === "EL" ? "GR" : country };
}

const DIGITS_LOST: Text = {
  en: "was shortened by a spreadsheet and lost its digits; format the column as text and write it again",
  el: "συντομεύτηκε από λογιστικό φύλλο και έχασε ψηφία· μορφοποιήστε τη στήλη ως κείμενο και γράψτε το ξανά",
};

export function readTaxCode(text: string): Reading {
  return isScientific(text) ? { problem: DIGITS_LOST } : { value: text };
}

/** MARKs separated by spaces or `|`; the value separates them by single spaces. */
export function readMarks(text: string): Reading {
  const marks = text.split(/[\s|]+/u).filter((mark) => mark !== "");
  if (marks.length === 0) {
    const problem = {
      en: "must be MARKs separated by spaces or |",
      el: "πρέπει να είναι ΜΑΡΚ χωρισμένα με κενά ή |",
    };
    return { problem };
  }
  return marks.some(isScientific) ? { problem: DIGITS_LOST } : { value: marks.join(" ") };
}

/** `On credit` is `on_credit`. */
function codeNameOf(text: string): string {
  return text.toLowerCase().replace(/[\s-]+/gu, "_");
}

/** Reads one of `codes` by its name, its number or the words for it. */
function codeReader<Code extends string>(
  codes: Readonly<Record<Code, number>>,
  words: WordTable<Code>,
): (text: string) => Reading<Code> {
  const entries = Object.entries(codes) as [Code, number][];
  const names = new Map(entries.flatMap(([name, code]) => [name, String(code)].map((key) => [key, name])));
  const listed = entries.map(([name, code]) => `${name} (${code})`).join(", ");
  const listedWords = entries.map(([name, code]) => `${words[name].el} (${code})`).join(", ");
  const problem = { en: `must be one of ${listed}`, el: `πρέπει να είναι ένα από τα ${listedWords}` };
  return (text) => {
    const name = names.get(codeNameOf(text));
    return name === undefined ? (readWord(words, text) ?? { problem }) : { value: name };
  };
}

export const readUnit = codeReader(UNITS, UNIT_WORDS);
export const readPaymentMethod = codeReader(PAYMENT_METHODS, PAYMENT_WORDS);

const CATEGORIES = Object.entries(VAT_CATEGORIES) as [VatCategory, { code: number; ratePercent: number }][];
const RATE = /^(?:Φ\.?Π\.?Α\.?|VAT)?\s*([0-9]{1,2})(?:[.,]0+)?\s*(%?)$/iu;

/**
 * A category by its name, word, code or rate. A number with `%` is a rate. Without `%`, 1, 2, 3, 5 and 7 are codes, and 0, 9, 13, 17
 * and 24 rates; 4 and 6 are refused, because each is both, of different categories.
 */
export function readVatCategory(text: string): Reading<VatCategory> {
  const [, digits, percent] = RATE.exec(text) ?? [];
  if (digits === undefined) {
    const named = CATEGORIES.find(([name]) => name === codeNameOf(text));
    if (named !== undefined) return { value: named[0] };
    return readWord(VAT_WORDS, text) ?? { problem: UNKNOWN_VAT_CATEGORY };
  }
  const number = Number(digits);
  const byRate = CATEGORIES.find(([, category]) => category.ratePercent === number)?.[0];
  const byCode =
    percent === "%" ? undefined : CATEGORIES.find(([, category]) => category.code === number)?.[0];
  if (byRate !== undefined && byCode !== undefined) {
    const problem = {
      en: `may be the code of ${byCode} or the rate of ${byRate}; write the name, or the rate with %`,
      el: `μπορεί να είναι ο κωδικός του ${byCode} ή ο συντελεστής του ${byRate}· γράψτε το όνομα, ή τον συντελεστή με %`,
    };
    return { problem };
  }
  const category = byRate ?? byCode;
  return category === undefined ? { problem: UNKNOWN_VAT_CATEGORY } : { value: category };
}

const KNOWN_CATEGORIES = CATEGORIES.map(([name, { ratePercent }]) => `${name} (${ratePercent}%)`).join(", ");
const UNKNOWN_VAT_CATEGORY: Text = {
  en: `must be a VAT category by its name or its rate: ${KNOWN_CATEGORIES}`,
  el: `πρέπει να είναι κατηγορία ΦΠΑ με το όνομα ή τον συντελεστή της: ${KNOWN_CATEGORIES}`,
};

/** A workbook stores 24% as 0.24. */
const FRACTION = /^0\.([0-9]{1,2})$/;

/** A category from a cell that a workbook stores as a number, where a rate is a fraction of 1. */
export function readNumericVatCategory(text: string): Reading<VatCategory> {
  const fraction = FRACTION.exec(text)?.[1];
  return readVatCategory(fraction === undefined ? text : `${Number(fraction.padEnd(2, "0"))}%`);
}

/** `category1_1`, and `1_1` for short. */
export function readIncomeCategory(text: string): Reading {
  const name = text.toLowerCase();
  return { value: name.startsWith("category") ? name : `category${name}` };
}

export function readIncomeType(text: string): Reading {
  return { value: text.toUpperCase() };
}
