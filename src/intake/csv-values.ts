/**
 * Single cells of a table as the API writes them (decisions 13). Whatever the canonical document refuses by itself goes
 * through as it is: only what a spreadsheet does to a value, and what could be read in two ways, is told here.
 */
import { isCalendarDay } from "../foundation/field-schemas.ts";
import { isScientific } from "./csv-number.ts";
import { PAYMENT_METHODS, UNITS, VAT_CATEGORIES, type VatCategory } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../domain/document-types.ts";

/** What a cell that is not blank says, or why it cannot be told. A message never repeats the cell. */
export type Reading<Value = string> = { value: Value } | { message: string };
export type Reader = (text: string) => Reading;

export function readText(text: string): Reading {
  return { value: text };
}

/** `1.1`, and `1,1` as Greek Excel writes it. */
export function readType(text: string): Reading {
  const type = text.replace(",", ".");
  const isType = (DOCUMENT_TYPES as readonly string[]).includes(type);
  const hint = "a spreadsheet may have made a date of it, so format the column as text";
  return isType ? { value: type } : { message: `must be one of ${DOCUMENT_TYPES.join(", ")}; ${hint}` };
}

const DAY_FIRST = /^([0-9]{1,2})([./-])([0-9]{1,2})\2([0-9]{4})$/;
const SHORT_YEAR = /^[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2}$/;
const WITH_TIME = /^[0-9./-]{8,10}[T ,]+[0-9]{1,2}:[0-9]{2}/;
const MONTHS_MAX = 12;

/** `2026-11-02`, or the Greek order, day first: `2/11/2026`, `02-11-2026`, `2.11.2026`. */
export function readDay(text: string): Reading {
  const [, day = "", , month = "", year = ""] = DAY_FIRST.exec(text) ?? [];
  const iso = year === "" ? text : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return isCalendarDay(iso) ? { value: iso } : { message: describeDay(text, Number(day), Number(month)) };
}

/** Why a date is refused. One that is refused anyway is not turned round: another in its file would be read wrong. */
function describeDay(text: string, day: number, month: number): string {
  const forms = "such as 2026-11-02 or, day first, 2/11/2026";
  if (SHORT_YEAR.test(text)) return `has a year of two digits; write all four, ${forms}`;
  if (WITH_TIME.test(text)) return `has a time of day behind it; write the date alone, ${forms}`;
  if (month > MONTHS_MAX && day > 0 && day <= MONTHS_MAX) {
    return "has the month before the day; dates are read day first, so write them all as 2/11/2026, or as 2026-11-02";
  }
  return `must be a calendar date, ${forms}`;
}

/** A whole number of digits, without leading zeros: `007` is 7. */
export function readWhole(text: string): Reading {
  if (!/^[0-9]{1,15}$/.test(text)) return { message: "must be a whole number, written in digits only" };
  return { value: text.replace(/^0+(?=[0-9])/, "") };
}

export function readCountry(text: string): Reading {
  return { value: text.toUpperCase() };
}

const SHORTENED =
  "was shortened by a spreadsheet and its digits are lost; format the column as text and write it again";

export function readTaxCode(text: string): Reading {
  return isScientific(text) ? { message: SHORTENED } : { value: text };
}

/** MARKs with spaces or `|` between them; single spaces between in the value. */
export function readMarks(text: string): Reading {
  const marks = text.split(/[\s|]+/u).filter((mark) => mark !== "");
  if (marks.length === 0) return { message: "must be MARKs with spaces or | between them" };
  return marks.some(isScientific) ? { message: SHORTENED } : { value: marks.join(" ") };
}

/** Names are written with capitals and spaces, too: `On credit` is `on_credit`. */
function wordOf(text: string): string {
  return text.toLowerCase().replace(/[\s-]+/gu, "_");
}

/** Each name under itself and under its code. */
function namesOf(codes: Readonly<Record<string, number>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(codes).flatMap(([name, code]) => [
      [name, name],
      [String(code), name],
    ]),
  );
}

function describe(codes: Readonly<Record<string, number>>): string {
  return Object.entries(codes)
    .map(([name, code]) => `${name} (${code})`)
    .join(", ");
}

const UNIT_NAMES = namesOf(UNITS);

export function readUnit(text: string): Reading {
  const unit = UNIT_NAMES.get(wordOf(text));
  return unit === undefined ? { message: `must be one of ${describe(UNITS)}` } : { value: unit };
}

const PAYMENT_METHOD_NAMES = namesOf(PAYMENT_METHODS);

export function readPaymentMethod(text: string): Reading {
  const method = PAYMENT_METHOD_NAMES.get(wordOf(text));
  return method === undefined
    ? { message: `must be one of ${describe(PAYMENT_METHODS)}` }
    : { value: method };
}

const CATEGORIES = Object.entries(VAT_CATEGORIES) as [VatCategory, { code: number; ratePercent: number }][];
const RATE = /^([0-9]{1,2})(?:[.,]0+)?\s*(%?)$/u;

/**
 * A category by its name, its code or its rate. With `%` a number is a rate. Without, it is what it can only be: 1, 2, 3, 5
 * and 7 are codes, 0, 9, 13, 17 and 24 rates; 4 and 6 are both, of different categories, and refused.
 */
export function readVatCategory(text: string): Reading<VatCategory> {
  const [, digits, percent] = RATE.exec(text) ?? [];
  if (digits === undefined) {
    const named = CATEGORIES.find(([name]) => name === wordOf(text));
    return named === undefined ? { message: vatMessage() } : { value: named[0] };
  }
  const number = Number(digits);
  const byRate = CATEGORIES.find(([, category]) => category.ratePercent === number)?.[0];
  const byCode =
    percent === "%" ? undefined : CATEGORIES.find(([, category]) => category.code === number)?.[0];
  if (byRate !== undefined && byCode !== undefined) {
    return {
      message: `may be the code of ${byCode} or the rate of ${byRate}; write the name, or the rate with %`,
    };
  }
  const category = byRate ?? byCode;
  return category === undefined ? { message: vatMessage() } : { value: category };
}

/** What a workbook holds where it shows 24%. */
const FRACTION = /^0\.([0-9]{1,2})$/;

/** The same of a cell that a workbook holds as a number, where a rate is a part of 1. */
export function readHeldVatCategory(text: string): Reading<VatCategory> {
  const fraction = FRACTION.exec(text)?.[1];
  return readVatCategory(fraction === undefined ? text : `${Number(fraction.padEnd(2, "0"))}%`);
}

function vatMessage(): string {
  const known = CATEGORIES.map(([name, { ratePercent }]) => `${name} (${ratePercent}%)`);
  return `must be a VAT category by its name or its rate: ${known.join(", ")}`;
}

/** `category1_1`, and `1_1` for short. */
export function readIncomeCategory(text: string): Reading {
  const word = text.toLowerCase();
  return { value: word.startsWith("category") ? word : `category${word}` };
}

export function readIncomeType(text: string): Reading {
  return { value: text.toUpperCase() };
}
