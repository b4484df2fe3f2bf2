/**
 * What the queue takes in hand. One write claims rows, allots their numbers and begins their provider calls: from then on
 * a process that dies leaves a trace that the rescuer can read.
 */
import { findConnectionRow } from "../../storage/connections.ts";
import { findFirstSend } from "../../storage/calls.ts";
import { type DocumentRow, findDocumentInput, setDocumentNumber } from "../../storage/documents.ts";
import { findMerchantRow } from "../../storage/merchants.ts";
import { claimForAsking, claimQueued } from "../../storage/queue.ts";
import type { CounterKey } from "../../storage/series.ts";
import type { DocumentPhase, Mode } from "../../storage/schema.ts";
import type { Transaction } from "../../storage/write.ts";
import { allotNumbers, counterOf } from "../documents/numbering.ts";
import { buildSent } from "../documents/outgoing.ts";
import { computeUid } from "../documents/series.ts";
import { readJson } from "../json.ts";
import { readSettings } from "../merchants/settings.ts";
import type { ProviderAdapter, SentDocument } from "../providers/adapter.ts";
import type { Decided } from "../documents/outgoing.ts";
import { beginCall } from "./evidence.ts";

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
  mode: Mode;
  connectionId: string | null;
  /** Sealed credentials; null for the sandbox. */
  credentials: Uint8Array | null;
  claimed: Claimed[];
}

export interface ClaimOptions {
  owner: string;
  leaseMs: number;
  /** At most this many groups. */
  groupsMax: number;
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
    now: trx.now,
    owner: options.owner,
    leaseUntil: new Date(trx.nowMs + options.leaseMs).toISOString(),
  };
  const groups: Group[] = [];
  for (const phase of ["reconciling", "awaiting_mark", "submitting"] as const) {
    while (groups.length < options.groupsMax) {
      const rows =
        phase === "submitting"
          ? await claimQueued(trx, claim)
          : await claimForAsking(trx, { ...claim, phase });
      if (rows.length === 0) break;
      if (phase === "submitting" && adapter.numbering === "ours") await numberRows(trx, rows);
      groups.push(...(await groupRows(trx, adapter, phase, rows)));
    }
  }
  return groups;
}

/** Allots the numbers of those that have none yet, each counter in order of acceptance, and freezes their uids. */
async function numberRows(trx: Transaction, rows: readonly DocumentRow[]): Promise<void> {
  const counters = new Map<string, { key: CounterKey; rows: DocumentRow[] }>();
  for (const row of rows) {
    if (row.number !== null) continue;
    const key = counterOf(row);
    if (key === undefined) throw new Error(`The document ${row.id} has no series to be numbered in`);
    const name = JSON.stringify(key);
    const counter = counters.get(name) ?? { key, rows: [] };
    counter.rows.push(row);
    counters.set(name, counter);
  }
  for (const { key, rows: waiting } of counters.values()) {
    const start = await startOf(trx, waiting[0]!.merchant_id, key);
    const numbers = await allotNumbers(trx, key, waiting.length, start);
    for (const [index, row] of waiting.entries()) row.number = numbers[index]!;
  }
  for (const row of rows) await freezeUid(trx, row);
}

/** The next number that the merchant's settings ask for, where they name this series; 1 otherwise. */
async function startOf(trx: Transaction, merchantId: string, key: CounterKey): Promise<number> {
  const merchant = await findMerchantRow(trx, merchantId);
  if (merchant === undefined) throw new Error(`The merchant ${merchantId} of a document is gone`);
  const wanted =
    readSettings(merchant).numbering[key.type as keyof ReturnType<typeof readSettings>["numbering"]];
  return wanted !== undefined && wanted.series === key.series ? (wanted.next_number ?? 1) : 1;
}

async function freezeUid(trx: Transaction, row: DocumentRow): Promise<void> {
  if (row.uid !== null || row.series === null || row.number === null) return;
  const input = await findDocumentInput(trx, row.id);
  if (input === undefined) throw new Error(`The input of the document ${row.id} is gone`);
  row.uid = computeUid({
    supplier: row.supplier,
    issueDate: row.issue_date,
    branch: row.branch,
    sentType: readJson<Decided>(input.decided_json).sentType,
    series: row.series,
    number: row.number,
  });
  await setDocumentNumber(trx, { id: row.id, number: row.number, uid: row.uid });
}

async function groupRows(
  trx: Transaction,
  adapter: ProviderAdapter,
  phase: Group["phase"],
  rows: readonly DocumentRow[],
): Promise<Group[]> {
  const groups = new Map<string, Group>();
  for (const row of rows) {
    const name = `${row.mode} ${row.connection_id ?? ""}`;
    let group = groups.get(name);
    if (group === undefined) {
      const connection =
        row.connection_id === null ? undefined : await findConnectionRow(trx, row.connection_id);
      const credentials = connection?.credentials ?? null;
      group = { adapter, phase, mode: row.mode, connectionId: row.connection_id, credentials, claimed: [] };
      groups.set(name, group);
    }
    group.claimed.push(await claimRow(trx, row, phase));
  }
  return [...groups.values()];
}

async function claimRow(trx: Transaction, row: DocumentRow, phase: Group["phase"]): Promise<Claimed> {
  const input = await findDocumentInput(trx, row.id);
  if (input === undefined) throw new Error(`The input of the document ${row.id} is gone`);
  const subject = {
    mode: row.mode,
    provider: row.provider,
    connectionId: row.connection_id,
    merchantId: row.merchant_id,
    documentId: row.id,
  };
  const isSend = phase === "submitting";
  const submittedAt =
    isSend && row.attempts === 1 ? trx.now : ((await findFirstSend(trx, row.id)) ?? trx.now);
  const callId = await beginCall(trx, subject, isSend ? "issue" : "status");
  return { row, document: buildSent(row, input, submittedAt), callId };
}
