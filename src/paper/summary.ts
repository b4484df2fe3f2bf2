/** Draws the summary: VAT by rate and exemption cause, totals and payments. */
import { type Fitted, PALE } from "./canvas.ts";
import { describeExemption } from "./exemptions.ts";
import { formatGreekEuro, LABELS } from "./labels.ts";
import type { VatRow } from "./paper.ts";
import { CONTENT_WIDTH, PAGE, type Sheet } from "./sheet.ts";
import { isEuCountry } from "../domain/tax-number.ts";
import { drawTableTitle, layOutTotals } from "./totals.ts";
import { VAT_CATEGORIES, VAT_WORDS } from "../domain/document-codes.ts";

const GAP = 22;
const LEFT_WIDTH = CONTENT_WIDTH * 0.56;
const RIGHT = {
  left: PAGE.left + LEFT_WIDTH + GAP,
  right: PAGE.right,
  width: CONTENT_WIDTH - LEFT_WIDTH - GAP,
};
const SIZE = 8.5;
const LINE_HEIGHT = 11.5;
const TABLE_HEAD_HEIGHT = 16;

const SPACE_ABOVE = 14;
const SPACE_BELOW = 12;

/**
 * Draws the analysis on the left and totals and payments on the right, starting on one page. The part below needs
 * `heightBelow`: both stay together where one page has room, so that no page contains only a QR code.
 */
export function drawSummary(sheet: Sheet, heightBelow: number): void {
  const totals = layOutTotals(sheet, RIGHT);
  const rows = sheet.paper.vatRows.map((row) => fitVatRow(sheet, row));
  const whole =
    SPACE_ABOVE + Math.max(totals.height, measureAnalysis(sheet, rows)) + SPACE_BELOW + heightBelow;
  sheet.ensure(whole <= PAGE_ROOM ? whole : SPACE_ABOVE + totals.height);
  sheet.y += SPACE_ABOVE;
  totals.draw(sheet.y);
  const rightEnd = sheet.y + totals.height;
  const isContinued = drawAnalysis(sheet, rows);
  sheet.y = (isContinued ? sheet.y : Math.max(sheet.y, rightEnd)) + SPACE_BELOW;
}

/** Room that every page has below its top. */
const PAGE_ROOM = PAGE.bottom - PAGE.top - 100;

/** Right ends of the amounts of the analysis. */
const ANALYSIS = { net: PAGE.left + LEFT_WIDTH - 82, vat: PAGE.left + LEFT_WIDTH } as const;
const AMOUNT_WIDTH = 76;
const RATE_WIDTH = LEFT_WIDTH - 82 - AMOUNT_WIDTH - 6;
const CAUSE_INDENT = 10;
const CAUSE = { size: 8, color: PALE } as const;
const CASH_ACCOUNTING = { size: SIZE, bold: true } as const;

interface FittedRow {
  rate: Fitted;
  amounts: readonly { amount: Fitted; right: number }[];
  cause: readonly string[];
  /** Lines of the rate and the amounts, above the cause. */
  count: number;
}

/** `24% κανονικός / standard`, the amounts, and the cause of an exemption. */
function fitVatRow(sheet: Sheet, { category, exemption, net, vat }: VatRow): FittedRow {
  const { canvas, wording } = sheet;
  const text = `${VAT_CATEGORIES[category].ratePercent}% ${wording.format(VAT_WORDS[category])}`;
  const rate = canvas.fit(text, RATE_WIDTH, { size: SIZE });
  const amounts = [
    { amount: canvas.fit(formatGreekEuro(net), AMOUNT_WIDTH, { size: SIZE }), right: ANALYSIS.net },
    { amount: canvas.fit(formatGreekEuro(vat), AMOUNT_WIDTH, { size: SIZE }), right: ANALYSIS.vat },
  ];
  const count = Math.max(rate.lines.length, ...amounts.map(({ amount }) => amount.lines.length));
  return { rate, amounts, count, cause: exemption === undefined ? [] : wrapCause(sheet, exemption) };
}

/** Draws the VAT analysis; returns whether it continued on another page. */
function drawAnalysis(sheet: Sheet, rows: readonly FittedRow[]): boolean {
  drawAnalysisHead(sheet);
  let isContinued = false;
  for (const row of rows) {
    if (sheet.ensure(heightOfRow(row))) {
      isContinued = true;
      drawAnalysisHead(sheet);
    }
    drawVatRow(sheet, row);
  }
  return drawCashAccounting(sheet) || isContinued;
}

function drawVatRow(sheet: Sheet, row: FittedRow): void {
  const { canvas } = sheet;
  const baseline = sheet.y + 10;
  canvas.draw(row.rate, PAGE.left, baseline, LINE_HEIGHT);
  for (const { amount, right } of row.amounts) canvas.draw(amount, right, baseline, LINE_HEIGHT, "right");
  for (const [index, line] of row.cause.entries())
    canvas.text(line, PAGE.left + CAUSE_INDENT, baseline + (index + row.count) * LINE_HEIGHT, CAUSE);
  sheet.y += heightOfRow(row);
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

function measureAnalysis(sheet: Sheet, rows: readonly FittedRow[]): number {
  const note = wrapCashAccounting(sheet).length;
  const heights = [...rows.map(heightOfRow), ...(note === 0 ? [] : [rowHeight(note)])];
  return heights.reduce((sum, height) => sum + height, TABLE_HEAD_HEIGHT);
}

function heightOfRow({ count, cause }: FittedRow): number {
  return rowHeight(count + cause.length);
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

function drawAnalysisHead(sheet: Sheet): void {
  const { canvas, wording } = sheet;
  const place = { x: PAGE.left, right: PAGE.left + LEFT_WIDTH, y: sheet.y };
  drawTableTitle(canvas, wording.format(LABELS.vatAnalysis), place);
  const style = { size: 8, bold: true, color: PALE, align: "right", widthMax: AMOUNT_WIDTH } as const;
  canvas.text(wording.format(LABELS.netValue), ANALYSIS.net, sheet.y + 10, style);
  canvas.text(wording.format(LABELS.vatAmount), ANALYSIS.vat, sheet.y + 10, style);
  sheet.y += TABLE_HEAD_HEIGHT;
}
