/** Draws the table of lines over as many pages as necessary, each with a head and the sums carried forward. */
import { type Fitted, PALE, RULE } from "./canvas.ts";
import { UNIT_WORDS } from "../domain/code-words.ts";
import { formatGreekNumber, formatGreekQuantity, LABELS, type LabelName } from "./labels.ts";
import type { Paper, PaperLine } from "./paper.ts";
import { PAGE, type Sheet } from "./sheet.ts";
import { VAT_CATEGORIES } from "../domain/document-codes.ts";

interface Column {
  name: LabelName;
  width: number;
  align: "left" | "right";
}

/** The widths add up to the content width. */
const COLUMNS = {
  position: { name: "position", width: 26, align: "right" },
  description: { name: "description", width: 175.28, align: "left" },
  quantity: { name: "quantity", width: 54, align: "right" },
  unit: { name: "unit", width: 38, align: "left" },
  unitPrice: { name: "unitPrice", width: 60, align: "right" },
  net: { name: "net", width: 66, align: "right" },
  vatRate: { name: "vatRate", width: 36, align: "right" },
  vat: { name: "vat", width: 56, align: "right" },
} as const satisfies Record<string, Column>;

type ColumnName = keyof typeof COLUMNS;

const PADDING = 4;
const SIZE = 8.5;
const LINE_HEIGHT = 11.5;
const CARRY_HEIGHT = 17;

/** Where the text of each column starts or, if right-aligned, ends; and its maximum width. */
const PLACES = placesOf();

function placesOf(): Record<ColumnName, { x: number; align: "left" | "right"; widthMax: number }> {
  let left: number = PAGE.left;
  const entries = Object.entries(COLUMNS).map(([name, { width, align }]) => {
    const x = align === "left" ? left + PADDING : left + width - PADDING;
    left += width;
    return [name, { x, align, widthMax: width - 2 * PADDING }];
  });
  return Object.fromEntries(entries) as Record<
    ColumnName,
    { x: number; align: "left" | "right"; widthMax: number }
  >;
}

/** Draws every line, awaiting `pause` after each so that a long document does not block others. */
export async function drawLineTable(sheet: Sheet, pause: () => Promise<void>): Promise<void> {
  const { lines } = sheet.paper;
  const carried = { net: 0, vat: 0 };
  for (const [index, line] of lines.entries()) {
    const cells = fitCells(sheet, line, index + 1);
    const height = heightOf(cells);
    const isLast = index === lines.length - 1;
    const needed = height + (isLast ? 0 : CARRY_HEIGHT);
    if (index === 0) {
      // The head stays on the page of the first line.
      sheet.ensure(headHeight(sheet) + needed);
      drawHead(sheet);
    } else if (sheet.y + needed > PAGE.bottom) {
      drawCarry(sheet, "carriedForward", carried);
      sheet.beginPage();
      drawHead(sheet);
      drawCarry(sheet, "broughtForward", carried);
    }
    drawLine(sheet, cells, height);
    carried.net += line.net;
    carried.vat += line.vat;
    await pause();
  }
}

function headHeight({ wording }: Sheet): number {
  return wording.language === undefined ? 27 : 18;
}

function drawHead(sheet: Sheet): void {
  const { canvas, wording, accent, onAccent } = sheet;
  const height = headHeight(sheet);
  canvas.fill(PAGE.left, sheet.y, PAGE.right - PAGE.left, height, accent);
  for (const [key, { name }] of Object.entries(COLUMNS)) {
    const { x, ...place } = PLACES[key as ColumnName];
    const { first, second } = wording.stack(LABELS[name]);
    canvas.text(first, x, sheet.y + 12, { ...place, size: 8, bold: true, color: onAccent });
    if (second !== undefined) canvas.text(second, x, sheet.y + 22, { ...place, size: 7, color: onAccent });
  }
  sheet.y += height;
}

type Cells = Readonly<Record<ColumnName, Fitted>>;

function fitCells({ canvas, paper, wording }: Sheet, line: PaperLine, position: number): Cells {
  const fit = (name: ColumnName, text: string) => canvas.fit(text, PLACES[name].widthMax, { size: SIZE });
  const { widthMax } = PLACES.description;
  return {
    position: fit("position", String(position)),
    description: {
      lines: canvas.wrap(line.description, widthMax, { size: SIZE }),
      width: widthMax,
      style: { size: SIZE },
    },
    quantity: fit("quantity", formatGreekQuantity(line.quantity)),
    unit: fit("unit", wording.stack(UNIT_WORDS[line.unit]).first),
    unitPrice: fit("unitPrice", formatGreekNumber(line.unit_price)),
    net: fit("net", formatGreekNumber(line.net)),
    vatRate: fit("vatRate", rateText(paper, line)),
    vat: fit("vat", formatGreekNumber(line.vat)),
  };
}

function heightOf(cells: Cells): number {
  return Math.max(...Object.values(cells).map(({ lines }) => lines.length)) * LINE_HEIGHT + 6;
}

function drawLine(sheet: Sheet, cells: Cells, height: number): void {
  const { canvas } = sheet;
  for (const [name, cell] of Object.entries(cells)) {
    const { x, align } = PLACES[name as ColumnName];
    canvas.draw(cell, x, sheet.y + 11, LINE_HEIGHT, align);
  }
  sheet.y += height;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: RULE, width: 0.4 });
}

/** `24`; or `0 (14)`, with the cause's number in the VAT analysis, where lines are exempt for several causes. */
function rateText(paper: Paper, { vat_category: category, vat_exemption: cause }: PaperLine): string {
  const rate = String(VAT_CATEGORIES[category].ratePercent);
  const causes = paper.vatRows.filter(({ exemption }) => exemption !== undefined).length;
  return cause === undefined || causes < 2 ? rate : `${rate} (${cause})`;
}

/** Draws the sums (cents) of the lines above. */
function drawCarry(
  sheet: Sheet,
  label: "carriedForward" | "broughtForward",
  { net, vat }: { net: number; vat: number },
): void {
  const { canvas, wording } = sheet;
  const baseline = sheet.y + 12;
  const style = { size: 8, bold: true, color: PALE };
  canvas.text(wording.label(label), PLACES.description.x, baseline, style);
  // The columns to their left are empty.
  const { unitPrice, net: netColumn, vatRate, vat: vatColumn } = COLUMNS;
  for (const [name, cents, width] of [
    ["net", net, unitPrice.width + netColumn.width],
    ["vat", vat, vatRate.width + vatColumn.width],
  ] as const) {
    const widthMax = width - 2 * PADDING;
    canvas.text(formatGreekNumber(cents), PLACES[name].x, baseline, { ...style, align: "right", widthMax });
  }
  sheet.y += CARRY_HEIGHT;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: RULE, width: 0.4 });
}
