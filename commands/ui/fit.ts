/** Chooses the columns of a table, and their widths, so that it fits the screen. */
import stringWidth from "string-width";

/** Letters and signs that all take one column, such as English and Greek without combining marks. */
const NARROW = /^[ -~\u00c0-\u00ff\u0370-\u03ff\u1f00-\u1fff\u2013\u2026\u20ac]*$/;

/** The terminal columns that `text` takes: combining marks none, wide Asian letters and emoji two. */
export function displayWidth(text: string): number {
  // Compiling the expression for emoji takes milliseconds.
  return NARROW.test(text) ? text.length : stringWidth(text);
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

/** Created when it is needed, because it reads the data of all languages first. */
let clusters: Intl.Segmenter | undefined;

/** What a reader sees as single characters: a letter with its accents, an emoji of several code points. */
function clustersOf(text: string): string[] {
  clusters ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(clusters.segment(text), ({ segment }) => segment);
}

/** `text` in at most `width` columns, ending in `…` if it is longer. */
export function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = "";
  for (const cluster of clustersOf(text)) {
    if (displayWidth(kept + cluster) > width - 1) break;
    kept += cluster;
  }
  return `${kept.trimEnd()}…`;
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

export interface ColumnSpace {
  /** The width at which nothing is shortened. */
  wanted: number;
  /** The smallest useful width. */
  least: number;
  /** Columns are left out in this order, 1 first; one without is always shown. */
  leaveOut?: number | undefined;
}

/**
 * Returns the width of each column, 0 if it is left out, so that they take at most `available`, with `gap` between two of them.
 * Columns shrink before one is left out. Undefined if even the columns that are always shown do not fit.
 */
export function fitColumns(
  columns: readonly ColumnSpace[],
  available: number,
  gap: number,
): number[] | undefined {
  const orders = new Set(columns.flatMap(({ leaveOut }) => leaveOut ?? []));
  for (const limit of [0, ...[...orders].sort((left, right) => left - right)]) {
    const isShown = ({ leaveOut = Number.POSITIVE_INFINITY }: ColumnSpace) => leaveOut > limit;
    const shown = columns.filter(isShown);
    const space = available - gap * (shown.length - 1);
    if (sum(shown.map(({ least }) => least)) > space) continue;
    const widths = growTo(shown, space);
    return columns.map((column) => (isShown(column) ? (widths.shift() ?? 0) : 0));
  }
  return undefined;
}

/** Distributes `space` over the columns: the one that is furthest from its wanted width grows first. */
function growTo(columns: readonly ColumnSpace[], space: number): number[] {
  const widths = columns.map(({ least }) => least);
  const missing = (at: number) => (columns[at]?.wanted ?? 0) - (widths[at] ?? 0);
  for (let left = space - sum(widths); left > 0; left -= 1) {
    const next = [...widths.keys()].reduce((best, at) => (missing(at) > missing(best) ? at : best), 0);
    if (missing(next) <= 0) break;
    widths[next] = (widths[next] ?? 0) + 1;
  }
  return widths;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
