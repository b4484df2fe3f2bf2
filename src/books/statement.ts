/**
 * The statement of a customer: its documents and credits of a period, with a running sum (docs/contract.md#customers); also as a PDF, a
 * table over as many pages as it needs.
 */
import { findReadableInputs } from "../../storage/documents/documents.ts";
import { UnreadableContentsError } from "../../storage/database/errors.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { type DocumentType, isCreditNote, typeInfo } from "../domain/document-types.ts";
import { payableOf } from "../domain/taxes.ts";
import { readJson } from "../foundation/json.ts";
import { everyPage } from "../foundation/pages.ts";
import type { Text } from "../foundation/text.ts";
import { listDocuments } from "../documents/list-documents.ts";
import type { Context } from "../journal/context.ts";
import { findCustomer, type NamedCustomer } from "../merchants/customers.ts";
import { getMerchant } from "../merchants/merchants.ts";
import type { BooksPeriod } from "./counted-documents.ts";
import type { Sheet } from "./report-sheets.ts";
import { daysText, dayText } from "../foundation/days.ts";
import { euroText } from "../foundation/money.ts";
import { type Canvas, PALE } from "../paper/canvas.ts";
import { PAGE } from "../paper/sheet.ts";

/** An issued document that is not cancelled. */
export interface StatementRow {
  id: string;
  issue_date: string;
  type: DocumentType;
  series: string | null;
  number: number | null;
  mark: string | null;
  external_reference: string | null;
  /** Cents payable, negative on a credit note. */
  amount: bigint;
  /** The sum of the amounts up to this row. */
  sum: bigint;
}

export interface Statement {
  from: string;
  to: string;
  /** The merchant's external id and name. */
  merchant: string;
  merchant_name: string;
  /** The name is the last one that is known; null without one. */
  customer: { country: string; code: string; name: string | null };
  /** By issue date. */
  rows: StatementRow[];
  total: bigint;
}

/** Throws `not_found` for the merchant. A customer without documents has no rows. */
export async function reportStatement(
  context: Context,
  { merchantId, mode, country, code }: NamedCustomer,
  { from, through }: Pick<BooksPeriod, "from" | "through">,
): Promise<Statement> {
  const merchant = await getMerchant(context, merchantId);
  const known = await findCustomer(context.store.read, { merchantId, mode, country, code });
  const rows: StatementRow[] = [];
  let named: string | undefined;
  const filters = {
    merchant: merchantId,
    status: "issued",
    customers: [{ country, code }],
    "issue_date[gte]": from,
    "issue_date[lte]": through,
  } as const;
  for await (const page of everyPage((asked) => listDocuments(context, mode, { ...filters, ...asked }))) {
    const counted = page.filter(({ cancelled_at: cancelled }) => cancelled === null);
    const inputs = await findReadableInputs(
      context.store.read,
      counted.map(({ id }) => id),
    );
    for (const { id, issue_date, type, series, number, mark, external_reference } of counted) {
      const input = inputs.get(id);
      if (input === undefined) throw new UnreadableContentsError(id);
      const document = readJson<CanonicalDocument>(input.input_json);
      named ??= document.customer?.name;
      const payable = BigInt(payableOf(document));
      const amount = isCreditNote(type) ? -payable : payable;
      rows.push({ id, issue_date, type, series, number, mark, external_reference, amount, sum: 0n });
    }
  }
  rows.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  let total = 0n;
  for (const row of rows) row.sum = total += row.amount;
  const customer = { country, code, name: known?.name ?? named ?? null };
  return {
    from,
    to: through,
    merchant: merchant.external_id,
    merchant_name: merchant.name,
    customer,
    rows,
    total,
  };
}

const keyOf = ({ issue_date: day, id }: StatementRow) => `${day} ${id}`;

export const STATEMENT_HEADS = {
  date: { en: "date", el: "ημερομηνία" },
  document: { en: "document", el: "παραστατικό" },
  number: { en: "number", el: "αριθμός" },
  mark: { en: "MARK", el: "ΜΑΡΚ" },
  amount: { en: "amount", el: "ποσό" },
  sum: { en: "sum", el: "άθροισμα" },
} as const satisfies Record<string, Text>;

const statementTitle: Text = { en: "Customer statement", el: "Καρτέλα πελάτη" };

export function numberOf({ series, number }: Pick<StatementRow, "series" | "number">): string {
  return `${series ?? ""} ${number ?? ""}`.trim();
}

const SHEET_HEADS = [
  ...(["issue_date", "type", "series", "number", "mark"] as const),
  ...(["external_reference", "amount", "sum"] as const),
];

export function statementSheets({ rows }: Statement): Sheet[] {
  return [
    { name: "statement", heads: SHEET_HEADS, rows: rows.map((row) => SHEET_HEADS.map((head) => row[head])) },
  ];
}

const LINE_HEIGHT = 15;
/** The left ends of texts, and the right ends of amounts. */
const X = { date: PAGE.left, document: 105, number: 285, mark: 365, amount: 475, sum: PAGE.right } as const;
const TEST: Text = { en: "TEST – not valid", el: "ΔΟΚΙΜΗ – χωρίς νομική ισχύ" };

export async function renderStatement(
  statement: Statement,
  { translate, language, isTest }: { translate(text: Text): string; language: string; isTest: boolean },
): Promise<Buffer<ArrayBuffer>> {
  const title = translate(statementTitle);
  const { merchant_name: author, customer, from, to } = statement;
  const { startPdf } = await import("../paper/render-pdf.ts");
  const { canvas, end } = await startPdf(language, { Title: `${title} ${customer.code}`, Author: author });
  const { document } = canvas;
  const widthMax = PAGE.right - PAGE.left;

  function beginPage(): number {
    document.addPage({ size: "A4", margin: 0 });
    canvas.text(author, PAGE.left, 56, { size: 11, bold: true, widthMax: widthMax - 170 });
    if (isTest)
      canvas.text(translate(TEST), PAGE.right, 56, { bold: true, color: "#b00020", align: "right" });
    canvas.text(title, PAGE.left, 80, { size: 15, bold: true });
    canvas.text(
      [customer.name, `${customer.country} ${customer.code}`].filter(Boolean).join(" · "),
      PAGE.left,
      97,
      {
        widthMax,
      },
    );
    canvas.text(translate(daysText(from, to)), PAGE.left, 112, { color: PALE });
    drawHeads(canvas, translate);
    return 152;
  }

  let y = beginPage();
  for (const row of statement.rows) {
    if (y > PAGE.bottom - LINE_HEIGHT) y = beginPage();
    drawRow(canvas, row, y, translate);
    y += LINE_HEIGHT;
  }
  if (y > PAGE.bottom - 2 * LINE_HEIGHT) y = beginPage();
  canvas.line(PAGE.left, y - 9, PAGE.right, y - 9);
  canvas.text(translate({ en: "Total", el: "Σύνολο" }), PAGE.left, y + 6, { bold: true });
  canvas.text(translate(euroText(statement.total)), X.sum, y + 6, { bold: true, align: "right" });
  const { count } = document.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    document.switchToPage(page);
    canvas.text(`${page + 1}/${count}`, PAGE.right, PAGE.bottom + 20, {
      size: 7.5,
      color: PALE,
      align: "right",
    });
  }
  return end();
}

function drawHeads(canvas: Canvas, translate: (text: Text) => string): void {
  const style = { size: 8, color: PALE } as const;
  for (const name of ["date", "document", "number", "mark"] as const)
    canvas.text(translate(STATEMENT_HEADS[name]), X[name], 132, style);
  for (const name of ["amount", "sum"] as const)
    canvas.text(`${translate(STATEMENT_HEADS[name])} €`, X[name], 132, { ...style, align: "right" });
  canvas.line(PAGE.left, 138, PAGE.right, 138);
}

function drawRow(canvas: Canvas, row: StatementRow, y: number, translate: (text: Text) => string): void {
  canvas.text(translate(dayText(row.issue_date)), X.date, y);
  canvas.text(`${row.type} ${translate(typeInfo(row.type).name)}`, X.document, y, { widthMax: 172 });
  canvas.text(numberOf(row), X.number, y, { widthMax: 74 });
  canvas.text(row.mark ?? "-", X.mark, y, { size: 8, widthMax: 70 });
  canvas.text(translate(euroText(row.amount)), X.amount, y, { align: "right", widthMax: 60 });
  canvas.text(translate(euroText(row.sum)), X.sum, y, { align: "right", widthMax: 74 });
}
