/** Reads the values of one row of a table: those about its document, and its line item. */
import { QUANTITY_FORM, type VatCategory } from "../domain/document-codes.ts";
import { netParts } from "../domain/gross-price.ts";
import type { Text } from "../foundation/text.ts";
import { type Reading, readNumericVatCategory, readText, readVatCategory, readWhole } from "./cell-values.ts";
import type { Decimals } from "./csv-dialect.ts";
import { type Digits, readExactDigits } from "./csv-number.ts";
import {
  COLUMNS,
  type ColumnName,
  DOCUMENT_COLUMNS,
  type DocumentColumn,
  fieldOf,
  FIELDS,
  writeField,
} from "./table-fields.ts";
import type { Report } from "./table-header.ts";
import { cellOf, filledCellOf, isNumber, type PlacedRow } from "./table-row.ts";

/** A line of the canonical document as the API takes it. */
export interface LineInput {
  description: string;
  quantity: string;
  unit?: string;
  /** Cents. */
  unit_price: number;
  vat_category: VatCategory;
  vat_exemption?: number;
  income_classification?: { category?: string; type?: string };
}

/** The cells about the document: empty where blank, undefined where they cannot be read. */
export type DocumentCells = Record<DocumentColumn, string | undefined>;

/** Defaults apply to the first row only: in the others of a document, blank means the same as in the first. */
export function readDocumentCells(row: PlacedRow, report: Report, isFirst: boolean): DocumentCells {
  const cells: Partial<DocumentCells> = {};
  const readCell = isFirst ? filledCellOf : cellOf;
  for (const column of DOCUMENT_COLUMNS) {
    const text = readCell(row, column);
    cells[column] = text === "" ? "" : valueOf(FIELDS[column].read(text), column, report);
  }
  return cells as DocumentCells;
}

/** What a line may have besides what its amounts need. */
const FURTHER_COLUMNS = COLUMNS.filter((column) => FIELDS[column].of === "line" && !fieldOf(column).isBuilt);

const IS_EMPTY: Text = { en: "is empty", el: "είναι κενό" };

/** The line item, or two where a price with VAT needs them; undefined with its problems reported. */
export function readLines(row: PlacedRow, decimals: Decimals, report: Report): LineInput[] | undefined {
  const required = <Value>(column: ColumnName, read: (text: string) => Reading<Value>): Value | undefined => {
    const text = filledCellOf(row, column);
    return valueOf<Value>(text === "" ? { problem: IS_EMPTY } : read(text), column, report);
  };
  const optional = (column: ColumnName): string | undefined => {
    const text = filledCellOf(row, column);
    return text === "" ? undefined : valueOf(fieldOf(column).read!(text), column, report);
  };
  const digits = (column: ColumnName) => (text: string) =>
    isNumber(row, column) ? readExactDigits(text) : decimals.read(text);
  const description = required("description", readText);
  const quantity = required("quantity", (text) => readQuantity(digits("quantity")(text)));
  const further: Record<string, unknown> = {};
  for (const column of FURTHER_COLUMNS) {
    const text = optional(column);
    if (text !== undefined) writeField(further, column, text);
  }
  const priceColumn = priceColumnOf(row, report);
  const price = required(priceColumn, (text) => readPrice(digits(priceColumn)(text)));
  const category = required(
    "vat_category",
    isNumber(row, "vat_category") ? readNumericVatCategory : readVatCategory,
  );
  if (description === undefined || quantity === undefined || price === undefined || category === undefined)
    return undefined;
  const line: LineInput = { description, quantity, unit_price: price, vat_category: category, ...further };
  return priceColumn === "unit_price" ? [line] : withNetPrices(line, report);
}

const TWO_PRICES: Text = {
  en: "is given as well as unit_price; leave one of them blank",
  el: "δίνεται μαζί με το unit_price· αφήστε το ένα από τα δύο κενό",
};

function priceColumnOf(row: PlacedRow, report: Report): "unit_price" | "unit_price_gross" {
  if (filledCellOf(row, "unit_price_gross") === "") return "unit_price";
  if (cellOf(row, "unit_price") !== "") report(TWO_PRICES, "unit_price_gross");
  return "unit_price_gross";
}

const NO_NET_PRICE: Text = {
  en: "has no price without VAT that leads to it; write unit_price instead",
  el: "δεν προκύπτει από καμία τιμή χωρίς ΦΠΑ· γράψτε την unit_price",
};
const DESCRIPTION_MAX = 300;
const ROUNDING = " (στρογγυλοποίηση)";

/** `line` has its price with VAT. The lines add up to it, to the cent. */
export function withNetPrices(line: LineInput, report: Report): LineInput[] | undefined {
  const { quantity, unit_price: gross, vat_category: category } = line;
  // The document's own rules refuse such a quantity, with their message.
  if (!QUANTITY_FORM.test(quantity)) return [line];
  const parts = netParts(quantity, gross, category);
  if (parts === undefined) {
    report(NO_NET_PRICE, "unit_price_gross");
    return undefined;
  }
  return parts.map((part) => ({
    ...line,
    ...(part.isRounding ? { description: shortened(line.description, ROUNDING) } : {}),
    quantity: part.quantity,
    unit_price: part.unitPrice,
    // A line that holds the last cents of a price has none of its own.
    unit_price_gross: part.isRounding ? 0 : gross,
  }));
}

function shortened(text: string, suffix: string): string {
  return [...text].slice(0, DESCRIPTION_MAX - suffix.length).join("") + suffix;
}

/** Why `text` is not a value of the column in every file; undefined where it is. */
export function checkValue(column: ColumnName, text: string): Text | undefined {
  const { read, sheet } = fieldOf(column);
  // A number without decimals is the same with either decimal sign.
  const reading = (sheet === "decimal" ? readWhole : read)?.(text);
  return reading !== undefined && "problem" in reading ? reading.problem : undefined;
}

function valueOf<Value>(reading: Reading<Value>, column: ColumnName, report: Report): Value | undefined {
  if ("value" in reading) return reading.value;
  report(reading.problem, column);
  return undefined;
}

const QUANTITY_DECIMALS_MAX = 3;
const EURO_DECIMALS_MAX = 2;
/** A double still holds this many digits to the cent; the canonical document checks the actual limit. */
const WHOLE_DIGITS_MAX = 13;

function problemWith({ whole, decimals }: Digits, decimalsMax: number): Text | undefined {
  if (decimals.length > decimalsMax)
    return {
      en: `must have at most ${decimalsMax} decimals; round computed values in their formula`,
      el: `πρέπει να έχει το πολύ ${decimalsMax} δεκαδικά· στρογγυλοποιήστε τις υπολογισμένες τιμές στον τύπο τους`,
    };
  return whole.length > WHOLE_DIGITS_MAX ? { en: "is too large", el: "είναι πολύ μεγάλο" } : undefined;
}

/** The quantity as the API's decimal string, the same for `2`, `2,0` and `2.000`. */
export function readQuantity(digits: Digits | { problem: Text }): Reading {
  if ("problem" in digits) return digits;
  const problem = problemWith(digits, QUANTITY_DECIMALS_MAX);
  if (problem !== undefined) return { problem };
  const fraction = digits.decimals.replace(/0+$/, "");
  return { value: `${digits.whole === "" ? "0" : digits.whole}${fraction === "" ? "" : `.${fraction}`}` };
}

/** Euro to cents, exactly. */
export function readPrice(digits: Digits | { problem: Text }): Reading<number> {
  if ("problem" in digits) return digits;
  const problem = problemWith(digits, EURO_DECIMALS_MAX);
  if (problem !== undefined) return { problem };
  return { value: Number(digits.whole + digits.decimals.padEnd(EURO_DECIMALS_MAX, "0")) };
}
