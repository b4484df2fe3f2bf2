/**
 * What the queue takes in hand. One write claims rows, allots their numbers and begins their provider calls: from then on
 * a process that dies leaves a trace that the rescuer can read.
 */
import { randomUUID } from "node:crypto";
import { type ConnectionRow, findConnectionInUse, findConnectionRow } from "../../storage/connections.ts";
import { findFirstSend } from "../../storage/calls.ts";
import {
  type DocumentInputRow,
  type DocumentRow,
  findDocumentInput,
  setDocumentNumber,
} from "../../storage/documents.ts";
import { findMerchantRow } from "../../storage/merchants.ts";
import { claimForAsking, claimQueued, parkClaimed, putBack, reroute, setAside } from "../../storage/queue.ts";
import { type CounterKey, findSeries } from "../../storage/series.ts";
import type { DocumentPhase, Mode } from "../../storage/stored-values.ts";
import type { Session } from "../../storage/session.ts";
import type { Transaction } from "../../storage/write.ts";
import { allotNumbers, counterOf } from "../numbering/allocate.ts";
import type { Unsendable } from "../domain/decide-send.ts";
import { buildSent } from "./outgoing.ts";
import { computeUid, defaultSeries } from "../domain/series.ts";
import type { DocumentType } from "../domain/document-types.ts";
import { readJson } from "../foundation/json.ts";
import { readSettings } from "../merchants/merchant-settings.ts";
import type { ProviderAdapter, SentDocument } from "../domain/provider-adapter.ts";
import type { Decided } from "./outgoing.ts";
import { keepInTurn, keepSendable } from "./ask-after-restore.ts";
import { beginCall } from "./call-evidence.ts";

/** A document in a worker's hands. */
export interface Claimed {
  row: DocumentRow;
  document: SentDocument;
  /** The provider call that stands open for it. */
  callId: string;
}

/** Documents of one connection that go in one exchange. */
export interface Group {
  adapter: ProviderAdapter;
  phase: Extract<DocumentPhase, "submitting" | "awaiting_mark" | "reconciling">;
  /** The name of the claim that holds these documents. */
  owner: string;
  mode: Mode;
  connectionId: string | null;
  /** Sealed credentials; null for the sandbox. */
  credentials: Uint8Array | null;
  /** The connection that the documents were sent by is out of use; the one that took its place asks about them. */
  isOtherAccount: boolean;
  claimed: Claimed[];
}

export interface ClaimOptions {
  leaseMs: number;
  /** False where only what was sent before may be asked after. */
  maySend: boolean;
  /** At most this many groups. */
  groupsMax: number;
  /** Only documents of this mode; undefined for both. */
  mode?: Mode | undefined;
  /** Told of a document that cannot be worked: it is taken out of the queue, so that it holds up no other. */
  onUnworkable(documentId: string, reason: string): void;
  /** Until when nothing is sent by a connection whose account was asked to wait; undefined where it was not. */
  pausedUntil(connectionId: string): string | undefined;
  /** Settles a document that cannot be sent: its connection is gone, or its series has no number left. */
  onUnsendable(trx: Transaction, row: DocumentRow, because: Unsendable): Promise<void>;
}

/** A claimed row with what was accepted under it. */
interface Loaded {
  row: DocumentRow;
  input: DocumentInputRow;
  decided: Decided;
}

/** Claims what is due for one adapter: first answers that are awaited, then new sends. */
export async function claimGroups(
  trx: Transaction,
  adapter: ProviderAdapter,
  options: ClaimOptions,
): Promise<Group[]> {
  const claim = {
    provider: adapter.provider,
    limit: adapter.issueBatchMax,
    due: new Date(trx.clockMs).toISOString(),
    now: trx.now,
    leaseUntil: new Date(trx.clockMs + options.leaseMs).toISOString(),
    mode: options.mode,
  };
  const groups: Group[] = [];
  for (const phase of ["reconciling", "awaiting_mark", "submitting"] as const) {
    if (phase === "submitting" && !options.maySend) break;
    while (groups.length < options.groupsMax) {
      // A name of its own for each claim: an answer that comes late is never taken for that of a later claim.
      const owner = randomUUID();
      const rows =
        phase === "submitting"
          ? await claimQueued(trx, { ...claim, owner })
          : await claimForAsking(trx, { ...claim, limit: adapter.askBatchMax ?? claim.limit, owner, phase });
      if (rows.length === 0) break;
      let loaded = await loadRows(trx, rows, options);
      if (phase === "submitting") loaded = await keepUnpaused(trx, loaded, options);
      loaded = await keepGroups(trx, loaded, options.groupsMax - groups.length, claim.due);
      if (phase === "submitting") loaded = await keepInTurn(trx, await keepUsable(trx, loaded, options));
      if (phase === "submitting" && adapter.numbering === "ours")
        loaded = await numberRows(trx, loaded, options);
      if (phase === "submitting") loaded = await keepSendable(trx, loaded);
      groups.push(...(await groupRows(trx, adapter, phase, owner, loaded)));
    }
  }
  return groups;
}

/** Those whose account was not asked to wait; the others are due when it may be asked again. */
async function keepUnpaused(
  trx: Transaction,
  loaded: readonly Loaded[],
  options: ClaimOptions,
): Promise<Loaded[]> {
  const kept: Loaded[] = [];
  for (const one of loaded) {
    const until = options.pausedUntil(one.row.connection_id ?? "");
    if (until === undefined) kept.push(one);
    else await putBack(trx, one.row.id, until);
  }
  return kept;
}

/** Those of the first `groupsMax` connections; the others are for whoever has a place for them. */
async function keepGroups(
  trx: Transaction,
  loaded: readonly Loaded[],
  groupsMax: number,
  due: string,
): Promise<Loaded[]> {
  const names = new Set<string>();
  const kept: Loaded[] = [];
  for (const one of loaded) {
    const name = `${one.row.mode} ${one.row.connection_id ?? ""}`;
    if (names.size === groupsMax && !names.has(name)) {
      await putBack(trx, one.row.id, due);
      continue;
    }
    names.add(name);
    kept.push(one);
  }
  return kept;
}

async function loadRows(
  trx: Transaction,
  rows: readonly DocumentRow[],
  options: ClaimOptions,
): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  for (const row of rows) {
    const input = await findDocumentInput(trx, row.id);
    const decided = input === undefined ? undefined : readDecided(input);
    if (input !== undefined && decided !== undefined) loaded.push({ row, input, decided });
    else await refuse(trx, row, "what was accepted under it cannot be read", options);
  }
  return loaded;
}

/** Undefined where the stored text is damaged: one document's damage is no other's. */
function readDecided(input: DocumentInputRow): Decided | undefined {
  try {
    readJson<unknown>(input.input_json);
    return readJson<Decided>(input.decided_json);
  } catch {
    return undefined;
  }
}

async function refuse(
  trx: Transaction,
  row: DocumentRow,
  reason: string,
  options: ClaimOptions,
): Promise<void> {
  await setAside(trx, row.id);
  options.onUnworkable(row.id, reason);
}

/**
 * Those whose connection can carry them. What waits for an invalid one goes back to wait; what had a disconnected one goes by
 * another of the merchant to the same provider, or fails.
 */
async function keepUsable(
  trx: Transaction,
  loaded: readonly Loaded[],
  options: ClaimOptions,
): Promise<Loaded[]> {
  const usable: Loaded[] = [];
  const known = new Map<string, ConnectionRow | undefined>();
  for (const one of loaded) {
    const { row } = one;
    const { connection_id: id } = row;
    if (id === null) {
      usable.push(one);
      continue;
    }
    if (!known.has(id)) known.set(id, await findCarrier(trx, row, id));
    const carrier = known.get(id);
    if (carrier === undefined) await options.onUnsendable(trx, row, "disconnected");
    else if (carrier.status === "invalid") await parkClaimed(trx, row.id);
    else {
      if (carrier.id !== id) await reroute(trx, row.id, carrier.id);
      usable.push({ ...one, row: { ...row, connection_id: carrier.id } });
    }
  }
  return usable;
}

/**
 * Who asks about what was sent by a connection: itself; or, when it is out of use, the active one of the merchant to the same
 * provider, whose credentials are good for longer.
 */
export async function findAsker(
  session: Session,
  row: DocumentRow,
  connectionId: string,
): Promise<ConnectionRow | undefined> {
  const own = await findConnectionRow(session, connectionId);
  if (own?.status === "active") return own;
  const { merchant_id: merchantId, provider, mode } = row;
  const other = await findConnectionInUse(session, { merchantId, provider, mode });
  return other?.status === "active" ? other : own;
}

/** The connection itself, or the one that took its place; undefined where it is disconnected and nothing did. */
async function findCarrier(
  trx: Transaction,
  row: DocumentRow,
  connectionId: string,
): Promise<ConnectionRow | undefined> {
  const own = await findConnectionRow(trx, connectionId);
  if (own !== undefined && own.status !== "disconnected") return own;
  const { merchant_id: merchantId, provider, mode } = row;
  return findConnectionInUse(trx, { merchantId, provider, mode });
}

/** Allots the numbers of those that have none yet, each counter in order of acceptance, and freezes their uids. */
async function numberRows(
  trx: Transaction,
  loaded: readonly Loaded[],
  options: ClaimOptions,
): Promise<Loaded[]> {
  const counters = new Map<string, { key: CounterKey; rows: DocumentRow[] }>();
  for (const { row } of loaded) {
    const key = counterOf(row);
    if (row.number !== null || key === undefined) continue;
    const name = JSON.stringify(key);
    const counter = counters.get(name) ?? { key, rows: [] };
    counter.rows.push(row);
    counters.set(name, counter);
  }
  for (const { key, rows: waiting } of counters.values()) {
    const start = await startOf(trx, waiting[0]!.merchant_id, key);
    const numbers = await allotNumbers(trx, key, waiting.length, start);
    for (const [index, number] of numbers.entries()) waiting[index]!.number = number;
  }
  const numbered: Loaded[] = [];
  for (const one of loaded) {
    if (one.row.series === null || one.row.number === null) {
      await options.onUnsendable(trx, one.row, "no_number");
      continue;
    }
    await freezeUid(trx, one, one.row.series, one.row.number);
    numbered.push(one);
  }
  return numbered;
}

/** The next number that the merchant's settings ask for, where they name this series; 1 otherwise. */
async function startOf(trx: Transaction, merchantId: string, key: CounterKey): Promise<number> {
  const merchant = await findMerchantRow(trx, merchantId);
  if (merchant === undefined) throw new Error(`The merchant ${merchantId} of a document is gone`);
  const wanted = readSettings(merchant).numbering[key.type as DocumentType];
  return wanted !== undefined && wanted.series === key.series ? (wanted.next_number ?? 1) : 1;
}

async function freezeUid(
  trx: Transaction,
  { row, decided }: Loaded,
  series: string,
  number: number,
): Promise<void> {
  if (row.uid !== null) return;
  const { supplier, issue_date: issueDate, branch } = row;
  row.uid = computeUid({ supplier, issueDate, branch, sentType: decided.sentType, series, number });
  await setDocumentNumber(trx, { id: row.id, number, uid: row.uid });
}

async function groupRows(
  trx: Transaction,
  adapter: ProviderAdapter,
  phase: Group["phase"],
  owner: string,
  loaded: readonly Loaded[],
): Promise<Group[]> {
  const groups = new Map<string, Group>();
  for (const one of loaded) {
    const { mode, connection_id: connectionId } = one.row;
    const name = `${mode} ${connectionId ?? ""}`;
    let group = groups.get(name);
    if (group === undefined) {
      const connection = connectionId === null ? undefined : await findAsker(trx, one.row, connectionId);
      group = {
        adapter,
        phase,
        owner,
        mode,
        connectionId: connection?.id ?? connectionId,
        credentials: connection?.credentials ?? null,
        isOtherAccount: connection !== undefined && connection.id !== connectionId,
        claimed: [],
      };
      groups.set(name, group);
    }
    group.claimed.push(await claimRow(trx, one, phase, group.connectionId));
  }
  return [...groups.values()];
}

/** Behind what our own counter of the default series has given: the provider may be about to make a series of that name. */
async function firstFreeNumber(trx: Transaction, row: DocumentRow): Promise<number> {
  const series = defaultSeries(row.type as DocumentType, row.branch);
  const key = counterOf({ ...row, series });
  return key === undefined ? 1 : ((await findSeries(trx, key))?.next_number ?? 1);
}

async function claimRow(
  trx: Transaction,
  { row, input }: Loaded,
  phase: Group["phase"],
  connectionId: string | null,
): Promise<Claimed> {
  const subject = {
    mode: row.mode,
    provider: row.provider,
    connectionId,
    merchantId: row.merchant_id,
    documentId: row.id,
  };
  const isSend = phase === "submitting";
  const submittedAt =
    isSend && row.attempts === 1 ? trx.now : ((await findFirstSend(trx, row.id)) ?? trx.now);
  const callId = await beginCall(trx, subject, isSend ? "issue" : "status");
  const firstFree = isSend && row.provider_numbered === 1 ? await firstFreeNumber(trx, row) : 1;
  return { row, document: buildSent(row, input, submittedAt, firstFree), callId };
}
