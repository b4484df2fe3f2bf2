/** Builds the example files of `fiscal documents template`, which are valid unchanged. */
import { DOCUMENT_TYPES, type DocumentType } from "../domain/document-types.ts";
import { createDecimals } from "./csv-dialect.ts";
import { COLUMNS, type ColumnName } from "./column-name.ts";
import { createDraft } from "./table-draft.ts";
import { readHeader } from "./table-header.ts";

export interface TemplateOptions {
  /** By default all types. */
  type?: DocumentType | undefined;
  format: "csv" | "json";
  /** The issue date of the examples, `YYYY-MM-DD`. */
  today: string;
}

/** One row; absent columns are blank. */
type Cells = Partial<Record<ColumnName, string>>;

/** Made-up numbers with a correct check digit. Only JSON contains the supplier's, which users replace with their own. */
const SUPPLIER = { taxId: "123456783", branch: 0 };
const GREEK_CUSTOMER: Cells = { customer_country: "GR", customer_tax_id: "094012834" };

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
};

/** Without it, Greek Excel reads UTF-8 as Windows-1253. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * Builds a CSV file with every column, comma separators and decimal points or, as JSON, the body of POST /documents
 * without `merchant`, and an array of bodies for several types.
 */
export function buildTemplate(options: TemplateOptions): string {
  const types = options.type === undefined ? DOCUMENT_TYPES : [options.type];
  const documents = types.map((type) => rowsOf(type, options.today));
  if (options.format === "csv") {
    const rows = [COLUMNS, ...documents.flat()];
    return `${BYTE_ORDER_MARK}${rows.map((cells) => `${cells.map(quote).join(",")}\r\n`).join("")}`;
  }
  const bodies = documents.map((rows) => bodyOf(rows, options.today));
  return `${JSON.stringify(options.type === undefined ? bodies : bodies[0], null, 2)}\n`;
}

function rowsOf(type: DocumentType, today: string): string[][] {
  return EXAMPLES[type].map((example) => {
    const cells: Cells = { reference: `example-${type}`, type, issue_date: today, ...example };
    return COLUMNS.map((column) => cells[column] ?? "");
  });
}

/** RFC 4180. */
function quote(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** The body that a file with these rows would produce. */
function bodyOf(rows: readonly string[][], today: string): unknown {
  const header = readHeader(COLUMNS, 1);
  const decimals = createDecimals();
  const context = { header, decimals, supplier: SUPPLIER, today };
  const draft = createDraft(context, rows[0]?.[0] ?? null, 2, []);
  for (const [index, cells] of rows.entries()) draft.add({ cells, line: index + 2 });
  const document = draft.finish();
  if (!("body" in document)) throw new Error("A template example is invalid");
  return document.body;
}
