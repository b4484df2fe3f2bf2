/** Draws the table of lines over as many pages as necessary, each with a head and the sums carried forward. */
import { PALE, LINE_COLOR } from "./canvas.ts";
import { type Block, rowOf, PAGE, type Sheet } from "./sheet.ts";
import { formatGreekNumber, formatGreekQuantity, LABELS, type LabelName, type Wording } from "./labels.ts";
import type { Paper } from "./paper.ts";
import type { PaperLine } from "../domain/gross-price.ts";
import { UNIT_WORDS, VAT_CATEGORIES } from "../domain/document-codes.ts";

interface Column {
  name: LabelName;
  width: number;
  align: "left" | "right";
  text(line: PaperLine, paper: Paper, wording: Wording): string;
  /** Of columns whose sums are carried forward. */
  amount?: (line: PaperLine) => number;
}

const DESCRIPTION = "description";

function amountColumn(name: LabelName, width: number, amount: (line: PaperLine) => number): Column {
  return { name, width, align: "right", text: (line) => formatGreekNumber(amount(line)), amount };
}

function columnsOf(
  widths: { description: number; unitPrice: number },
  unitPrice: LabelName,
  amounts: readonly Column[],
): readonly Column[] {
  return [
    // The position is added while drawing.
    { name: "position", width: 26, align: "right", text: () => "" },
    { name: DESCRIPTION, width: widths.description, align: "left", text: ({ description }) => description },
    { name: "quantity", width: 54, align: "right", text: ({ quantity }) => formatGreekQuantity(quantity) },
    {
      name: "unit",
      width: 38,
      align: "left",
      text: ({ unit }, _paper, wording) => wording.stack(UNIT_WORDS[unit]).first,
    },
    {
      name: unitPrice,
      width: widths.unitPrice,
      align: "right",
      text: (line) => formatGreekNumber(line.unitPrice),
    },
    ...amounts,
  ];
}

const RATE: Column = {
  name: "vatRate",
  width: 36,
  align: "right",
  text: (line, paper) => rateText(paper, line),
};

/** The widths add up to the content width. */
const NET_COLUMNS = columnsOf({ description: 175.28, unitPrice: 60 }, "unitPrice", [
  amountColumn("net", 66, ({ net }) => net),
  RATE,
  amountColumn("vat", 56, ({ vat }) => vat),
]);
const RETAIL_COLUMNS = columnsOf({ description: 211.28, unitPrice: 70 }, "unitPriceGross", [
  RATE,
  amountColumn("gross", 76, ({ net, vat }) => net + vat),
]);

const PADDING = 4;
const SIZE = 8.5;
const LINE_HEIGHT = 11.5;
const CARRY_HEIGHT = 17;

/** A column with where its text starts or, if right-aligned, ends. */
interface Place extends Column {
  x: number;
  widthMax: number;
}

function placesOf({ isRetail }: Paper): Place[] {
  let left: number = PAGE.left;
  return (isRetail ? RETAIL_COLUMNS : NET_COLUMNS).map((column) => {
    const { width, align } = column;
    const x = align === "left" ? left + PADDING : left + width - PADDING;
    left += width;
    return { ...column, x, widthMax: width - 2 * PADDING };
  });
}

/** Draws every line, awaiting `pause` after each so that a long document does not block others. */
export async function drawLineTable(sheet: Sheet, pause: () => Promise<void>): Promise<void> {
  const { lines } = sheet.paper;
  const places = placesOf(sheet.paper);
  const carried = places.map(() => 0);
  for (const [index, line] of lines.entries()) {
    const row = rowFor(sheet, places, line, index + 1);
    const isLast = index === lines.length - 1;
    const needed = row.height + (isLast ? 0 : CARRY_HEIGHT);
    if (index === 0) {
      // The head stays on the page of the first line.
      sheet.ensure(headHeight(sheet) + needed);
      drawHead(sheet, places);
    } else if (sheet.y + needed > PAGE.bottom) {
      drawCarry(sheet, places, "carriedForward", carried);
      sheet.beginPage();
      drawHead(sheet, places);
      drawCarry(sheet, places, "broughtForward", carried);
    }
    sheet.add([row]);
    for (const [column, { amount }] of places.entries()) carried[column]! += amount?.(line) ?? 0;
    await pause();
  }
}

function headHeight({ wording }: Sheet): number {
  return wording.language === undefined ? 27 : 18;
}

function drawHead(sheet: Sheet, places: readonly Place[]): void {
  const { canvas, wording, accent, onAccent } = sheet;
  const height = headHeight(sheet);
  canvas.fill(PAGE.left, sheet.y, PAGE.right - PAGE.left, height, accent);
  for (const { name, x, align, widthMax } of places) {
    const place = { align, widthMax, color: onAccent };
    const { first, second } = wording.stack(LABELS[name]);
    canvas.text(first, x, sheet.y + 12, { ...place, size: 8, bold: true });
    if (second !== undefined) canvas.text(second, x, sheet.y + 22, { ...place, size: 7 });
  }
  sheet.y += height;
}

/** A line of the document, over a thin line. */
function rowFor(
  { canvas, paper, wording }: Sheet,
  places: readonly Place[],
  line: PaperLine,
  position: number,
): Block {
  const style = { size: SIZE };
  const cells = places.map(({ name, x, align, widthMax, text }) => {
    const shown = name === "position" ? String(position) : text(line, paper, wording);
    return name === DESCRIPTION
      ? { text: { lines: canvas.wrap(shown, widthMax, style), width: widthMax, style }, x, align }
      : { text: canvas.fit(shown, widthMax, style), x, align };
  });
  const spacing = { height: LINE_HEIGHT + 6, baseline: 11, lineHeight: LINE_HEIGHT };
  const { height, draw } = rowOf(canvas, cells, spacing);
  return {
    height,
    draw(top) {
      draw(top);
      canvas.line(PAGE.left, top + height, PAGE.right, top + height, { color: LINE_COLOR, width: 0.4 });
    },
  };
}

/** `24`; or `0 (14)`, with the cause's number in the VAT analysis, where lines are exempt for several causes. */
function rateText(paper: Paper, { vat_category: category, vat_exemption: cause }: PaperLine): string {
  const rate = String(VAT_CATEGORIES[category].ratePercent);
  const causes = paper.vatRows.filter(({ exemption }) => exemption !== undefined).length;
  return cause === undefined || causes < 2 ? rate : `${rate} (${cause})`;
}

/** Draws the sums (cents) of the lines above, by column. */
function drawCarry(
  sheet: Sheet,
  places: readonly Place[],
  label: "carriedForward" | "broughtForward",
  sums: readonly number[],
): void {
  const { canvas, wording } = sheet;
  const baseline = sheet.y + 12;
  const style = { size: 8, bold: true, color: PALE };
  for (const [column, { name, x, width, amount }] of places.entries()) {
    if (name === DESCRIPTION) canvas.text(wording.label(label), x, baseline, style);
    if (amount === undefined) continue;
    // The column to its left is empty.
    const widthMax = width + places[column - 1]!.width - 2 * PADDING;
    canvas.text(formatGreekNumber(sums[column]!), x, baseline, { ...style, align: "right", widthMax });
  }
  sheet.y += CARRY_HEIGHT;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: LINE_COLOR, width: 0.4 });
}
