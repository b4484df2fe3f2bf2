/** Draws totals and payments: labels on the left, amounts on the right, with labels wrapped where they are too long. */
import { type Canvas, type Fitted, RULE, PALE } from "./canvas.ts";
import { PAYMENT_WORDS } from "../domain/document-codes.ts";
import type { Text } from "../foundation/text.ts";
import { formatGreekEuro, LABELS } from "./labels.ts";
import type { Paper } from "./paper.ts";
import type { Sheet } from "./sheet.ts";
import { payableOf, signedAmount, taxName } from "../domain/taxes.ts";

const SIZE = 8.5;
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
export function layOutTotals(sheet: Sheet, place: Place): TotalsBox {
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

export function totalsOf({ totals, taxes, isCreditNote }: Paper): Total[] {
  const { net, vat, gross } = totals;
  const sum = LABELS[isCreditNote ? "creditedGross" : taxes === undefined ? "totalGross" : "payable"];
  return [
    { label: LABELS.totalNet, cents: net, isSum: false },
    { label: LABELS.totalVat, cents: vat, isSum: false },
    ...(taxes === undefined ? [] : [{ label: LABELS.grossValue, cents: gross, isSum: false }]),
    ...(taxes ?? []).map((tax) => ({ label: taxName(tax), cents: signedAmount(tax), isSum: false })),
    { label: sum, cents: payableOf({ totals, taxes }), isSum: true },
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
