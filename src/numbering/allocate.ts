/** Allocates numbers (docs/contract.md#numbers), in the transaction that moves their documents to `submitting`. */
import {
  findNumbersInUse,
  type CounterKey,
  deleteNumberFate,
  findNumbersWithFate,
  findReleased,
  findSeries,
  upsertNumberFate,
  type SeriesRow,
  setSeriesNumbers,
} from "../../storage/documents/series.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { NUMBER_MAX } from "../domain/series.ts";
import { pollsOfNewCounter } from "./poll-after-restore.ts";

/** Returns the counter's row; creates it with `start` as its first number if it does not exist. */
async function openCounter(trx: Transaction, key: CounterKey, start: number): Promise<SeriesRow> {
  const existing = await findSeries(trx, key);
  if (existing !== undefined) return existing;
  const numbers = { first_number: start, next_number: start, asks_left: await pollsOfNewCounter(trx) };
  const row: SeriesRow = { id: trx.newId("ser"), ...key, ...numbers };
  await trx.insertRows({ series: [row] });
  return row;
}

/**
 * Allocates `count` rising numbers: released ones first, lowest first, then new ones; fewer if the series runs out. `start` is
 * the next number that the merchant's settings request: a lower counter moves up to it and skips the numbers between.
 */
export async function allocateNumbers(
  trx: Transaction,
  key: CounterKey,
  count: number,
  start: number,
): Promise<number[]> {
  const counter = await advanceCounter(trx, key, start, "the settings of the merchant");
  const released = await findReleased(trx, { seriesId: counter.id, limit: count });
  for (const { number } of released) await deleteNumberFate(trx, counter.id, number);
  const numbers = released.map(({ number }) => number);
  let next = counter.next_number;
  while (numbers.length < count && next <= NUMBER_MAX) {
    // A number given with a document moves the counter past it, so no higher number should be in use. Checked all the same:
    // the unique index would reject the whole claim, again and again.
    const last = Math.min(next + count - numbers.length - 1, NUMBER_MAX);
    const inUse = new Set(await findNumbersInUse(trx, { ...key, first: next, last }));
    for (; next <= last; next += 1) if (!inUse.has(next)) numbers.push(next);
  }
  if (next !== counter.next_number) await setSeriesNumbers(trx, { ...counter, next_number: next });
  return numbers;
}

/** Moves the counter up to `next` if it is lower. A counter that has not been used starts there. */
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
    await upsertNumberFate(trx, {
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
  await setSeriesNumbers(trx, { id: counter.id, first_number: first, next_number: next });
  return { ...counter, first_number: first, next_number: next };
}

/** Records that documents of a counter were accepted with their own numbers. The unique index rejects a second use. */
export async function takeGivenNumbers(
  trx: Transaction,
  key: CounterKey,
  numbers: readonly [number, ...number[]],
): Promise<void> {
  let counter = await openCounter(trx, key, numbers[0]);
  let next = counter.next_number;
  const withFate = new Set(await findNumbersWithFate(trx, counter.id, numbers));
  let hasSkipped = false;
  const saveNext = async () => {
    if (next !== counter.next_number) await setSeriesNumbers(trx, { ...counter, next_number: next });
  };
  for (const number of numbers) {
    if (number > next) {
      await saveNext();
      counter = await advanceCounter(trx, key, number, "a number given with a document");
      next = counter.next_number;
      hasSkipped = true;
    }
    if (hasSkipped || withFate.has(number)) await deleteNumberFate(trx, counter.id, number);
    if (number === next) next += 1;
  }
  await saveNext();
}

/** The start of the stored reason of a number that the provider has given to another document; its MARK may follow. */
export const HELD_BY_ANOTHER = "the provider holds it for another document";

/** A number that its document gives up. */
interface GivenUpNumber {
  key: CounterKey;
  number: number;
  /** A `released` number goes to the next document of the counter; the others are never used again. */
  state: "released" | "abandoned" | "passed";
  documentId: string;
  reason: string;
}

export async function giveUpNumber(trx: Transaction, given: GivenUpNumber): Promise<void> {
  const counter = await openCounter(trx, given.key, given.number);
  await upsertNumberFate(trx, {
    series_id: counter.id,
    number: given.number,
    through: given.number,
    state: given.state,
    document_id: given.documentId,
    reason: given.reason,
    at: trx.now,
  });
}
