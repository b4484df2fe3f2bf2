/**
 * Series and numbers (decisions 6). A number is allotted in the transaction that moves its document to `submitting`, in
 * order of acceptance; the lowest released one comes first. What happened to every number stays on record: on its
 * document, or as a fate of its own.
 */
import { isNumberInUse } from "../../storage/documents.ts";
import { findHold } from "../../storage/held.ts";
import type { Mode } from "../../storage/stored-values.ts";
import {
  type CounterKey,
  dropNumberFate,
  findReleased,
  findSeries,
  insertSeries,
  keepNumberFate,
  type SeriesRow,
  setSeriesNumbers,
} from "../../storage/series.ts";
import type { Transaction } from "../../storage/write.ts";
import { NUMBER_MAX } from "../domain/series.ts";
import { ASKS_AFTER_RESTORE, NEW_COUNTER_ASKS_MS } from "../domain/polling.ts";

/** The counter's row; made with `start` as its first number when it is not there. */
async function openCounter(trx: Transaction, key: CounterKey, start: number): Promise<SeriesRow> {
  const known = await findSeries(trx, key);
  if (known !== undefined) return known;
  const numbers = { first_number: start, next_number: start, asks_left: await asksOfNewCounter(trx) };
  const row: SeriesRow = { id: trx.newId("ser"), ...key, ...numbers };
  await insertSeries(trx, row);
  return row;
}

/** A counter that is new here may have been begun by the appliance that the backup was taken of. */
async function asksOfNewCounter(trx: Transaction): Promise<number> {
  const { resumedAt } = await findHold(trx);
  const isLate = resumedAt === null || trx.clockMs - Date.parse(resumedAt) > NEW_COUNTER_ASKS_MS;
  return isLate ? 0 : ASKS_AFTER_RESTORE;
}

/** How many numbers of the counter must still be found unused before one is sent unasked; 0 where none. */
export async function findAsksLeft(trx: Transaction, key: CounterKey): Promise<number> {
  return (await findSeries(trx, key))?.asks_left ?? asksOfNewCounter(trx);
}

/**
 * Allots `count` numbers, rising: first those released, then new ones; fewer where the series has no more. `start` is the next number that the merchant's
 * settings ask for: a counter below it moves up to it, and the numbers between are passed over.
 */
export async function allotNumbers(
  trx: Transaction,
  key: CounterKey,
  count: number,
  start: number,
): Promise<number[]> {
  const counter = await advanceCounter(trx, key, start, "the settings of the merchant");
  const released = await findReleased(trx, counter.id, count);
  for (const { number } of released) await dropNumberFate(trx, counter.id, number);
  const numbers = released.map(({ number }) => number);
  let next = counter.next_number;
  while (numbers.length < count && next <= NUMBER_MAX) {
    // A number given with a document moves the counter past it, so that none above is in use: asked all the same,
    // because the unique index would refuse the whole claim, again and again.
    if (!(await isNumberInUse(trx, key, next))) numbers.push(next);
    next += 1;
  }
  if (next !== counter.next_number) await setSeriesNumbers(trx, counter.id, counter.first_number, next);
  return numbers;
}

/** Moves the counter up to `next` where it stands below; a counter that has not been used begins there. */
export async function advanceCounter(
  trx: Transaction,
  key: CounterKey,
  next: number,
  by: string,
): Promise<SeriesRow> {
  const counter = await openCounter(trx, key, next);
  if (counter.next_number >= next) return counter;
  const isUnused = counter.next_number === counter.first_number;
  if (!isUnused) {
    await keepNumberFate(trx, {
      series_id: counter.id,
      number: counter.next_number,
      through: next - 1,
      state: "passed",
      document_id: null,
      reason: `passed over by ${by}`,
      at: trx.now,
    });
  }
  const first = isUnused ? next : counter.first_number;
  await setSeriesNumbers(trx, counter.id, first, next);
  return { ...counter, first_number: first, next_number: next };
}

/** A document was accepted with `number`: the counter goes on from the highest. The unique index refuses a second use. */
export async function takeGivenNumber(trx: Transaction, key: CounterKey, number: number): Promise<void> {
  const counter = await advanceCounter(trx, key, number, "a number given with a document");
  await dropNumberFate(trx, counter.id, number);
  if (counter.next_number === number)
    await setSeriesNumbers(trx, counter.id, counter.first_number, number + 1);
}

/** How the reason of a number begins that another document has at the provider; its MARK may follow. */
export const HELD_BY_ANOTHER = "the provider holds it for another document";

/** A number that its document gives up. */
export interface GivenUp {
  key: CounterKey;
  number: number;
  /** `released` is used by the next document of the counter, the others never. */
  state: "released" | "abandoned" | "passed";
  documentId: string;
  reason: string;
}

export async function giveUpNumber(trx: Transaction, given: GivenUp): Promise<void> {
  const counter = await openCounter(trx, given.key, given.number);
  await keepNumberFate(trx, {
    series_id: counter.id,
    number: given.number,
    through: given.number,
    state: given.state,
    document_id: given.documentId,
    reason: given.reason,
    at: trx.now,
  });
}

/** The counter of a document; undefined where the provider has yet to number it. */
export function counterOf(document: {
  supplier: string;
  branch: number;
  type: string;
  series: string | null;
  mode: Mode;
}): CounterKey | undefined {
  const { supplier, branch, type, series, mode } = document;
  return series === null ? undefined : { supplier, branch, type, series, mode };
}
