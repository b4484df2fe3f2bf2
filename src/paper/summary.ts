/** Draws the summary: VAT by rate and exemption cause on the left, totals and payments on the right. What is too long is wrapped. */
import { type Canvas, CONTENT_WIDTH, type Fitted, PAGE, PALE, RULE, type Sheet } from "./canvas.ts";
import { describeExemption, formatGreekEuro, LABELS } from "./labels.ts";
import type { Paper, VatRow } from "./paper.ts";
import { isEuCountry } from "../domain/tax-number.ts";
import { PAYMENT_WORDS, VAT_CATEGORIES, VAT_WORDS } from "../domain/document-codes.ts";
import type { Text } from "../foundation/text.ts";
import { describeTaxes, payableOf } from "../domain/taxes.ts";

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
  const country = paper.document.customer?.tax_id.country ?? "GR";
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

const PADDING = 6;
const TOTAL_HEIGHT = 17;
const PAYMENT_HEIGHT = 14;
const WRAPPED_LINE_HEIGHT = 9.5;
const SPACE_BETWEEN = 10;

interface Place {
  left: number;
  right: number;
  width: number;
}

interface Row {
  label: Fitted;
  amount: Fitted;
  height: number;
  /** The last row of the totals, on the merchant's colour. */
  isSum: boolean;
}

export interface TotalsBox {
  height: number;
  /** Draws totals and payments at `top`. */
  draw(top: number): void;
}

/** Lays out totals and payments at `place`. */
function layOutTotals(sheet: Sheet, place: Place): TotalsBox {
  const totals = totalRows(sheet, place.width);
  const payments = paymentRows(sheet, place.width);
  const title = PAYMENT_HEIGHT + 2;
  const heightOf = (rows: readonly Row[]) => rows.reduce((sum, { height }) => sum + height, 0);
  return {
    height: heightOf(totals) + SPACE_BETWEEN + title + heightOf(payments),
    draw(top) {
      const middle = drawRows(sheet, totals, place, top) + SPACE_BETWEEN;
      drawTableTitle(sheet.canvas, sheet.wording.format(LABELS.payments), {
        x: place.left,
        right: place.right,
        y: middle,
      });
      drawRows(sheet, payments, place, middle + title);
    },
  };
}

/** A total of the paper; the sum is the last. */
interface Total {
  label: Text;
  cents: number;
  isSum: boolean;
}

export function totalsOf({ document, isCreditNote }: Paper): Total[] {
  const { net, vat, gross } = document.totals;
  const taxed = describeTaxes(document);
  const sum = LABELS[isCreditNote ? "creditedGross" : taxed.length === 0 ? "totalGross" : "payable"];
  return [
    { label: LABELS.totalNet, cents: net, isSum: false },
    { label: LABELS.totalVat, cents: vat, isSum: false },
    ...(taxed.length === 0 ? [] : [{ label: LABELS.grossValue, cents: gross, isSum: false }]),
    ...taxed.map((tax) => ({ ...tax, isSum: false })),
    { label: sum, cents: payableOf(document), isSum: true },
  ];
}

function totalRows({ canvas, paper, wording, onAccent }: Sheet, width: number): Row[] {
  const sum = { bold: true, color: onAccent };
  return totalsOf(paper).map(({ label, cents, isSum }) =>
    buildRow(canvas, width, {
      label: wording.format(label),
      cents,
      height: isSum ? TOTAL_HEIGHT + 4 : TOTAL_HEIGHT,
      ...(isSum ? { labelStyle: { ...sum, size: 9 }, amountStyle: { ...sum, size: 11 } } : {}),
    }),
  );
}

function paymentRows({ canvas, paper, wording }: Sheet, width: number): Row[] {
  return paper.payments.map(({ method, amount }) =>
    buildRow(canvas, width, {
      label: wording.format(PAYMENT_WORDS[method]),
      cents: amount,
      height: PAYMENT_HEIGHT,
      amountStyle: { size: SIZE },
    }),
  );
}

interface RowContent {
  label: string;
  cents: number;
  /** With a label of one line. */
  height: number;
  labelStyle?: { size: number; bold?: boolean; color?: string };
  amountStyle?: { size: number; bold?: boolean; color?: string };
}

function buildRow(canvas: Canvas, width: number, content: RowContent): Row {
  const { labelStyle = { size: SIZE }, amountStyle = { size: 9 } } = content;
  const amount = canvas.fit(formatGreekEuro(content.cents), width * 0.62, amountStyle);
  const label = canvas.fit(content.label, width - amount.width - 3 * PADDING, labelStyle);
  const more = Math.max(label.lines.length, amount.lines.length) - 1;
  return {
    label,
    amount,
    height: content.height + more * WRAPPED_LINE_HEIGHT,
    isSum: content.amountStyle?.bold === true,
  };
}

function drawRows(sheet: Sheet, rows: readonly Row[], { left, right, width }: Place, top: number): number {
  const { canvas, accent } = sheet;
  let y = top;
  for (const { label, amount, height, isSum } of rows) {
    if (isSum) canvas.fill(left, y, width, height, accent);
    const baseline = y + (isSum ? 14 : 11);
    canvas.draw(label, left + PADDING, baseline, WRAPPED_LINE_HEIGHT);
    canvas.draw(amount, right - PADDING, baseline, WRAPPED_LINE_HEIGHT, "right");
    y += height;
  }
  return y;
}

export function drawTableTitle(
  canvas: Canvas,
  text: string,
  { x, right, y }: { x: number; right: number; y: number },
): void {
  canvas.text(text, x, y + 10, { size: 8, bold: true, color: PALE });
  canvas.line(x, y + 14, right, y + 14, { color: RULE });
}
