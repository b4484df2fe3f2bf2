/** Wraps long texts in table columns, so that the table fits and no text is cut. */
import { displayWidth } from "./fit.ts";

/** With padding. Narrower columns would split most words. */
const WRAPPED_WIDTH_MIN = 14;
/** A space on each side of a cell. */
const PADDING = 2;

/**
 * Returns widths of framed columns, including padding, for a table `width` wide, or undefined if it already fits. `natural`
 * are the cell widths without padding. The widest wrapping column shrinks first.
 */
export function wrapColumns(
  natural: readonly number[],
  wraps: readonly boolean[],
  width: number,
): number[] | undefined | "too narrow" {
  const widths = natural.map((one) => one + PADDING);
  const borders = natural.length + 1;
  let excess = widths.reduce((sum, one) => sum + one, borders) - width;
  if (excess <= 0) return undefined;
  for (; excess > 0; excess -= 1) {
    const widest = widths.reduce(
      (best, one, at) => (wraps[at] === true && one > (widths[best] ?? 0) ? at : best),
      wraps.indexOf(true),
    );
    const now = widths[widest];
    if (now === undefined || now <= WRAPPED_WIDTH_MIN) return "too narrow";
    widths[widest] = now - 1;
  }
  return widths;
}

/** Splits words longer than the column, which cli-table3 would cut off. `width` includes padding. */
export function breakWords(cell: string, width: number): string {
  const longest = width - PADDING;
  return cell
    .split(" ")
    .map((word) => (displayWidth(word) > longest ? piecesOf(word, longest).join(" ") : word))
    .join(" ");
}

function piecesOf(word: string, longest: number): string[] {
  const pieces = [""];
  for (const letter of word) {
    const last = pieces.length - 1;
    if (displayWidth(pieces[last] + letter) > longest) pieces.push(letter);
    else pieces[last] += letter;
  }
  return pieces;
}

/** For screens too narrow for a table: one line per cell with its head, and a blank line after each row. */
export function stackRows(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = Math.max(...heads.map(displayWidth));
  const names = heads.map((head) => head + " ".repeat(width - displayWidth(head)));
  const items = rows.map((row) => row.map((cell, at) => `${names[at] ?? ""}  ${cell}`.trimEnd()));
  return items.map((lines) => `${lines.join("\n")}\n\n`).join("");
}
