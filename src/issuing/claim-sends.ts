/** Claims queued documents for sending: moves them to `submitting` and allocates their numbers. */
import type { ConnectionRow } from "../../storage/merchants/connections.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { findIssuingMerchantRow } from "../../storage/merchants/merchant-settings.ts";
import { postpone } from "../../storage/documents/document-queue.ts";
import { claimForSending, findDueSends } from "../../storage/documents/send-claims.ts";
import type { CounterKey } from "../../storage/documents/series.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Unsendable } from "../domain/decide-after-call.ts";
import type { DocumentType } from "../domain/document-types.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import { computeUid } from "../domain/series.ts";
import { readSettings } from "../merchants/settings.ts";
import { allocateNumbers } from "../numbering/allocate.ts";
import { counterOf } from "../numbering/counter-key.ts";
import { filterInTurn, filterSendable } from "../numbering/poll-after-restore.ts";
import {
  type ClaimOptions,
  createLease,
  type Group,
  groupRows,
  limitGroups,
  type Loaded,
  loadRows,
} from "./claimed-group.ts";
import { findSendConnection } from "./document-connection.ts";

/** Claims due documents and adds them to `groups`. */
export async function claimSends(
  trx: Transaction,
  adapter: ProviderAdapter,
  options: ClaimOptions,
  groups: Group[],
): Promise<void> {
  for (;;) {
    const free = options.free("send", groups);
    const excluded = free === 0 ? undefined : options.excluded("send", groups);
    if (excluded === undefined) return;
    const rows = await findDueSends(trx, {
      provider: adapter.provider,
      limit: adapter.issueBatchMax,
      due: new Date(trx.clockMs).toISOString(),
      excluded,
      mayReadAll: () => options.mayReadAll(groups),
    });
    if (rows.length === 0) return;
    const unsendable: Unsent[] = [];
    let loaded = limitGroups(await loadRows(trx, rows, options), free);
    loaded = await filterConnected(trx, loaded, unsendable);
    loaded = await filterInTurn(trx, loaded);
    if (adapter.numbering === "ours") loaded = await numberRows(trx, loaded, unsendable);
    const lease = createLease(trx, options);
    const claimed = await claimForSending(
      trx,
      [...loaded, ...unsendable].map(({ row }) => row),
      lease,
    );
    for (const [index, { reason }] of unsendable.entries())
      await options.onUnsendable(trx, claimed[loaded.length + index]!, reason);
    loaded = loaded.map((one, index) => ({ ...one, row: claimed[index]! }));
    loaded = await filterSendable(trx, loaded);
    groups.push(...(await groupRows(trx, { adapter, phase: "submitting", owner: lease.owner }, loaded)));
  }
}

/** A document that cannot be sent. */
interface Unsent {
  row: DocumentRow;
  reason: Unsendable;
}

/**
 * Returns the documents that have a connection to send by. Those of an invalid connection wait. Those of a disconnected one go
 * to the merchant's other connection to the same provider, or cannot be sent if there is none.
 */
async function filterConnected(
  trx: Transaction,
  loaded: readonly Loaded[],
  unsendable: Unsent[],
): Promise<Loaded[]> {
  const connected: Loaded[] = [];
  const known = new Map<string, ConnectionRow | undefined>();
  for (const one of loaded) {
    const { row } = one;
    const { connection_id: id } = row;
    if (id === null) {
      connected.push(one);
      continue;
    }
    if (!known.has(id)) known.set(id, await findSendConnection(trx, row, id));
    const connection = known.get(id);
    if (connection === undefined) unsendable.push({ row, reason: "disconnected" });
    else if (connection.status === "invalid") await postpone(trx, { id: row.id, due: null });
    else connected.push({ ...one, row: { ...row, connection_id: connection.id } });
  }
  return connected;
}

/** Allocates the missing numbers, per counter in order of acceptance, and computes the uids. */
async function numberRows(
  trx: Transaction,
  loaded: readonly Loaded[],
  unsendable: Unsent[],
): Promise<Loaded[]> {
  for (const { key, rows } of unnumberedByCounter(loaded)) {
    const start = await findStart(trx, rows[0]!.merchant_id, key);
    const numbers = await allocateNumbers(trx, key, rows.length, start);
    for (const [index, number] of numbers.entries()) rows[index]!.number = number;
  }
  const numbered: Loaded[] = [];
  for (const one of loaded) {
    const { row, decided } = one;
    const { series, number, supplier, issue_date: issueDate, branch } = row;
    if (series === null || number === null) {
      unsendable.push({ row, reason: "no_number" });
      continue;
    }
    row.uid ??= computeUid({ supplier, issueDate, branch, sentType: decided.sentType, series, number });
    numbered.push(one);
  }
  return numbered;
}

function unnumberedByCounter(loaded: readonly Loaded[]): Iterable<{ key: CounterKey; rows: DocumentRow[] }> {
  const counters = new Map<string, { key: CounterKey; rows: DocumentRow[] }>();
  for (const { row } of loaded) {
    const key = counterOf(row);
    if (row.number !== null || key === undefined) continue;
    const name = JSON.stringify(key);
    const counter = counters.get(name) ?? { key, rows: [] };
    counter.rows.push(row);
    counters.set(name, counter);
  }
  return counters.values();
}

/** The next number that the merchant's settings request, if they name this series; 1 otherwise. */
async function findStart(trx: Transaction, merchantId: string, key: CounterKey): Promise<number> {
  const merchant = await findIssuingMerchantRow(trx, { id: merchantId, mode: key.mode });
  if (merchant === undefined) throw new Error(`The merchant ${merchantId} of a document is gone`);
  const wanted = readSettings(merchant.settings_json).numbering[key.type as DocumentType];
  return wanted !== undefined && wanted.series === key.series ? (wanted.next_number ?? 1) : 1;
}
