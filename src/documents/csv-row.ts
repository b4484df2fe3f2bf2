/** One row of a CSV file: its cells by column, what it says of its document, and the line item that it is. */
import type { Problem } from "../errors.ts";
import { type ColumnName, DOCUMENT_COLUMNS, type DocumentColumn, type Header } from "./csv-columns.ts";
import type { Decimals } from "./csv-dialect.ts";
import type { CsvRecord } from "./csv-records.ts";
import {
  type Reader,
  type Reading,
  readCountry,
  readDay,
  readIncomeCategory,
  readIncomeType,
  readMarks,
  readPaymentMethod,
  readTaxCode,
  readText,
  readType,
  readUnit,
  readVatCategory,
  readWhole,
} from "./csv-values.ts";
import type { VatCategory } from "./words.ts";

/** A line of the canonical document as the API takes it. */
export interface CsvLine {
  description: string;
  quantity: string;
  unit?: string;
  /** Cents. */
  unit_price: number;
  vat_category: VatCategory;
  vat_exemption?: number;
  income_classification?: { category?: string; type?: string };
}

/** What a row says of its document: empty where it says nothing, undefined where that cannot be told. */
export type DocumentCells = Record<DocumentColumn, string | undefined>;

/** Notes what is wrong with the row, in a column or as a whole. */
export type Report = (message: string, column?: ColumnName) => void;

const CELL_CHARACTERS_MAX = 10_000;
/** A credit note may name 1000 MARKs of 19 digits (spec, Limits). */
const MARKS_CHARACTERS_MAX = 20_000;

/** Empty where the file has no such column, or the row ends before it. */
export function cellOf(record: CsvRecord, header: Header, column: ColumnName): string {
  const place = header.places.get(column);
  return place === undefined ? "" : (record.cells[place] ?? "");
}

/** Where a row of `line` stands, for problems. */
export function pathOfRow(line: number, column?: ColumnName): string {
  return column === undefined ? `line ${line}` : `line ${line}, ${column}`;
}

/** Why the cells of the row do not stand below their columns; undefined where they do. */
export function findShift({ cells }: CsvRecord, header: Header): string | undefined {
  const isOver = cells.slice(header.width).some((cell) => cell !== "");
  const isBelowNoName = header.unnamed.some((place) => (cells[place] ?? "") !== "");
  if (!isOver && !isBelowNoName) return undefined;
  return "has a cell that stands below no column; a delimiter inside a cell, such as a decimal comma, needs quotes around it";
}

/** Reports cells that cannot be taken as they are; false where there is one. */
export function checkCells(record: CsvRecord, header: Header, report: Report): boolean {
  let isRight = true;
  for (const [column, place] of header.places) {
    const cell = record.cells[place] ?? "";
    const limit = column === "original_marks" ? MARKS_CHARACTERS_MAX : CELL_CHARACTERS_MAX;
    const isLong = cell.length > limit;
    const isDamaged = cell.includes("\ufffd");
    if (isLong) report(`is longer than ${limit} characters`, column);
    else if (isDamaged)
      report("has a character that was lost when the file was saved; save it as CSV UTF-8", column);
    if (isLong || isDamaged) isRight = false;
  }
  return isRight;
}

const DOCUMENT_READERS: Record<DocumentColumn, Reader> = {
  type: readType,
  issue_date: readDay,
  series: readText,
  number: readWhole,
  customer_country: readCountry,
  customer_tax_id: readTaxCode,
  customer_name: readText,
  customer_street: readText,
  customer_street_number: readText,
  customer_postal_code: readText,
  customer_city: readText,
  customer_branch: readWhole,
  payment_method: readPaymentMethod,
  original_marks: readMarks,
};

export function readDocumentCells(record: CsvRecord, header: Header, report: Report): DocumentCells {
  const cells: Partial<DocumentCells> = {};
  for (const column of DOCUMENT_COLUMNS) {
    const text = cellOf(record, header, column);
    cells[column] = text === "" ? "" : valueOf(DOCUMENT_READERS[column](text), column, report);
  }
  return cells as DocumentCells;
}

/** The line item, or undefined with its problems reported. */
export function readLine(
  record: CsvRecord,
  header: Header,
  decimals: Decimals,
  report: Report,
): CsvLine | undefined {
  const required = <Value>(column: ColumnName, read: (text: string) => Reading<Value>): Value | undefined => {
    const text = cellOf(record, header, column);
    return valueOf<Value>(text === "" ? { message: "is empty" } : read(text), column, report);
  };
  const optional = (column: ColumnName, read: Reader): string | undefined => {
    const text = cellOf(record, header, column);
    return text === "" ? undefined : valueOf(read(text), column, report);
  };
  const description = required("description", readText);
  const quantity = required("quantity", (text) => readQuantity(text, decimals));
  const unit = optional("unit", readUnit);
  const price = required("unit_price", (text) => readPrice(text, decimals));
  const category = required("vat_category", readVatCategory);
  const exemption = optional("vat_exemption", readWhole);
  const incomeCategory = optional("income_category", readIncomeCategory);
  const incomeType = optional("income_type", readIncomeType);
  if (description === undefined || quantity === undefined || price === undefined || category === undefined)
    return undefined;
  const income = {
    ...(incomeCategory === undefined ? {} : { category: incomeCategory }),
    ...(incomeType === undefined ? {} : { type: incomeType }),
  };
  return {
    description,
    quantity,
    ...(unit === undefined ? {} : { unit }),
    unit_price: price,
    vat_category: category,
    ...(exemption === undefined ? {} : { vat_exemption: Number(exemption) }),
    ...(Object.keys(income).length === 0 ? {} : { income_classification: income }),
  };
}

function valueOf<Value>(reading: Reading<Value>, column: ColumnName, report: Report): Value | undefined {
  if ("value" in reading) return reading.value;
  report(reading.message, column);
  return undefined;
}

/** Digits of a quantity and of an amount in euro (spec, Line). */
const QUANTITY_DECIMALS = 3;
const EURO_DECIMALS = 2;
/** What a double still holds to the cent; the limit itself is the canonical document's to check. */
const WHOLE_DIGITS_MAX = 13;

/** The decimal string of the API, the same for `2`, `2,0` and `2.000`. */
function readQuantity(text: string, decimals: Decimals): Reading {
  const digits = decimals.read(text);
  if ("message" in digits) return digits;
  if (digits.decimals.length > QUANTITY_DECIMALS) return { message: "must have at most three decimals" };
  if (digits.whole.length > WHOLE_DIGITS_MAX) return { message: "is larger than any quantity may be" };
  const fraction = digits.decimals.replace(/0+$/, "");
  return { value: `${digits.whole === "" ? "0" : digits.whole}${fraction === "" ? "" : `.${fraction}`}` };
}

/** Euro to cents, exactly. */
function readPrice(text: string, decimals: Decimals): Reading<number> {
  const digits = decimals.read(text);
  if ("message" in digits) return digits;
  if (digits.decimals.length > EURO_DECIMALS) return { message: "must have at most two decimals" };
  if (digits.whole.length > WHOLE_DIGITS_MAX) return { message: "is larger than any price may be" };
  return { value: Number(digits.whole + digits.decimals.padEnd(EURO_DECIMALS, "0")) };
}

/** A problem of the row that begins in `line`. */
export function reporterOf(line: number, problems: Problem[]): Report {
  return (message, column) => void problems.push({ path: pathOfRow(line, column), message });
}
