/** Builds the example files of `fiscal documents template`, which are valid unchanged. See docs/contract.md#templates. */
import { BYTE_ORDER_MARK, csvRow } from "../foundation/csv.ts";
import { PAYMENT_WORDS, TYPE_WORDS, UNIT_WORDS } from "../domain/document-codes.ts";
import { DOCUMENT_TYPES, type DocumentType } from "../domain/document-types.ts";
import { createDecimals } from "./csv-dialect.ts";
import type { Text } from "../foundation/text.ts";
import { COLUMNS, type ColumnName, fieldOf, FIELDS } from "./table-fields.ts";
import { createDraft } from "./table-draft.ts";
import { readHeader } from "./table-header.ts";
import { placeRow } from "./table-row.ts";

export interface TemplateOptions {
  /** By default all types. */
  type?: DocumentType | undefined;
  /** The issue date of the examples, `YYYY-MM-DD`. */
  today: string;
}

/** Of the names and words of a table. JSON is always English. */
export type TemplateLanguage = "en" | "el";

/** One row; absent columns are blank. */
type Cells = Partial<Record<ColumnName, string>>;

/** Made-up numbers with a correct check digit. The customer's has no leading zero, which a spreadsheet would drop. Only JSON contains the supplier's, which users replace with their own. */
const SUPPLIER = { taxId: "123456783", branch: 0 };
const GREEK_CUSTOMER: Cells = { customer_country: "GR", customer_tax_id: "998877605" };

const COFFEE: Cells = {
  description: "Καφές σε κόκκους",
  quantity: "2.5",
  unit: "kg",
  unit_price: "12.40",
  vat_category: "24%",
};
const FILTERS: Cells = {
  description: "Χάρτινα φίλτρα",
  quantity: "10",
  unit: "piece",
  unit_price: "0.35",
  vat_category: "24%",
};
const ADVICE: Cells = {
  description: "Συμβουλευτικές υπηρεσίες",
  quantity: "3",
  unit_price: "50.00",
  vat_category: "24%",
};

/** The rows of one document of each type; columns about the document are filled in the first row only. */
const EXAMPLES: Record<DocumentType, readonly Cells[]> = {
  "1.1": [{ ...GREEK_CUSTOMER, payment_method: "on_credit", ...COFFEE }, FILTERS],
  "2.1": [{ ...GREEK_CUSTOMER, payment_method: "domestic_account", ...ADVICE }],
  "5.1": [{ ...GREEK_CUSTOMER, original_marks: "400000000000001", ...COFFEE, quantity: "0.5" }],
  "5.2": [
    { ...GREEK_CUSTOMER, ...FILTERS, description: "Έκπτωση τζίρου", quantity: "1", unit_price: "20.00" },
  ],
  "11.1": [
    {
      payment_method: "cash",
      ...COFFEE,
      description: "Καφές",
      quantity: "2",
      unit: "piece",
      unit_price: "2.02",
    },
  ],
  "11.2": [{ payment_method: "pos", ...ADVICE, description: "Επισκευή", quantity: "1", unit_price: "32.26" }],
  "11.4": [
    {
      payment_method: "cash",
      ...COFFEE,
      description: "Επιστροφή: καφές",
      quantity: "1",
      unit: "piece",
      unit_price: "2.02",
    },
  ],
};

/** A CSV file with every column: commas and decimal points, or in Greek semicolons and decimal commas. */
export function buildCsvTemplate(options: TemplateOptions, language: TemplateLanguage): string {
  const delimiter = language === "el" ? ";" : ",";
  return (
    BYTE_ORDER_MARK +
    templateRows(options, language)
      .map((cells) => csvRow(cells, delimiter))
      .join("")
  );
}

/** The body of POST /documents without `merchant`, or an array of bodies for several types. */
export function buildJsonTemplate(options: TemplateOptions): string {
  const bodies = typesOf(options).map((type) => bodyOf(rowsOf(type, options.today), options.today));
  return `${JSON.stringify(options.type === undefined ? bodies : bodies[0], null, 2)}\n`;
}

/** The rows of a table, the header first. */
export function templateRows(options: TemplateOptions, language: TemplateLanguage): string[][] {
  const rows = typesOf(options).flatMap((type) => rowsOf(type, options.today));
  if (language === "en") return [[...COLUMNS], ...rows];
  const heads = COLUMNS.map((column) => FIELDS[column].words.el);
  return [heads, ...rows.map((cells) => cells.map((cell, index) => inGreek(COLUMNS[index]!, cell)))];
}

function typesOf({ type }: TemplateOptions): readonly DocumentType[] {
  return type === undefined ? DOCUMENT_TYPES : [type];
}

const GREEK_WORDS: Partial<Record<ColumnName, Readonly<Record<string, Text>>>> = {
  // Greek Excel would take 1.1 for a date.
  type: TYPE_WORDS,
  unit: UNIT_WORDS,
  payment_method: PAYMENT_WORDS,
};

function inGreek(column: ColumnName, cell: string): string {
  if (fieldOf(column).sheet === "day") return cell.replace(/^(\d+)-(\d+)-(\d+)$/, "$3/$2/$1");
  if (fieldOf(column).sheet === "decimal") return cell.replace(".", ",");
  return GREEK_WORDS[column]?.[cell]?.el ?? cell;
}

function rowsOf(type: DocumentType, today: string): string[][] {
  return EXAMPLES[type].map((example) => {
    const cells: Cells = { reference: `example-${type}`, type, issue_date: today, ...example };
    return COLUMNS.map((column) => cells[column] ?? "");
  });
}

/** The body that a file with these rows would produce. */
function bodyOf(rows: readonly string[][], today: string): unknown {
  const header = readHeader(COLUMNS, 1);
  const context = { decimals: createDecimals(), supplier: SUPPLIER, today };
  const draft = createDraft(context, rows[0]?.[0] ?? null, 2, []);
  for (const [index, cells] of rows.entries()) draft.add(placeRow({ cells, line: index + 2 }, header));
  const document = draft.finish();
  if (!("body" in document)) throw new Error("A template example is invalid");
  return document.body;
}
