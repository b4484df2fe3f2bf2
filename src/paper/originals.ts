/** Draws the list of documents that a credit note corrects. */
import { PALE } from "./canvas.ts";
import { formatGreekDay, type Wording } from "./labels.ts";
import type { PaperOriginal } from "./paper.ts";
import { CONTENT_WIDTH, PAGE, type Sheet } from "./sheet.ts";

const SIZE = 8.5;
const LINE_HEIGHT = 12;

export function describeOriginal(
  { mark, seriesAndNumber, issueDate }: PaperOriginal,
  wording: Wording,
): string {
  const named = `${wording.label("mark")} ${mark}`;
  if (seriesAndNumber === null || issueDate === null) return named;
  return `${seriesAndNumber}, ${formatGreekDay(issueDate)}, ${named}`;
}

/** Up to this many get a line each; more are printed as one paragraph. */
const OWN_LINE_MAX = 6;

/** Up to a thousand. */
export function drawOriginals(sheet: Sheet): void {
  const { canvas, paper, wording } = sheet;
  if (paper.originals.length === 0) return;
  sheet.ensure(14 + 2 * LINE_HEIGHT);
  canvas.text(wording.label("corrects"), PAGE.left, sheet.y + 8, { size: 8, color: PALE });
  sheet.y += 12;
  const texts = paper.originals.map((original) => describeOriginal(original, wording));
  const paragraphs = texts.length <= OWN_LINE_MAX ? texts : [texts.join(" · ")];
  for (const line of paragraphs.flatMap((text) => canvas.wrap(text, CONTENT_WIDTH, { size: SIZE }))) {
    sheet.ensure(LINE_HEIGHT);
    canvas.text(line, PAGE.left, sheet.y + 9, { size: SIZE });
    sheet.y += LINE_HEIGHT;
  }
  sheet.y += 8;
}
