/** One row of a table: its cells by column, what it says of its document, and the line item that it is. */
import type { Problem } from "../foundation/errors.ts";
import {
  type ColumnName,
  DOCUMENT_COLUMNS,
  type DocumentColumn,
  type Header,
  type RowWord,
} from "./csv-columns.ts";
import type { Decimals } from "./csv-dialect.ts";
import { type Digits, exactDigits } from "./csv-number.ts";
import type { CsvRecord } from "./csv-records.ts";
import {
  type Reader,
  type Reading,
  readCountry,
  readDay,
  readHeldVatCategory,
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
import type { VatCategory } from "../domain/document-codes.ts";

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

/** One thing that is wrong in a table, and where. Its `path` says the same in words: `line 12, unit_price`. */
export interface RowProblem extends Problem {
  row: number;
  /** Null where the row as a whole is wrong, or the document. */
  column: ColumnName | null;
}

export function rowProblem(word: RowWord, row: number, message: string, column?: ColumnName): RowProblem {
  return { path: pathOfRow({ word }, row, column), message, row, column: column ?? null };
}

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

/** The same, or the default of the column where the cell is blank. */
function filledCellOf(record: CsvRecord, header: Header, column: ColumnName): string {
  return cellOf(record, header, column) || (header.defaults.get(column) ?? "");
}

/** Whether a workbook holds the cell as a number. */
export function isNumber(record: CsvRecord, header: Header, column: ColumnName): boolean {
  const place = header.places.get(column);
  return place !== undefined && record.numbers?.has(place) === true;
}

/** Where a row of `line` stands, for problems. */
export function pathOfRow({ word }: { word: RowWord }, line: number, column?: ColumnName): string {
  return column === undefined ? `${word} ${line}` : `${word} ${line}, ${column}`;
}

/** Why the cells of the row do not stand below their columns; undefined where they do. */
export function findShift({ cells }: CsvRecord, header: Header): string | undefined {
  const isOver = cells.slice(header.width).some((cell) => cell !== "");
  const isBelowNoName = header.unnamed.some((place) => (cells[place] ?? "") !== "");
  if (!isOver && !isBelowNoName) return undefined;
  return "has a cell that stands below no column; a delimiter inside a cell, such as a decimal comma, needs quotes around it";
}

/** What spreadsheets show where a formula has no value. */
const ERRORS: ReadonlySet<string> = new Set(
  "#N/A #REF! #VALUE! #DIV/0! #NAME? #NUM! #NULL! #SPILL! #CALC!".split(" "),
);

/** Reports cells that cannot be taken as they are; false where there is one. */
export function checkCells(record: CsvRecord, header: Header, report: Report): boolean {
  let isRight = true;
  for (const [column, place] of header.places) {
    const cell = record.cells[place] ?? "";
    const limit = column === "original_marks" ? MARKS_CHARACTERS_MAX : CELL_CHARACTERS_MAX;
    const isLong = cell.length > limit;
    const isDamaged = cell.includes("\ufffd");
    const isError = ERRORS.has(cell);
    if (isLong) report(`is longer than ${limit} characters`, column);
    else if (isDamaged)
      report("has a character that was lost when the file was saved; save it as CSV UTF-8", column);
    else if (isError)
      report("holds an error of the spreadsheet instead of a value; mend its formula", column);
    if (isLong || isDamaged || isError) isRight = false;
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

/** `isFirst` takes the defaults: in the other rows of a document, blank means what the first one says. */
export function readDocumentCells(
  record: CsvRecord,
  header: Header,
  report: Report,
  isFirst: boolean,
): DocumentCells {
  const cells: Partial<DocumentCells> = {};
  const cell = isFirst ? filledCellOf : cellOf;
  for (const column of DOCUMENT_COLUMNS) {
    const text = cell(record, header, column);
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
    const text = filledCellOf(record, header, column);
    return valueOf<Value>(text === "" ? { message: "is empty" } : read(text), column, report);
  };
  const optional = (column: ColumnName, read: Reader): string | undefined => {
    const text = filledCellOf(record, header, column);
    return text === "" ? undefined : valueOf(read(text), column, report);
  };
  const digits = (column: ColumnName) => (text: string) =>
    isNumber(record, header, column) ? exactDigits(text) : decimals.read(text);
  const description = required("description", readText);
  const quantity = required("quantity", (text) => readQuantity(digits("quantity")(text)));
  const unit = optional("unit", readUnit);
  const price = required("unit_price", (text) => readPrice(digits("unit_price")(text)));
  const category = required(
    "vat_category",
    isNumber(record, header, "vat_category") ? readHeldVatCategory : readVatCategory,
  );
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

const LINE_READERS: Partial<Record<ColumnName, (text: string) => Reading<string>>> = {
  // Without decimals a number means the same in a file of either sign.
  quantity: readWhole,
  unit_price: readWhole,
  unit: readUnit,
  vat_category: readVatCategory,
  vat_exemption: readWhole,
  income_category: readIncomeCategory,
  income_type: readIncomeType,
};

/** Why a column cannot say `text` in every file; undefined where it can. */
export function checkCell(column: ColumnName, text: string): string | undefined {
  const readers: Partial<Record<ColumnName, Reader>> = { ...LINE_READERS, ...DOCUMENT_READERS };
  const reading = readers[column]?.(text);
  return reading !== undefined && "message" in reading ? reading.message : undefined;
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
function readQuantity(digits: Digits | { message: string }): Reading {
  if ("message" in digits) return digits;
  if (digits.decimals.length > QUANTITY_DECIMALS) return { message: "must have at most three decimals" };
  if (digits.whole.length > WHOLE_DIGITS_MAX) return { message: "is larger than any quantity may be" };
  const fraction = digits.decimals.replace(/0+$/, "");
  return { value: `${digits.whole === "" ? "0" : digits.whole}${fraction === "" ? "" : `.${fraction}`}` };
}

/** Euro to cents, exactly. */
function readPrice(digits: Digits | { message: string }): Reading<number> {
  if ("message" in digits) return digits;
  if (digits.decimals.length > EURO_DECIMALS)
    return { message: "must have at most two decimals; a computed amount is rounded in its formula" };
  if (digits.whole.length > WHOLE_DIGITS_MAX) return { message: "is larger than any price may be" };
  return { value: Number(digits.whole + digits.decimals.padEnd(EURO_DECIMALS, "0")) };
}

/** A problem of the row that begins in `line`. */
export function reporterOf({ word }: { word: RowWord }, line: number, problems: RowProblem[]): Report {
  return (message, column) => void problems.push(rowProblem(word, line, message, column));
}
