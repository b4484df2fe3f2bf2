/** Computes column widths that fit a table to the screen. */

/** A narrower cell is unreadable. */
const CELL_MIN = 6;

/** The terminal columns that `text` takes: combining marks none, wide Asian letters and emoji two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const letter of text) {
    if (/\p{Mark}/u.test(letter)) continue;
    width += WIDE.test(letter) ? 2 : 1;
  }
  return width;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/**
 * Returns cell widths with a sum of at most `available`, or undefined if the `natural` widths already fit. Columns of a lower
 * rank shrink first; those of a higher rank only when that is not enough.
 */
export function fitColumns(
  natural: readonly number[],
  ranks: readonly number[],
  available: number,
): number[] | undefined {
  if (sum(natural) <= available) return undefined;
  for (const rank of [...new Set(ranks)].sort((left, right) => left - right)) {
    const yields = ranks.map((own) => own <= rank);
    const yielding = natural.filter((_width, index) => yields[index] === true);
    const left = available - sum(natural) + sum(yielding);
    if (left < sum(yielding.map((width) => Math.min(width, CELL_MIN)))) continue;
    const narrowed = share(yielding, left);
    return natural.map((width, index) => (yields[index] === true ? (narrowed.shift() ?? width) : width));
  }
  return share(natural, available);
}

/** Narrow columns keep their width, the others share the rest equally. No width is below 1. */
function share(wanted: readonly number[], available: number): number[] {
  const widths = [...wanted];
  const open = new Set(wanted.keys());
  let left = available;
  for (;;) {
    const part = Math.floor(left / Math.max(1, open.size));
    const content = [...open].filter((index) => (wanted[index] ?? 0) <= part);
    if (content.length === 0) {
      for (const index of open) widths[index] = Math.max(1, part);
      return widths;
    }
    for (const index of content) {
      left -= wanted[index] ?? 0;
      open.delete(index);
    }
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
