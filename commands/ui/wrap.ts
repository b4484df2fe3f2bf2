/** Gives the long texts of a table several lines each, so that it is as wide as its place and no word is lost. */
import { displayWidth } from "./fit.ts";

/** What a wrapped column keeps of itself, its padding included: less is no word any more. */
const WRAPPED_WIDTH_MIN = 14;
/** Of cells: a space on each side. */
const PADDING = 2;

/**
 * The widths of framed columns, padding included, that make the table `width` columns wide; undefined where it fits as it is.
 * `natural` are the widths that the cells want without padding; of the columns that wrap, the widest gives way first.
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

/** cli-table3 wraps between words only, and cuts a longer one off: those are broken here. `width` includes padding. */
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

/** Where no table fits: a line a cell behind its head, and a blank line behind each row. */
export function stackRows(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = Math.max(...heads.map(displayWidth));
  const names = heads.map((head) => head + " ".repeat(width - displayWidth(head)));
  const items = rows.map((row) => row.map((cell, at) => `${names[at] ?? ""}  ${cell}`.trimEnd()));
  return items.map((lines) => `${lines.join("\n")}\n\n`).join("");
}
