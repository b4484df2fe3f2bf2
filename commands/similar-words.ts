/** Finds the known words that a mistyped word probably meant. */
import { distance as editDistance } from "fastest-levenshtein";

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
