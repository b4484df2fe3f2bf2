/** Draws the summary: VAT by rate and exemption cause on the left, totals and payments on the right. What is too long is wrapped. */
import { PALE, type TextStyle } from "./canvas.ts";
import {
  type Block,
  type Cell,
  drawBlocks,
  heightOf,
  rowOf,
  space,
  titleOver,
  together,
  wrapped,
  CONTENT_WIDTH,
  PAGE,
  type Sheet,
} from "./sheet.ts";
import { describeExemption, formatGreekEuro, LABELS, type Wording } from "./labels.ts";
import type { Paper, VatRow } from "./paper.ts";
import { isEuCountry } from "../domain/tax-number.ts";
import { PAYMENT_WORDS, VAT_CATEGORIES, VAT_WORDS } from "../domain/document-codes.ts";
import type { Text } from "../foundation/text.ts";
import { describeTaxes, payableOf } from "../domain/taxes.ts";

const GAP = 22;
const LEFT = { x: PAGE.left, width: CONTENT_WIDTH * 0.56 };
const RIGHT = { x: PAGE.left + LEFT.width + GAP, width: CONTENT_WIDTH - LEFT.width - GAP };
const SIZE = 8.5;
const LINE_HEIGHT = 11.5;
const SPACE_ABOVE = 14;
const SPACE_BELOW = 12;
/** Room that every page has below its top. */
const PAGE_ROOM = PAGE.bottom - PAGE.top - 100;

/**
 * Draws the analysis on the left and totals and payments on the right, starting on one page. The part below needs
 * `heightBelow`: both stay together where one page has room, so that no page contains only a QR code.
 */
export function drawSummary(sheet: Sheet, heightBelow: number): void {
  const totals = totalBlocks(sheet);
  const head = analysisHead(sheet);
  const analysis = analysisBlocks(sheet);
  const height = heightOf(totals);
  const whole = SPACE_ABOVE + Math.max(height, heightOf([head, ...analysis])) + SPACE_BELOW + heightBelow;
  sheet.ensure(whole <= PAGE_ROOM ? whole : SPACE_ABOVE + height);
  sheet.y += SPACE_ABOVE;
  const rightEnd = drawBlocks(totals, sheet.y);
  let isContinued = false;
  sheet.add([head]);
  sheet.add(analysis, () => {
    isContinued = true;
    sheet.add([head]);
  });
  sheet.y = (isContinued ? sheet.y : Math.max(sheet.y, rightEnd)) + SPACE_BELOW;
}

const AMOUNT_WIDTH = 76;
/** Right ends of the amounts of the analysis. */
const ANALYSIS = { net: PAGE.left + LEFT.width - 82, vat: PAGE.left + LEFT.width } as const;
const RATE_WIDTH = LEFT.width - 82 - AMOUNT_WIDTH - 6;
const CAUSE_INDENT = 10;

function analysisHead({ canvas, wording }: Sheet): Block {
  const { height, draw } = titleOver(canvas, wording.label("vatAnalysis"), LEFT, 16);
  const style = { size: 8, bold: true, color: PALE, align: "right", widthMax: AMOUNT_WIDTH } as const;
  return {
    height,
    draw(top) {
      draw(top);
      canvas.text(wording.label("netValue"), ANALYSIS.net, top + 10, style);
      canvas.text(wording.label("vatAmount"), ANALYSIS.vat, top + 10, style);
    },
  };
}

/** A block for each rate or cause, and one that names the cash-accounting scheme. */
function analysisBlocks(sheet: Sheet): Block[] {
  const { canvas, paper, wording } = sheet;
  const parts = paper.vatRows.map((row) => vatBlocks(sheet, row));
  if (paper.vatPaymentSuspension)
    parts.push(
      wrapped(canvas, wording.label("cashAccounting"), LEFT, { size: SIZE, bold: true }, LINE_HEIGHT),
    );
  return parts.map((blocks) => together([...blocks, space(4)]));
}

/** `24% κανονικός / standard`, the amounts, and the cause of an exemption. */
function vatBlocks({ canvas, paper, wording }: Sheet, { category, exemption, net, vat }: VatRow): Block[] {
  const style = { size: SIZE };
  const amount = (cents: number, x: number): Cell => ({
    text: canvas.fit(formatGreekEuro(cents), AMOUNT_WIDTH, style),
    x,
    align: "right",
  });
  const rate = `${VAT_CATEGORIES[category].ratePercent}% ${wording.format(VAT_WORDS[category])}`;
  const cells = [
    { text: canvas.fit(rate, RATE_WIDTH, style), x: PAGE.left },
    amount(net, ANALYSIS.net),
    amount(vat, ANALYSIS.vat),
  ];
  const place = { x: PAGE.left + CAUSE_INDENT, width: LEFT.width - CAUSE_INDENT };
  const row = rowOf(canvas, cells, { height: LINE_HEIGHT, baseline: 10, lineHeight: LINE_HEIGHT });
  if (exemption === undefined) return [row];
  const cause = describeCause(paper, wording, exemption);
  return [row, space(1.5), ...wrapped(canvas, cause, place, { size: 8, color: PALE }, LINE_HEIGHT)];
}

/** The authority's exemption cause for services taxed in the customer's country. */
const SUPPLIED_ABROAD = 4;

/** The cause with the authority's number, and a note on reverse charge where it applies (VAT Directive, article 226(11a)). */
function describeCause({ document }: Paper, wording: Wording, exemption: number): string {
  const country = document.customer?.tax_id.country ?? "GR";
  const isReversed = exemption === SUPPLIED_ABROAD && country !== "GR" && isEuCountry(country);
  const reversed = isReversed ? `. ${wording.label("reverseCharge")}` : "";
  return `${exemption}: ${wording.format(describeExemption(exemption))}${reversed}`;
}

/** The totals of the paper; the sum is the last. */
export function totalsOf({ document, isCreditNote }: Paper) {
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

const PADDING = 6;
const PAYMENT_HEIGHT = 14;

function totalBlocks(sheet: Sheet): Block[] {
  const { canvas, paper, wording } = sheet;
  return [
    ...totalsOf(paper).map(({ label, cents, isSum }) =>
      isSum ? sumRow(sheet, label, cents) : amountRow(sheet, label, cents, [SIZE, 9], 17),
    ),
    space(10),
    titleOver(canvas, wording.label("payments"), RIGHT, PAYMENT_HEIGHT + 2),
    ...paper.payments.map(({ method, amount }) =>
      amountRow(sheet, PAYMENT_WORDS[method], amount, [SIZE, SIZE], PAYMENT_HEIGHT),
    ),
  ];
}

/** The last of the totals, on the merchant's colour. */
function sumRow(sheet: Sheet, label: Text, cents: number): Block {
  const style = { bold: true, color: sheet.onAccent };
  const { height, draw } = amountRow(sheet, label, cents, [9, 11], 21, style);
  return {
    height,
    draw(top) {
      sheet.canvas.fill(RIGHT.x, top, RIGHT.width, height, sheet.accent);
      draw(top + 3);
    },
  };
}

/** The sizes are those of label and amount; `height` is that with a label of one line. */
function amountRow(
  { canvas, wording }: Sheet,
  label: Text,
  cents: number,
  [labelSize, amountSize]: readonly [number, number],
  height: number,
  style: TextStyle = {},
): Block {
  const [labelStyle, amountStyle] = [labelSize, amountSize].map((size) => ({ ...style, size }));
  const amount = canvas.fit(formatGreekEuro(cents), RIGHT.width * 0.62, amountStyle);
  const width = RIGHT.width - amount.width - 3 * PADDING;
  const cells = [
    { text: canvas.fit(wording.format(label), width, labelStyle), x: RIGHT.x + PADDING },
    { text: amount, x: PAGE.right - PADDING, align: "right" as const },
  ];
  return rowOf(canvas, cells, { height, baseline: 11, lineHeight: 9.5 });
}
