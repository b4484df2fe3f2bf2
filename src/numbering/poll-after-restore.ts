/**
 * Polls the provider before sending, after a restore: the appliance that the backup came from went on working, and what it
 * issued since is unknown here. A document takes its number, is looked up under it, and is sent only once it is certainly
 * absent. A counter is trusted again after several numbers in a row were unused (docs/backup.md).
 */
import type { DocumentRow } from "../../storage/documents/documents.ts";
import {
  queryBeforeSend,
  getAppliance,
  isCounterBeingQueried,
  markForQueries,
  setQueriesLeft,
} from "../../storage/upkeep/appliance-state.ts";
import { postpone } from "../../storage/documents/document-queue.ts";
import { type CounterKey, counterOf, findSeries } from "../../storage/documents/series.ts";
import type { DocumentPhase } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";

/** How many numbers of a counter in a row must be unused at the provider before the next is sent without a poll. */
const POLLS_AFTER_RESTORE = 5;

/** A counter opened later than this after the restore cannot have been opened by the other appliance as well. */
const NEW_COUNTER_POLLS_MS = 30 * 86_400_000;

/** A counter's numbers are polled one at a time: the pause before the next document is considered again. */
const TURN_MS = 2000;

/** `first`: must be polled before it is sent. `done`: was polled and may be sent. Null: only this appliance can have sent it. */
export type PollBeforeSend = "first" | "done" | null;

/** A document before a move. */
interface Before {
  phase: DocumentPhase;
  asking: PollBeforeSend;
}

interface Move {
  phase: DocumentPhase;
  isNumberGivenUp: boolean;
}

/** Whether the document must be polled before its next send. A new number must be polled again. */
export function nextPollBeforeSend(before: Before, move: Move): PollBeforeSend {
  if (before.asking === null) return null;
  if (move.isNumberGivenUp) return "first";
  return wasFoundUnused(before, move) ? "done" : before.asking;
}

/** How many numbers of the counter are still to be polled after the move; undefined if the move reveals nothing. */
export function pollsLeftAfter(pollsLeft: number, before: Before, move: Move): number | undefined {
  if (before.asking !== "first" || before.phase !== "reconciling" || move.phase === "reconciling")
    return undefined;
  // A number found in use shows that the other appliance came this far, and perhaps further.
  return wasFoundUnused(before, move) ? Math.max(0, pollsLeft - 1) : POLLS_AFTER_RESTORE;
}

/** The provider was polled often and long enough, and does not have the document. */
function wasFoundUnused(before: Before, move: Move): boolean {
  const isBack = move.phase === "queued" || move.phase === "failed";
  return before.asking === "first" && before.phase === "reconciling" && isBack && !move.isNumberGivenUp;
}

/** Marks what another appliance may have sent: documents without an outcome, and every counter. */
export async function requirePollsAfterRestore(trx: Transaction): Promise<void> {
  await markForQueries(trx, POLLS_AFTER_RESTORE);
}

/** How many numbers of a counter that is opened now must be polled. */
export async function pollsOfNewCounter(trx: Transaction): Promise<number> {
  const { resumed_at: resumedAt } = await getAppliance(trx);
  const isSafe = resumedAt === null || trx.clockMs - Date.parse(resumedAt) > NEW_COUNTER_POLLS_MS;
  return isSafe ? 0 : POLLS_AFTER_RESTORE;
}

/** Stores what a move revealed about the document's counter. */
export async function recordPoll(trx: Transaction, before: DocumentRow, move: Move): Promise<void> {
  if (before.asking !== "first" || before.provider_numbered === 1) return;
  const key = counterOf(before);
  const counter = key === undefined ? undefined : await findSeries(trx, key);
  if (counter === undefined) return;
  const pollsLeft = pollsLeftAfter(counter.asks_left, before, move);
  if (pollsLeft !== undefined && pollsLeft !== counter.asks_left)
    await setQueriesLeft(trx, { id: counter.id, asks_left: pollsLeft });
}

/**
 * Returns the due documents whose turn it is, and reschedules the others. While a counter is being polled its documents
 * take their numbers one at a time: two at once could each take a number that the other appliance used.
 */
export async function filterInTurn<Due extends { row: DocumentRow }>(
  trx: Transaction,
  dueNow: readonly Due[],
): Promise<Due[]> {
  const inTurn: Due[] = [];
  const taken = new Set<string>();
  const later = new Date(trx.clockMs + TURN_MS).toISOString();
  for (const one of dueNow) {
    const { row } = one;
    const counter = row.number === null ? await findPolledCounter(trx, row) : undefined;
    if (counter !== undefined) {
      const name = JSON.stringify(counter);
      if (taken.has(name) || (await isCounterBeingQueried(trx, { ...counter, provider: row.provider }))) {
        await postpone(trx, { id: row.id, next_at: later });
        continue;
      }
      taken.add(name);
    }
    inTurn.push(one);
  }
  return inTurn;
}

/** Returns the claimed documents that may be sent as they are, and moves the others, numbered by now, to `reconciling`. */
export async function filterSendable<Claimed extends { row: DocumentRow }>(
  trx: Transaction,
  claimed: readonly Claimed[],
): Promise<Claimed[]> {
  const sendable: Claimed[] = [];
  for (const one of claimed) {
    const { row } = one;
    if (!(await mustPoll(trx, row))) {
      sendable.push(one);
      continue;
    }
    const now = new Date(trx.clockMs).toISOString();
    await queryBeforeSend(trx, { id: row.id, now, due: now });
  }
  return sendable;
}

async function mustPoll(trx: Transaction, row: DocumentRow): Promise<boolean> {
  // The sandbox's ledger was restored with the database and contains nothing that is unknown here.
  if (row.provider === "sandbox" || row.asking === "done") return false;
  if (row.asking === "first") return true;
  return (await findPolledCounter(trx, row)) !== undefined;
}

/** The document's counter if its next numbers must be polled; undefined otherwise, and if the provider numbers. */
async function findPolledCounter(trx: Transaction, row: DocumentRow): Promise<CounterKey | undefined> {
  if (row.provider === "sandbox" || row.provider_numbered === 1) return undefined;
  const key = counterOf(row);
  if (key === undefined) return undefined;
  const pollsLeft = (await findSeries(trx, key))?.asks_left ?? (await pollsOfNewCounter(trx));
  return pollsLeft > 0 ? key : undefined;
}
