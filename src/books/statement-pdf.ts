/** The statement of a customer as a PDF: a table over as many pages as it needs. */
import type { Mode } from "../../storage/stored-values.ts";
import { typeInfo } from "../domain/document-types.ts";
import { daysText, dayText } from "../foundation/days.ts";
import { euroText } from "../foundation/money.ts";
import type { Text } from "../foundation/text.ts";
import { yieldToOthers } from "../foundation/turns.ts";
import { type Canvas, PALE } from "../paper/canvas.ts";
import { LABELS } from "../paper/labels.ts";
import { renderInTurn } from "../paper/render-in-turn.ts";
import { drawFooters, startPdf } from "../paper/render-pdf.ts";
import { PAGE } from "../paper/sheet.ts";
import { numberOf, type Statement, STATEMENT_HEADS, type StatementRow } from "./statement.ts";

const statementTitle: Text = { en: "Customer statement", el: "Καρτέλα πελάτη" };
const LINE_HEIGHT = 15;
/** The left ends of texts, and the right ends of amounts. */
const X = { date: PAGE.left, document: 105, number: 285, mark: 365, amount: 475, sum: PAGE.right } as const;

interface Look {
  mode: Mode;
  language: string;
  translate(text: Text): string;
}

/** Throws `service_unavailable` where too many PDFs are being rendered. */
export function renderStatement(statement: Statement, look: Look): Promise<Buffer<ArrayBuffer>> {
  return renderInTurn(look.mode, () => drawStatement(statement, look));
}

async function drawStatement(
  statement: Statement,
  { mode, language, translate }: Look,
): Promise<Buffer<ArrayBuffer>> {
  const title = translate(statementTitle);
  const { merchant_name: author, customer, from, to } = statement;
  const { canvas, end } = await startPdf(language, { Title: `${title} ${customer.code}`, Author: author });
  const widthMax = PAGE.right - PAGE.left;
  const about = [customer.name, `${customer.country} ${customer.code}`].filter(Boolean).join(" · ");

  function beginPage(): number {
    canvas.document.addPage({ size: "A4", margin: 0 });
    canvas.text(author, PAGE.left, 56, { size: 11, bold: true, widthMax: widthMax - 170 });
    if (mode === "test")
      canvas.text(translate(LABELS.test), PAGE.right, 56, { bold: true, color: "#b00020", align: "right" });
    canvas.text(title, PAGE.left, 80, { size: 15, bold: true });
    canvas.text(about, PAGE.left, 97, { widthMax });
    canvas.text(translate(daysText(from, to)), PAGE.left, 112, { color: PALE });
    drawHeads(canvas, translate);
    return 152;
  }

  let y = beginPage();
  for (const row of statement.rows) {
    if (y > PAGE.bottom - LINE_HEIGHT) {
      await yieldToOthers();
      y = beginPage();
    }
    drawRow(canvas, row, y, translate);
    y += LINE_HEIGHT;
  }
  if (y > PAGE.bottom - 2 * LINE_HEIGHT) y = beginPage();
  canvas.line(PAGE.left, y - 9, PAGE.right, y - 9);
  canvas.text(translate({ en: "Total", el: "Σύνολο" }), PAGE.left, y + 6, { bold: true });
  canvas.text(translate(euroText(statement.total)), X.sum, y + 6, { bold: true, align: "right" });
  drawFooters(canvas, "", translate(LABELS.page));
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
