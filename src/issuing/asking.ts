/** Documents that another appliance may have sent are asked about before they are sent (src/documents/asking.ts). */
import type { DocumentRow } from "../../storage/documents.ts";
import { askBeforeSend, setAsksLeft } from "../../storage/held.ts";
import { findSeries } from "../../storage/series.ts";
import type { Transaction } from "../../storage/write.ts";
import { asksLeftAfter } from "../documents/asking.ts";
import { counterOf } from "../documents/numbering.ts";

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
  const key = row.provider_numbered === 1 ? undefined : counterOf(row);
  const counter = key === undefined ? undefined : await findSeries(trx, key);
  return counter !== undefined && counter.asks_left > 0;
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
