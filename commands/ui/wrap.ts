/** Wraps long texts in table columns, so that the table fits and no text is cut. */
import { clustersOf, displayWidth, padEnd } from "./fit.ts";

/** Narrower columns would split most words. */
const WRAPPED_WIDTH_MIN = 12;
/** A framed cell has a space on both sides and a line. */
const FRAMED_CELL = 3;

/**
 * Returns the cell widths of a framed table that is at most `width` wide, or undefined if it does not fit. `natural` are the widths
 * without wrapping. The widest wrapping column shrinks first.
 */
export function frameWidths(
  natural: readonly number[],
  wraps: readonly boolean[],
  width: number,
): number[] | undefined {
  const widths = [...natural];
  let excess = natural.reduce((sum, one) => sum + one + FRAMED_CELL, 1) - width;
  for (; excess > 0; excess -= 1) {
    const widest = widths.reduce(
      (best, one, at) => (wraps[at] === true && one > (widths[best] ?? 0) ? at : best),
      wraps.indexOf(true),
    );
    const now = widths[widest];
    if (now === undefined || now <= WRAPPED_WIDTH_MIN) return undefined;
    widths[widest] = now - 1;
  }
  return widths;
}

/** The words of `text` in lines of at most `width` columns. A longer word is split between characters. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ").flatMap((whole) => piecesOf(whole, width))) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && displayWidth(longer) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function piecesOf(word: string, width: number): string[] {
  if (displayWidth(word) <= width) return [word];
  const pieces = [""];
  for (const cluster of clustersOf(word)) {
    const last = pieces.length - 1;
    if (displayWidth(pieces[last] + cluster) > width) pieces.push(cluster);
    else pieces[last] += cluster;
  }
  return pieces;
}

/** For screens too narrow for a table: one line per cell with its head, and a blank line after each row. */
export function stackRows(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = Math.max(...heads.map(displayWidth));
  const names = heads.map((head) => padEnd(head, width));
  const items = rows.map((row) => row.map((cell, at) => `${names[at] ?? ""}  ${cell}`.trimEnd()));
  return items.map((lines) => `${lines.join("\n")}\n\n`).join("");
}
