/** Turns claimed rows into groups: loads what was accepted, groups by connection, and begins a provider call for each document. */
import { findFirstSends, insertCalls } from "../../storage/logs/calls.ts";
import {
  type DocumentInputRow,
  type DocumentRow,
  findReadableInputs,
} from "../../storage/documents/documents.ts";
import { putBack, setAside } from "../../storage/documents/claims.ts";
import { findSeries } from "../../storage/documents/series.ts";
import type { DocumentPhase, Mode } from "../../storage/stored-values.ts";
import { hasUnfoundSend } from "../../storage/documents/filing-checks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Unsendable } from "../domain/decide-send.ts";
import type { DocumentType } from "../domain/document-types.ts";
import type { ProviderAdapter, SentDocument } from "../domain/provider-adapter.ts";
import { defaultSeries } from "../domain/series.ts";
import { counterOf } from "../numbering/counter-key.ts";
import { findQueryConnection } from "./document-connection.ts";
import { type Accepted, buildSent, parseAccepted, type SendConditions } from "./outgoing.ts";
import type { CallKind } from "./provider-availability.ts";

/** A document that a worker holds. */
export interface Claimed {
  row: DocumentRow;
  document: SentDocument;
  /** The open provider call of the document. */
  callId: string;
}

/** Documents of one connection that share one exchange. */
export interface Group {
  adapter: ProviderAdapter;
  phase: Extract<DocumentPhase, "submitting" | "awaiting_mark" | "reconciling">;
  /** The name of the claim that holds these documents. */
  owner: string;
  mode: Mode;
  connectionId: string | null;
  /** Sealed credentials; null for the sandbox. */
  credentials: Uint8Array | null;
  /** The connection that sent the documents is out of use, and another one queries them. */
  isOtherAccount: boolean;
  claimed: Claimed[];
}

export interface ClaimOptions {
  leaseMs: number;
  /** False if only documents that were already sent may be queried. */
  maySend: boolean;
  /** How many more groups of this kind may be claimed, beside those `claimed` in this write. */
  free(kind: CallKind, claimed: readonly Group[]): number;
  /** The connections and modes to pass over; undefined to claim nothing of this kind. */
  excluded(kind: CallKind, claimed: readonly Group[]): readonly string[] | undefined;
  /** Whether a claim may read the whole queue now, because the first due documents all wait for their counters. */
  mayReadAll(claimed: readonly Group[]): boolean;
  /** Called for a document that cannot be read. It is taken out of the queue, so that it blocks no other. */
  onUnreadable(documentId: string, reason: string): void;
  /** Settles a document that cannot be sent because its connection is gone or its series has no number left. */
  onUnsendable(trx: Transaction, row: DocumentRow, reason: Unsendable): Promise<void>;
}

/** A claimed row with what was accepted. */
export interface Loaded extends Accepted {
  row: DocumentRow;
}

/** Loads what was accepted under each row. One damaged document affects no other. */
export async function loadRows(
  trx: Transaction,
  rows: readonly DocumentRow[],
  options: ClaimOptions,
): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  const inputs = await findReadableInputs(
    trx,
    rows.map(({ id }) => id),
  );
  for (const row of rows) {
    const accepted = parseReadable(inputs.get(row.id));
    if (accepted !== undefined) loaded.push({ row, ...accepted });
    else {
      await setAside(trx, row.id);
      options.onUnreadable(row.id, "the stored document cannot be read");
    }
  }
  return loaded;
}

/** Undefined if it is missing or damaged. */
function parseReadable(input: DocumentInputRow | undefined): Accepted | undefined {
  try {
    return input === undefined ? undefined : parseAccepted(input);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function groupKey({ mode, connection_id }: DocumentRow): string {
  return `${mode} ${connection_id ?? ""}`;
}

/** Returns the documents of the first `groupsMax` connections, and puts the others back for the next claim. */
export async function limitGroups(
  trx: Transaction,
  loaded: readonly Loaded[],
  groupsMax: number,
): Promise<Loaded[]> {
  const keys = new Set<string>();
  const kept: Loaded[] = [];
  for (const one of loaded) {
    const key = groupKey(one.row);
    if (keys.size === groupsMax && !keys.has(key)) {
      await putBack(trx, one.row.id, new Date(trx.clockMs).toISOString());
      continue;
    }
    keys.add(key);
    kept.push(one);
  }
  return kept;
}

/** Groups the documents by mode and connection, and begins a provider call for each. */
export async function groupRows(
  trx: Transaction,
  claim: Pick<Group, "adapter" | "phase" | "owner">,
  loaded: readonly Loaded[],
): Promise<Group[]> {
  const groups: Group[] = [];
  for (const members of Map.groupBy(loaded, ({ row }) => groupKey(row)).values()) {
    const group = await openGroup(trx, claim, members[0]!.row);
    group.claimed = await beginDocuments(trx, members, group);
    groups.push(group);
  }
  return groups;
}

async function openGroup(
  trx: Transaction,
  claim: Pick<Group, "adapter" | "phase" | "owner">,
  row: DocumentRow,
): Promise<Group> {
  const { mode, connection_id: own } = row;
  const connection = own === null ? undefined : await findQueryConnection(trx, row, own);
  return {
    ...claim,
    mode,
    connectionId: connection?.id ?? own,
    credentials: connection?.credentials ?? null,
    isOtherAccount: connection !== undefined && connection.id !== own,
    claimed: [],
  };
}

async function beginDocuments(
  trx: Transaction,
  members: readonly Loaded[],
  { adapter: { provider }, phase, mode, connectionId }: Group,
): Promise<Claimed[]> {
  const isSend = phase === "submitting";
  const isFirst = ({ row }: Loaded) => isSend && row.attempts === 1;
  const sent = members.filter((one) => !isFirst(one)).map(({ row }) => row.id);
  const firstSends = await findFirstSends(trx, sent);
  const calls = members.map(({ row }) => ({
    id: trx.newId("pcl"),
    merchantId: row.merchant_id,
    documentId: row.id,
  }));
  await insertCalls(trx, { mode, provider, connectionId, operation: isSend ? "issue" : "status", calls });
  const claimed: Claimed[] = [];
  for (const [index, { row, ...accepted }] of members.entries()) {
    const submittedAt = firstSends.get(row.id) ?? trx.now;
    const conditions = await findConditions(trx, row, isSend);
    const document = buildSent(row, accepted, submittedAt, conditions);
    claimed.push({ row, document, callId: calls[index]!.id });
  }
  return claimed;
}

async function findConditions(trx: Transaction, row: DocumentRow, isSend: boolean): Promise<SendConditions> {
  return {
    firstFreeNumber: isSend && row.provider_numbered === 1 ? await findFirstFreeNumber(trx, row) : 1,
    wasNotFound: isSend && row.attempts > 1 && (await hasUnfoundSend(trx, row.id)),
  };
}

/** The next number of our own counter of the default series: the provider may be about to open a series of that name. */
async function findFirstFreeNumber(trx: Transaction, row: DocumentRow): Promise<number> {
  const series = defaultSeries(row.type as DocumentType, row.branch);
  const key = counterOf({ ...row, series });
  return key === undefined ? 1 : ((await findSeries(trx, key))?.next_number ?? 1);
}
