/**
 * Claims what is due and may be claimed now (held state, disk space, free slots, the availability of providers) in groups of one provider:
 * for queries as it is, for sending with its numbers.
 */
import { randomUUID } from "node:crypto";
import type { ConnectionRow } from "../../storage/merchants/connections.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { findIssuingMerchantRow } from "../../storage/merchants/merchants.ts";
import {
  claimForQuery,
  findDueQueries,
  findNextDue,
  type Lease,
  postpone,
} from "../../storage/documents/document-queue.ts";
import { claimForSending, findDueSends } from "../../storage/documents/send-claims.ts";
import { type CounterKey, counterOf } from "../../storage/documents/series.ts";
import { inTurn, type Transaction } from "../../storage/database/write.ts";
import { decideUnsendable, type Unsendable } from "../domain/decide-after-call.ts";
import type { DocumentType } from "../domain/document-types.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import { computeUid } from "../domain/series.ts";
import { readSettings } from "../merchants/settings.ts";
import { allocateNumbers } from "../numbering/allocate.ts";
import { filterInTurn, filterSendable } from "../numbering/poll-after-restore.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import { dueIn } from "../work/work-off.ts";
import { type CallKind, type Group, groupRows, limitGroups, type Loaded, loadRows } from "./claimed-group.ts";
import { findConnectionFor } from "./call-context.ts";
import type { Slots } from "./issuing-slots.ts";
import { settleAll } from "./settle-document.ts";

/** The phases in which documents wait for the queue: queries come first, then new sends. */
export const WAITING_PHASES = ["reconciling", "awaiting_mark", "queued"] as const;
type WaitingPhase = (typeof WAITING_PHASES)[number];

/** On a full disk nothing is sent, because the outcome must fit. Queries continue for longer. */
function claimablePhases({ space }: Context): readonly WaitingPhase[] {
  const mayNotSend = space.level() === "full";
  return WAITING_PHASES.filter((phase) => phase !== "queued" || !mayNotSend);
}

const callKindIn = (phase: WaitingPhase): CallKind => (phase === "queued" ? "send" : "query");

/** The providers with documents due. Reads through the reader's connection, so that an idle appliance takes no write lock. */
export async function findDueProviders(context: Context, slots: Slots): Promise<ProviderAdapter[]> {
  if (await isHeld(context.store.read)) return [];
  const adapters = context.providers.all();
  const due = await Promise.all(adapters.map((adapter) => isAnyDue(context, slots, adapter)));
  return adapters.filter((_, index) => due[index]);
}

async function isAnyDue(context: Context, slots: Slots, { provider }: ProviderAdapter): Promise<boolean> {
  const { clock, store } = context;
  for (const phase of claimablePhases(context)) {
    const kind = callKindIn(phase);
    const room = slots.room(kind, provider, [], clock.nowMs());
    const due = room && (await findNextDue(store.read, { provider, phase, excluded: room.excluded }));
    if (due !== undefined && due <= clock.now()) return true;
  }
  return false;
}

/** Documents of one provider that can be claimed into free slots. */
interface Claimable {
  context: Context;
  slots: Slots;
  adapter: ProviderAdapter;
  /** Groups of other providers that were claimed before. */
  others: readonly Group[];
}

/** Written together with what is accepted and settled in the same turn of the event loop. */
const CLAIMS = inTurn(async (trx, claimable: Claimable) => {
  const groups: Group[] = [];
  for (const phase of claimablePhases(claimable.context)) await claimPhase(trx, claimable, phase, groups);
  return groups;
});

/**
 * Claims as many groups of these providers as there are free slots. Each provider has its own write, so that a failure of one does not
 * stop the others.
 */
export async function claimDue(
  context: Context,
  slots: Slots,
  adapters: readonly ProviderAdapter[],
): Promise<Group[]> {
  const { log, store } = context;
  const groups: Group[] = [];
  for (const adapter of adapters) {
    try {
      groups.push(...(await store.add(CLAIMS, { context, slots, adapter, others: [...groups] })));
    } catch (error) {
      if (isReportedAlready(error)) continue;
      const fields = { provider: adapter.provider, error: String(error) };
      log.error(fields, "documents could not be claimed; trying again");
    }
  }
  return groups;
}

async function claimPhase(
  trx: Transaction,
  { context, slots, adapter, others }: Claimable,
  phase: WaitingPhase,
  groups: Group[],
): Promise<void> {
  const { clock, config, log } = context;
  const { provider } = adapter;
  const kind = callKindIn(phase);
  for (;;) {
    const claimedGroups = [...others, ...groups];
    const room = slots.room(kind, provider, claimedGroups, clock.nowMs());
    if (room === undefined) return;
    const due = { provider, due: dueIn(trx, 0), excluded: room.excluded };
    const { issueBatchMax, askBatchMax = issueBatchMax } = adapter;
    const rows =
      phase === "queued"
        ? await findDueSends(trx, {
            ...due,
            limit: issueBatchMax,
            mayReadAll: () => slots.mayReadAll(provider, claimedGroups, clock.nowMs()),
          })
        : await findDueQueries(trx, { ...due, phase, limit: askBatchMax });
    if (rows.length === 0) return;
    const loaded = limitGroups(await loadRows(trx, rows, log), room.free);
    // Each claim has its own name, so that a late outcome is never taken for that of a later claim.
    const lease = { owner: randomUUID(), until: dueIn(trx, config.issuing.leaseSeconds * 1000) };
    const claimed =
      phase === "queued"
        ? await claimSends(trx, context, adapter, lease, loaded)
        : await claimQueries(trx, lease, loaded);
    const claim = { adapter, phase: phase === "queued" ? "submitting" : phase, owner: lease.owner } as const;
    groups.push(...(await groupRows(trx, claim, claimed)));
  }
}

async function claimQueries(trx: Transaction, lease: Lease, loaded: readonly Loaded[]): Promise<Loaded[]> {
  await claimForQuery(trx, { ids: loaded.map(({ row }) => row.id), ...lease });
  const leased = { lease_owner: lease.owner, lease_until: lease.until, next_at: null };
  return loaded.map((one) => ({ ...one, row: { ...one.row, ...leased } }));
}

/** Moves the documents that can be sent to `submitting`, with their numbers, and settles those that cannot. */
async function claimSends(
  trx: Transaction,
  context: Context,
  adapter: ProviderAdapter,
  lease: Lease,
  loaded: readonly Loaded[],
): Promise<Loaded[]> {
  const unsendable: Unsent[] = [];
  let sendable = await filterInTurn(trx, await filterConnected(trx, loaded, unsendable));
  if (adapter.numbering === "ours") sendable = await numberRows(trx, sendable, unsendable);
  const claimed = await claimForSending(
    trx,
    [...sendable, ...unsendable].map(({ row }) => row),
    lease,
  );
  for (const [index, { reason }] of unsendable.entries()) {
    const row = claimed[sendable.length + index]!;
    await settleAll(trx, [{ context, claimed: row, decide: () => decideUnsendable(reason) }]);
  }
  return filterSendable(
    trx,
    sendable.map((one, index) => ({ ...one, row: claimed[index]! })),
  );
}

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
    if (!known.has(id)) known.set(id, await findConnectionFor(trx, "issue", row));
    const connection = known.get(id);
    if (connection === undefined) unsendable.push({ row, reason: "disconnected" });
    else if (connection.status === "invalid") await postpone(trx, { id: row.id, next_at: null });
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
  const unnumbered = loaded.map(({ row }) => row).filter(({ number }) => number === null);
  for (const rows of Map.groupBy(unnumbered, (row) => JSON.stringify(counterOf(row))).values()) {
    const [first] = rows as [DocumentRow];
    const key = counterOf(first);
    if (key === undefined) continue;
    const start = await findStart(trx, first.merchant_id, key);
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

/** The next number that the merchant's settings request, if they name this series; 1 otherwise. */
async function findStart(trx: Transaction, merchantId: string, key: CounterKey): Promise<number> {
  const merchant = await findIssuingMerchantRow(trx, { id: merchantId, mode: key.mode });
  if (merchant === undefined) throw new Error(`The merchant ${merchantId} of a document is gone`);
  const wanted = readSettings(merchant.settings_json).numbering[key.type as DocumentType];
  return wanted !== undefined && wanted.series === key.series ? (wanted.next_number ?? 1) : 1;
}
