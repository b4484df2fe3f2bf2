/** Documents that another appliance may have sent are asked about before they are sent (src/domain/polling.ts). */
import type { DocumentRow } from "../../storage/documents.ts";
import { askBeforeSend, isCounterBeingAsked, setAsksLeft } from "../../storage/held.ts";
import { putBack } from "../../storage/queue.ts";
import { type CounterKey, findSeries } from "../../storage/series.ts";
import type { Transaction } from "../../storage/write.ts";
import { asksLeftAfter } from "../domain/polling.ts";
import { counterOf, findAsksLeft } from "../numbering/allocate.ts";

/** Numbers are found out one after the other: the pause before the next document of the counter is looked at again. */
const TURN_MS = 2000;

/**
 * While a counter asks, its documents take their numbers one at a time: as long as the other appliance's are not known, two at
 * once would each take what is the other's. Answers those whose turn it is; the others are due again soon.
 */
export async function keepInTurn<One extends { row: DocumentRow }>(
  trx: Transaction,
  claimed: readonly One[],
): Promise<One[]> {
  const kept: One[] = [];
  const turns = new Set<string>();
  const later = new Date(trx.clockMs + TURN_MS).toISOString();
  for (const one of claimed) {
    const { row } = one;
    const counter = row.number === null ? await findAskingCounter(trx, row) : undefined;
    if (counter !== undefined) {
      const name = JSON.stringify(counter);
      if (turns.has(name) || (await isCounterBeingAsked(trx, row.provider, counter))) {
        await putBack(trx, row.id, later);
        continue;
      }
      turns.add(name);
    }
    kept.push(one);
  }
  return kept;
}

/** The counter that the document's number comes of, where it asks; undefined where it does not, or is not ours. */
async function findAskingCounter(trx: Transaction, row: DocumentRow): Promise<CounterKey | undefined> {
  if (row.provider === "sandbox" || row.provider_numbered === 1) return undefined;
  const key = counterOf(row);
  return key !== undefined && (await findAsksLeft(trx, key)) > 0 ? key : undefined;
}

/** Those of the claimed that may be sent as they are; the others, numbered by now, go to be asked about. */
export async function keepSendable<One extends { row: DocumentRow }>(
  trx: Transaction,
  claimed: readonly One[],
): Promise<One[]> {
  const sendable: One[] = [];
  for (const one of claimed) {
    const { row } = one;
    if (!(await mustAsk(trx, row))) {
      sendable.push(one);
      continue;
    }
    const now = new Date(trx.clockMs).toISOString();
    await askBeforeSend(trx, { id: row.id, now, due: now });
  }
  return sendable;
}

/** The sandbox's ledger came back with the database: it knows of nothing that is not known here. */
async function mustAsk(trx: Transaction, row: DocumentRow): Promise<boolean> {
  if (row.provider === "sandbox" || row.asking === "done") return false;
  if (row.asking === "first") return true;
  return (await findAskingCounter(trx, row)) !== undefined;
}

/** Keeps on the counter what was learnt of a number of it. */
export async function noteAsked(
  trx: Transaction,
  before: DocumentRow,
  move: Pick<DocumentRow, "phase"> & { isNumberGivenUp: boolean },
): Promise<void> {
  if (before.asking !== "first" || before.provider_numbered === 1) return;
  const key = counterOf(before);
  const counter = key === undefined ? undefined : await findSeries(trx, key);
  if (counter === undefined) return;
  const asksLeft = asksLeftAfter(counter.asks_left, before, move);
  if (asksLeft !== undefined && asksLeft !== counter.asks_left) await setAsksLeft(trx, counter.id, asksLeft);
}
