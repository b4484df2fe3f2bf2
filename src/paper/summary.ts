/** Draws the summary: VAT by rate and exemption cause, totals and payments. */
import { type Canvas, PALE, RULE } from "./canvas.ts";
import { PAYMENT_WORDS, VAT_WORDS } from "./code-names.ts";
import { describeExemption } from "./exemptions.ts";
import { formatGreekEuro } from "./paper-format.ts";
import { LABELS } from "./labels.ts";
import type { VatRow } from "./paper.ts";
import { CONTENT_WIDTH, PAGE, type Sheet } from "./sheet.ts";
import { isEuCountry } from "../domain/tax-number.ts";
import { VAT_CATEGORIES } from "../domain/document-codes.ts";

const GAP = 22;
const LEFT_WIDTH = CONTENT_WIDTH * 0.56;
const RIGHT = {
  left: PAGE.left + LEFT_WIDTH + GAP,
  right: PAGE.right,
  width: CONTENT_WIDTH - LEFT_WIDTH - GAP,
};
const SIZE = 8.5;
const LINE_HEIGHT = 11.5;
const TOTAL_HEIGHT = 17;
const PAYMENT_HEIGHT = 14;

const SPACE_ABOVE = 14;
const SPACE_BELOW = 12;

/**
 * Draws the analysis on the left and totals and payments on the right, starting on one page. The part below needs
 * `heightBelow`: both stay together where one page has room, so that no page contains only a QR code.
 */
export function drawSummary(sheet: Sheet, heightBelow: number): void {
  const right = 3 * TOTAL_HEIGHT + 10 + (sheet.paper.payments.length + 1) * PAYMENT_HEIGHT + 8;
  const whole = SPACE_ABOVE + Math.max(right, measureAnalysis(sheet)) + SPACE_BELOW + heightBelow;
  sheet.ensure(whole <= PAGE_ROOM ? whole : SPACE_ABOVE + right);
  sheet.y += SPACE_ABOVE;
  const rightEnd = drawPayments(sheet, drawTotals(sheet, sheet.y) + 10);
  const isContinued = drawAnalysis(sheet);
  sheet.y = (isContinued ? sheet.y : Math.max(sheet.y, rightEnd)) + SPACE_BELOW;
}

/** Room that every page has below its top. */
const PAGE_ROOM = PAGE.bottom - PAGE.top - 100;

function drawTotals({ canvas, paper, wording, accent, onAccent }: Sheet, top: number): number {
  const { net, vat, gross } = paper.totals;
  let y = top;
  const place = { align: "right", widthMax: RIGHT.width * 0.6, whole: true } as const;
  for (const [label, cents] of [
    ["totalNet", net],
    ["totalVat", vat],
  ] as const) {
    const width = canvas.text(formatGreekEuro(cents), RIGHT.right - 6, y + 12, place);
    canvas.text(wording.label(label), RIGHT.left + 6, y + 12, {
      size: SIZE,
      widthMax: RIGHT.width - width - 20,
    });
    y += TOTAL_HEIGHT;
  }
  canvas.fill(RIGHT.left, y, RIGHT.width, TOTAL_HEIGHT + 4, accent);
  const label = wording.label(paper.isCreditNote ? "creditedGross" : "totalGross");
  const style = { bold: true, color: onAccent };
  const width = canvas.text(formatGreekEuro(gross), RIGHT.right - 6, y + 14, {
    ...place,
    ...style,
    size: 11,
  });
  canvas.text(label, RIGHT.left + 6, y + 14, { ...style, size: 9, widthMax: RIGHT.width - width - 20 });
  return y + TOTAL_HEIGHT + 4;
}

function drawPayments({ canvas, paper, wording }: Sheet, top: number): number {
  let y = top;
  drawTableTitle(canvas, wording.format(LABELS.payments), { x: RIGHT.left, right: RIGHT.right, y });
  y += PAYMENT_HEIGHT + 2;
  for (const { method, amount } of paper.payments) {
    const width = canvas.text(formatGreekEuro(amount), RIGHT.right - 6, y + 10, {
      size: SIZE,
      align: "right",
    });
    const widthMax = RIGHT.width - width - 20;
    canvas.text(wording.format(PAYMENT_WORDS[method]), RIGHT.left + 6, y + 10, { size: SIZE, widthMax });
    y += PAYMENT_HEIGHT;
  }
  return y;
}

function drawTableTitle(
  canvas: Canvas,
  text: string,
  { x, right, y }: { x: number; right: number; y: number },
): void {
  canvas.text(text, x, y + 10, { size: 8, bold: true, color: PALE });
  canvas.line(x, y + 14, right, y + 14, { color: RULE });
}

/** Right ends of the amounts of the analysis. */
const ANALYSIS = { net: PAGE.left + LEFT_WIDTH - 82, vat: PAGE.left + LEFT_WIDTH } as const;
const AMOUNT_WIDTH = 76;
const RATE_WIDTH = LEFT_WIDTH - 82 - AMOUNT_WIDTH - 6;
const CAUSE_INDENT = 10;
const CAUSE = { size: 8, color: PALE } as const;
const CASH_ACCOUNTING = { size: SIZE, bold: true } as const;

/** Draws the VAT analysis; returns whether it continued on another page. */
function drawAnalysis(sheet: Sheet): boolean {
  const { canvas, paper } = sheet;
  drawAnalysisHead(sheet);
  let isContinued = false;
  for (const row of paper.vatRows) {
    const cause = row.exemption === undefined ? [] : wrapCause(sheet, row.exemption);
    const height = rowHeight(1 + cause.length);
    if (sheet.ensure(height)) {
      isContinued = true;
      drawAnalysisHead(sheet);
    }
    drawVatRow(sheet, row);
    for (const [index, line] of cause.entries())
      canvas.text(line, PAGE.left + CAUSE_INDENT, sheet.y + 10 + (index + 1) * LINE_HEIGHT, CAUSE);
    sheet.y += height;
  }
  return drawCashAccounting(sheet) || isContinued;
}

/** Draws the note of the cash-accounting scheme; returns whether it is on another page. */
function drawCashAccounting(sheet: Sheet): boolean {
  const lines = wrapCashAccounting(sheet);
  if (lines.length === 0) return false;
  const height = rowHeight(lines.length);
  const isContinued = sheet.ensure(height);
  for (const [index, line] of lines.entries())
    sheet.canvas.text(line, PAGE.left, sheet.y + 10 + index * LINE_HEIGHT, CASH_ACCOUNTING);
  sheet.y += height;
  return isContinued;
}

function wrapCashAccounting({ canvas, paper, wording }: Sheet): string[] {
  if (!paper.vatPaymentSuspension) return [];
  return canvas.wrap(wording.label("cashAccounting"), LEFT_WIDTH, CASH_ACCOUNTING);
}

function measureAnalysis(sheet: Sheet): number {
  const lines = sheet.paper.vatRows.map(({ exemption }) =>
    exemption === undefined ? 1 : 1 + wrapCause(sheet, exemption).length,
  );
  const note = wrapCashAccounting(sheet).length;
  const heights = [...lines, ...(note === 0 ? [] : [note])].map(rowHeight);
  return heights.reduce((sum, height) => sum + height, PAYMENT_HEIGHT + 2);
}

function rowHeight(lines: number): number {
  return lines * LINE_HEIGHT + 4;
}

/** The authority's exemption cause for services taxed in the customer's country. */
const SUPPLIED_ABROAD = 4;

/** The cause with the authority's number, and a note on reverse charge where it applies (VAT Directive, article 226(11a)). */
function wrapCause({ canvas, paper, wording }: Sheet, exemption: number): string[] {
  const country = paper.customer?.tax_id.country ?? "GR";
  const isReversed = exemption === SUPPLIED_ABROAD && country !== "GR" && isEuCountry(country);
  const reversed = isReversed ? `. ${wording.format(LABELS.reverseCharge)}` : "";
  const text = `${exemption}: ${wording.format(describeExemption(exemption))}${reversed}`;
  return canvas.wrap(text, LEFT_WIDTH - CAUSE_INDENT, CAUSE);
}

/** Draws `24% κανονικός / standard` and the amounts. */
function drawVatRow({ canvas, wording, y }: Sheet, { category, net, vat }: VatRow): void {
  const rate = `${VAT_CATEGORIES[category].ratePercent}% ${wording.format(VAT_WORDS[category])}`;
  canvas.text(rate, PAGE.left, y + 10, { size: SIZE, widthMax: RATE_WIDTH });
  const style = { size: SIZE, align: "right", widthMax: AMOUNT_WIDTH, whole: true } as const;
  canvas.text(formatGreekEuro(net), ANALYSIS.net, y + 10, style);
  canvas.text(formatGreekEuro(vat), ANALYSIS.vat, y + 10, style);
}

function drawAnalysisHead(sheet: Sheet): void {
  const { canvas, wording } = sheet;
  const place = { x: PAGE.left, right: PAGE.left + LEFT_WIDTH, y: sheet.y };
  drawTableTitle(canvas, wording.format(LABELS.vatAnalysis), place);
  const style = { size: 8, bold: true, color: PALE, align: "right", widthMax: AMOUNT_WIDTH } as const;
  canvas.text(wording.format(LABELS.netValue), ANALYSIS.net, sheet.y + 10, style);
  canvas.text(wording.format(LABELS.vatAmount), ANALYSIS.vat, sheet.y + 10, style);
  sheet.y += PAYMENT_HEIGHT + 2;
}
