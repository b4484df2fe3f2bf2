/**
 * After a restore the provider is asked before anything is sent: the appliance that the backup was taken of went on, and what
 * it filed since is unknown here. A document takes its number, is looked for under it, and is sent only once it is certainly
 * not there (docs/backup.md). Pure.
 */
import type { DocumentPhase } from "../../storage/stored-values.ts";

/** So many numbers of a counter in a row must be unknown to the provider before the next is sent unasked. */
export const ASKS_AFTER_RESTORE = 5;

/** A counter that is begun later than this was not begun by the other appliance before. */
export const NEW_COUNTER_ASKS_MS = 30 * 86_400_000;

/** `first`: to be asked about before it is sent. `done`: it was, and may be sent. Null: nobody else can have sent it. */
export type Asking = "first" | "done" | null;

/** Where a document stands after a move. With another number it is another question. */
export function nextAsking(
  before: { phase: DocumentPhase; asking: Asking },
  move: { phase: DocumentPhase; isNumberGivenUp: boolean },
): Asking {
  if (before.asking === null) return null;
  if (move.isNumberGivenUp) return "first";
  return wasFoundUnused(before, move) ? "done" : before.asking;
}

/** The provider was asked long and often enough, and has it not. */
function wasFoundUnused(
  before: { phase: DocumentPhase; asking: Asking },
  move: { phase: DocumentPhase; isNumberGivenUp: boolean },
): boolean {
  const isBack = move.phase === "queued" || move.phase === "failed";
  return before.asking === "first" && before.phase === "reconciling" && isBack && !move.isNumberGivenUp;
}

/** How many numbers of the counter are still to be asked about; undefined where the move says nothing of it. */
export function asksLeftAfter(
  asksLeft: number,
  before: { phase: DocumentPhase; asking: Asking },
  move: { phase: DocumentPhase; isNumberGivenUp: boolean },
): number | undefined {
  if (before.asking !== "first" || before.phase !== "reconciling" || move.phase === "reconciling")
    return undefined;
  // Found: the other appliance came this far, and perhaps further.
  return wasFoundUnused(before, move) ? Math.max(0, asksLeft - 1) : ASKS_AFTER_RESTORE;
}
