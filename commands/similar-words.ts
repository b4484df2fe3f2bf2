/** Finds the known words that a mistyped word probably meant. */

/** More typing errors than this are another word. */
const DISTANCE_MAX = 3;
/** At most this share of the letters may differ. */
const DIFFERENCE_MAX = 0.6;

/** The words of `known` nearest to `word`; empty if none is near. */
export function findSimilar(word: string, known: readonly string[]): string[] {
  const near = [...new Set(known)]
    .map((candidate) => ({ candidate, distance: editDistance(bare(word), bare(candidate)) }))
    .filter(
      ({ candidate, distance }) =>
        distance <= DISTANCE_MAX &&
        distance < DIFFERENCE_MAX * Math.max(bare(word).length, bare(candidate).length),
    );
  const least = Math.min(...near.map(({ distance }) => distance));
  return near
    .filter(({ distance }) => distance === least)
    .map(({ candidate }) => candidate)
    .sort();
}

/** Every flag has the dashes. */
function bare(word: string): string {
  return word.replace(/^--/, "");
}

/** Insertions, deletions, substitutions and swaps of neighbours that turn `left` into `right` (optimal string alignment). */
function editDistance(left: string, right: string): number {
  const rows = [Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    const above = rows[i - 1] ?? [];
    for (let j = 1; j <= right.length; j += 1) {
      const isSame = left[i - 1] === right[j - 1];
      const isSwap = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows[left.length]?.[right.length] ?? 0;
}
