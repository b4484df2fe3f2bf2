/** Draws the table of lines over as many pages as necessary, each with a head and the sums carried forward. */
import { PALE, RULE } from "./canvas.ts";
import { UNIT_WORDS } from "./code-names.ts";
import { formatGreekNumber, formatGreekQuantity } from "./paper-format.ts";
import { LABELS, type LabelName } from "./labels.ts";
import type { PaperLine } from "./paper.ts";
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
    const description = sheet.canvas.wrap(line.description, PLACES.description.widthMax, { size: SIZE });
    const height = description.length * LINE_HEIGHT + 6;
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
    drawLine(sheet, line, { position: index + 1, description, height });
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

function drawLine(
  sheet: Sheet,
  line: PaperLine,
  row: { position: number; description: readonly string[]; height: number },
): void {
  const { canvas, wording } = sheet;
  const cells: Record<Exclude<ColumnName, "description">, string> = {
    position: String(row.position),
    quantity: formatGreekQuantity(line.quantity),
    unit: wording.stack(UNIT_WORDS[line.unit]).first,
    unitPrice: formatGreekNumber(line.unit_price),
    net: formatGreekNumber(line.net),
    vatRate: rateText(sheet, line),
    vat: formatGreekNumber(line.vat),
  };
  const baseline = sheet.y + 11;
  for (const [name, text] of Object.entries(cells)) {
    const { x, ...place } = PLACES[name as ColumnName];
    canvas.text(text, x, baseline, { ...place, size: SIZE, whole: true });
  }
  for (const [index, text] of row.description.entries())
    canvas.text(text, PLACES.description.x, baseline + index * LINE_HEIGHT, { size: SIZE });
  sheet.y += row.height;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: RULE, width: 0.4 });
}

/** `24`; or `0 (14)`, with the cause's number in the VAT analysis, where lines are exempt for several causes. */
function rateText({ paper }: Sheet, { vat_category: category, vat_exemption: cause }: PaperLine): string {
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
  const style = { size: 8, bold: true, color: PALE, whole: true };
  canvas.text(wording.label(label), PLACES.description.x, baseline, style);
  for (const [name, cents] of [
    ["net", net],
    ["vat", vat],
  ] as const) {
    const { x, ...place } = PLACES[name];
    canvas.text(formatGreekNumber(cents), x, baseline, { ...place, ...style });
  }
  sheet.y += CARRY_HEIGHT;
  canvas.line(PAGE.left, sheet.y, PAGE.right, sheet.y, { color: RULE, width: 0.4 });
}
