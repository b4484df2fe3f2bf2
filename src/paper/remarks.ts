/** Draws the document's notes and the merchant's bank accounts, below the summary. */
import type { LabelName } from "./labels.ts";
import type { Paper } from "./paper.ts";
import { drawTableTitle } from "./totals.ts";
import { CONTENT_WIDTH, PAGE, type Sheet } from "./sheet.ts";

const TEXT = { size: 8.5 } as const;
const LINE_HEIGHT = 11.5;
const TITLE_HEIGHT = 18;
const SPACE_BELOW = 10;

/** Notes and accounts, each with its title; without what is empty. A credit note is not paid, so it has no accounts. */
export function remarksOf(paper: Paper): { title: LabelName; texts: string[] }[] {
  const { notes, stationery, isCreditNote } = paper;
  const accounts = (isCreditNote ? [] : stationery.bankAccounts).map(
    ({ bank, iban }) => `${bank}: ${spacedIban(iban)}`,
  );
  return [
    ...(notes === undefined ? [] : [{ title: "notes" as const, texts: notes.split("\n") }]),
    ...(accounts.length === 0 ? [] : [{ title: "bankAccounts" as const, texts: accounts }]),
  ];
}

/** Lays them out for A4. */
export function layOutRemarks(sheet: Sheet): { height: number; draw(): void } {
  const { canvas, paper, wording } = sheet;
  const parts = remarksOf(paper).map(({ title, texts }) => ({
    title: wording.label(title),
    lines: texts.flatMap((text) => canvas.wrap(text, CONTENT_WIDTH, TEXT)),
  }));
  return {
    height: parts.reduce((sum, { lines }) => sum + heightOf(lines), 0),
    draw() {
      for (const { title, lines } of parts) {
        sheet.ensure(heightOf(lines.slice(0, 1)));
        drawTableTitle(canvas, title, { x: PAGE.left, right: PAGE.right, y: sheet.y });
        sheet.y += TITLE_HEIGHT;
        for (const line of lines) {
          sheet.ensure(LINE_HEIGHT);
          canvas.text(line, PAGE.left, sheet.y + 8, TEXT);
          sheet.y += LINE_HEIGHT;
        }
        sheet.y += SPACE_BELOW;
      }
    },
  };
}

function heightOf(lines: readonly string[]): number {
  return TITLE_HEIGHT + lines.length * LINE_HEIGHT + SPACE_BELOW;
}

/** `GR16 0110 1250 0000 0001 2300 695`, as banks print it. */
function spacedIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/g, "$1 ");
}
