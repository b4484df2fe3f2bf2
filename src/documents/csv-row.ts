/** One row's cells as values of the canonical document. Only what a table alone gets wrong is judged here. */
import type { Problem } from "../errors.ts";
import { type DecimalSign, readDecimal } from "./csv-number.ts";
import { DOCUMENT_TYPES, PAYMENT_METHODS, UNITS, VAT_CATEGORIES } from "./words.ts";

/** decisions 13, in this order. */
export const COLUMNS = [
  ...(["reference", "type", "issue_date", "series", "number"] as const),
  ...(["customer_country", "customer_tax_id", "customer_name", "customer_street", "customer_street_number"] as const),
  ...(["customer_postal_code", "customer_city", "customer_branch"] as const),
  ...(["description", "quantity", "unit", "unit_price", "vat_category", "vat_exemption"] as const),
  ...(["income_category", "income_type", "payment_method", "original_marks"] as const),
] as const;

export type ColumnName = (typeof COLUMNS)[number];

/** What a file cannot do without. */
export const REQUIRED_COLUMNS: readonly ColumnName[] = [
  "reference",
  "type",
  "issue_date",
  "description",
  "quantity",
  "unit_price",
  "vat_category",
];

/** Trimmed cells; an empty one is absent. */
export type Cells = Partial<Record<ColumnName, string>>;

/** Notes a problem of a column. */
export type Report = (column: ColumnName, message: string) => void;

/** The decimal sign of the file, as far as its values have told. */
export interface Dialect {
  decimalSign: DecimalSign | undefined;
}

function numberOf(cell: string | undefined): number | string | undefined {
  return cell !== undefined && /^\d{1,15}$/.test(cell) ? Number(cell) : cell;
}

function absent<T extends Record<string, unknown>>(object: T): T | undefined {
  return Object.values(object).some((value) => value !== undefined) ? object : undefined;
}

/** JSON has no undefined: what is not there is left out. */
function present<T extends Record<string, unknown>>(object: T): Partial<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** Words and the authority's codes for them. */
function wordOf(cell: string | undefined, words: Readonly<Record<string, number>>): string | undefined {
  if (cell === undefined) return undefined;
  const name = cell.toLowerCase().replaceAll(/[\s-]+/g, "_");
  if (name in words) return name;
  const byCode = Object.entries(words).find(([, code]) => String(code) === cell);
  return byCode?.[0] ?? cell;
}

/** `4` and `6` are codes of one category and rates of another. */
const AMBIGUOUS_VAT = new Set(["4", "6"]);

function vatCategoryOf(cell: string | undefined, report: Report): string | undefined {
  if (cell === undefined) return undefined;
  const name = cell.toLowerCase().replaceAll(/[\s-]+/g, "_");
  if (name in VAT_CATEGORIES) return name;
  const rate = /^(\d{1,2})(?:[.,]0{1,2})?\s*(%?)$/.exec(cell);
  if (rate === null) {
    report("vat_category", "must be a category's name, its code or its rate, such as standard, 1 or 24%");
    return undefined;
  }
  const [, digits = "", percent] = rate;
  if (percent === "" && AMBIGUOUS_VAT.has(digits)) {
    report("vat_category", `is the code of one category and the rate of another; write ${digits}% for the rate, or the name`);
    return undefined;
  }
  const entries = Object.entries(VAT_CATEGORIES);
  const byRate = entries.find(([, { ratePercent }]) => String(ratePercent) === digits);
  const byCode = percent === "" ? entries.find(([, { code }]) => String(code) === digits) : undefined;
  const found = byCode ?? byRate;
  if (found === undefined) report("vat_category", "is no rate or code of a VAT category");
  return found?.[0];
}

const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;

/** `2026-11-02`, or the day first as Greek spreadsheets write it. */
function dateOf(cell: string | undefined): string | undefined {
  const parts = cell === undefined ? null : DAY_FIRST.exec(cell);
  if (parts === null) return cell;
  const [, day = "", month = "", year = ""] = parts;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** A spreadsheet that takes `1.1` for a number writes `1,1`, or makes a date of it. */
function typeOf(cell: string | undefined): string | undefined {
  const type = cell?.replace(",", ".");
  return (DOCUMENT_TYPES as readonly string[]).includes(type ?? "") ? type : cell;
}

function taxIdOf(cell: string | undefined, country: string, report: Report): string | undefined {
  if (cell === undefined) return undefined;
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(cell)) {
    report("customer_tax_id", "was made a rounded number by the spreadsheet; format the column as text and write it again");
    return undefined;
  }
  if (country === "GR" && /^\d{8}$/.test(cell)) {
    report("customer_tax_id", "has 8 digits: the spreadsheet may have dropped a leading zero; format the column as text");
    return undefined;
  }
  return cell.replace(country === "GR" ? /^(EL|GR)(?=\d)/i : /^$/, "");
}

/** The fields that belong to the document, not to one line: in the first row, or repeated. */
export const DOCUMENT_COLUMNS: readonly ColumnName[] = COLUMNS.filter(
  (column) =>
    column.startsWith("customer_") ||
    ["type", "issue_date", "series", "number", "payment_method", "original_marks"].includes(column),
);

/** The head of a document from its first row, without lines and totals. */
export function readHead(cells: Cells, report: Report) {
  const country = (cells.customer_country ?? "GR").toUpperCase();
  const address = absent({
    street: cells.customer_street,
    number: cells.customer_street_number,
    postal_code: cells.customer_postal_code,
    city: cells.customer_city,
  });
  const customer = absent({
    tax_id: cells.customer_tax_id === undefined ? undefined : { country, code: taxIdOf(cells.customer_tax_id, country, report) },
    name: cells.customer_name,
    address: address === undefined ? undefined : present(address),
    branch: numberOf(cells.customer_branch),
  });
  return {
    type: typeOf(cells.type),
    issueDate: dateOf(cells.issue_date),
    series: cells.series,
    number: numberOf(cells.number),
    customer: customer === undefined ? undefined : present(customer),
    originalMarks: cells.original_marks?.split(/[\s|]+/).filter((mark) => mark !== ""),
    paymentMethod: wordOf(cells.payment_method, PAYMENT_METHODS),
  };
}

function decimalOf(cell: string | undefined, column: ColumnName, decimalsMax: number, dialect: Dialect, report: Report) {
  if (cell === undefined) {
    report(column, "is required");
    return undefined;
  }
  const reading = readDecimal(cell, dialect.decimalSign);
  if (reading.kind === "problem") {
    report(column, reading.message);
    return undefined;
  }
  dialect.decimalSign ??= reading.proves;
  const decimals = reading.decimals.replace(/0+$/, "");
  if (decimals.length > decimalsMax) {
    report(column, `must have at most ${decimalsMax} decimals`);
    return undefined;
  }
  return { whole: reading.whole, decimals };
}

/** Up to 10^9 euro (10^11 cents) fit the limit of a unit price; more digits than this are no price. */
const WHOLE_DIGITS_MAX = 13;

/** One line; undefined where its amounts cannot be read. */
export function readLine(cells: Cells, dialect: Dialect, report: Report) {
  const quantity = decimalOf(cells.quantity, "quantity", 3, dialect, report);
  const price = decimalOf(cells.unit_price, "unit_price", 2, dialect, report);
  const vatCategory = vatCategoryOf(cells.vat_category, report);
  if (cells.vat_category === undefined) report("vat_category", "is required");
  if (quantity === undefined || price === undefined || vatCategory === undefined) return undefined;
  if (price.whole.length > WHOLE_DIGITS_MAX || quantity.whole.length > WHOLE_DIGITS_MAX) {
    report(price.whole.length > WHOLE_DIGITS_MAX ? "unit_price" : "quantity", "is too large");
    return undefined;
  }
  const category = cells.income_category?.replace(/^(?=\d)/, "category");
  const classification = absent({ category, type: cells.income_type });
  return {
    ...present({ description: cells.description }),
    quantity: quantity.decimals === "" ? quantity.whole : `${quantity.whole}.${quantity.decimals}`,
    ...present({ unit: wordOf(cells.unit, UNITS) }),
    unit_price: Number(price.whole) * 100 + Number(price.decimals.padEnd(2, "0")),
    vat_category: vatCategory as keyof typeof VAT_CATEGORIES,
    ...present({
      vat_exemption: numberOf(cells.vat_exemption),
      income_classification: classification === undefined ? undefined : present(classification),
    }),
  };
}

/** A problem of a column, on a line of the file. */
export function problemAt(line: number, column: string, message: string): Problem {
  return { path: `line ${line}, ${column}`, message };
}
