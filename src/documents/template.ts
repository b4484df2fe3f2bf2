/** Examples to begin with: `fiscal documents template`. They are documents that would be accepted as they stand. */
import { COLUMNS, type Cells } from "./csv-row.ts";
import { computeTotals, type PricedLine } from "./totals.ts";
import type { DocumentType } from "./words.ts";

export interface TemplateOptions {
  /** One type; all of them when it is left out. */
  type?: DocumentType | undefined;
  format: "csv" | "json";
  /** The issue date of the examples, `YYYY-MM-DD`. */
  today: string;
}

/** Numbers with a right check digit that stand for nobody. */
const SUPPLIER = "123456783";
const CUSTOMER = "000000024";
const ORIGINAL_MARK = "400000000000001";

const GREEK_CUSTOMER: Cells = { customer_country: "GR", customer_tax_id: CUSTOMER };

const GOODS: Cells = { description: "Καφές σε κόκκους", quantity: "2.5", unit: "kg", unit_price: "12.40", vat_category: "24%" };
const SERVICE: Cells = { description: "Συμβουλευτικές υπηρεσίες", quantity: "3", unit_price: "50.00", vat_category: "24%" };
const MEAL: Cells = { description: "Γεύμα", quantity: "1", unit: "piece", unit_price: "8.85", vat_category: "13%" };

const EXAMPLES: Record<DocumentType, { head: Cells; lines: Cells[] }> = {
  "1.1": { head: { ...GREEK_CUSTOMER, payment_method: "on_credit" }, lines: [GOODS, { ...GOODS, description: "Φίλτρα", quantity: "10", unit: "piece", unit_price: "0.35" }] },
  "2.1": { head: { ...GREEK_CUSTOMER, payment_method: "domestic_account" }, lines: [SERVICE] },
  "5.1": { head: { ...GREEK_CUSTOMER, original_marks: ORIGINAL_MARK }, lines: [{ ...GOODS, quantity: "0.5" }] },
  "5.2": { head: GREEK_CUSTOMER, lines: [{ ...GOODS, description: "Έκπτωση τζίρου", quantity: "1", unit: "piece", unit_price: "20.00" }] },
  "11.1": { head: { payment_method: "cash" }, lines: [MEAL] },
  "11.2": { head: { payment_method: "pos" }, lines: [{ ...SERVICE, description: "Επισκευή", quantity: "1", unit_price: "32.26" }] },
};

/** UTF-8's mark: without it Greek Excel takes the file for Windows-1253. */
const MARK = "\u{feff}";

export function buildTemplate(options: TemplateOptions): string {
  const types = options.type === undefined ? (Object.keys(EXAMPLES) as DocumentType[]) : [options.type];
  if (options.format === "json") {
    const bodies = types.map((type) => buildBody(type, options.today));
    return `${JSON.stringify(options.type === undefined ? bodies : bodies[0], null, 2)}\n`;
  }
  const rows = types.flatMap((type) => buildRows(type, options.today));
  return `${MARK}${[COLUMNS.join(","), ...rows].join("\r\n")}\r\n`;
}

function referenceOf(type: DocumentType): string {
  return `example-${type}`;
}

function buildRows(type: DocumentType, today: string): string[] {
  const { head, lines } = EXAMPLES[type];
  return lines.map((line, index) => {
    const whole: Cells = { reference: referenceOf(type), type, issue_date: today, ...(index === 0 ? head : {}), ...line };
    return COLUMNS.map((column) => quoted(whole[column] ?? "")).join(",");
  });
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const RATES = { "24%": "standard", "13%": "reduced" } as const;

function buildBody(type: DocumentType, today: string) {
  const { head, lines } = EXAMPLES[type];
  const priced = lines.map((line) => ({
    description: line.description ?? "",
    quantity: line.quantity ?? "1",
    ...(line.unit === undefined ? {} : { unit: line.unit }),
    unit_price: Math.round(Number(line.unit_price) * 100),
    vat_category: RATES[line.vat_category as keyof typeof RATES],
  }));
  const { net, vat, gross } = computeTotals(priced satisfies PricedLine[]);
  const isNamed = head.customer_tax_id !== undefined;
  return {
    external_reference: referenceOf(type),
    document: {
      type,
      issue_date: today,
      currency: "EUR",
      supplier: { tax_id: { country: "GR", code: SUPPLIER } },
      ...(isNamed ? { customer: { tax_id: { country: "GR", code: CUSTOMER } } } : {}),
      ...(head.original_marks === undefined ? {} : { original_marks: [head.original_marks] }),
      lines: priced,
      ...(head.payment_method === undefined ? {} : { payments: [{ method: head.payment_method, amount: gross }] }),
      totals: { net, vat, gross },
    },
  };
}
