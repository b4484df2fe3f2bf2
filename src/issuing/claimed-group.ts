/** Turns claimed rows into groups: loads what was accepted, groups by connection, and begins a provider call for each document. */
import { findFirstSend } from "../../storage/calls.ts";
import { type DocumentRow, findDocumentInput } from "../../storage/documents.ts";
import { UnreadableContentsError } from "../../storage/errors.ts";
import { putBack, setAside } from "../../storage/claims.ts";
import { findSeries } from "../../storage/series.ts";
import type { DocumentPhase, Mode } from "../../storage/stored-values.ts";
import { hasUnfoundSend } from "../../storage/filing-checks.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Unsendable } from "../domain/decide-send.ts";
import type { DocumentType } from "../domain/document-types.ts";
import type { ProviderAdapter, SentDocument } from "../domain/provider-adapter.ts";
import { defaultSeries } from "../domain/series.ts";
import { counterOf } from "../numbering/counter-key.ts";
import { beginCall } from "./call-evidence.ts";
import { findQueryConnection } from "./document-connection.ts";
import { type Accepted, buildSent, parseAccepted } from "./outgoing.ts";
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
  for (const row of rows) {
    const accepted = await findAccepted(trx, row.id);
    if (accepted !== undefined) loaded.push({ row, ...accepted });
    else {
      await setAside(trx, row.id);
      options.onUnreadable(row.id, "the stored document cannot be read");
    }
  }
  return loaded;
}

/** Undefined if it is missing, damaged, or encrypted with another master key. */
async function findAccepted(trx: Transaction, id: string): Promise<Accepted | undefined> {
  try {
    const input = await findDocumentInput(trx, id);
    return input === undefined ? undefined : parseAccepted(input);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof UnreadableContentsError) return undefined;
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
  const groups = new Map<string, Group>();
  for (const one of loaded) {
    const key = groupKey(one.row);
    let group = groups.get(key);
    if (group === undefined) {
      group = await openGroup(trx, claim, one.row);
      groups.set(key, group);
    }
    group.claimed.push(await beginDocument(trx, one, group));
  }
  return [...groups.values()];
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

async function beginDocument(
  trx: Transaction,
  { row, ...accepted }: Loaded,
  { phase, connectionId }: Group,
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
  const conditions = {
    firstFreeNumber: isSend && row.provider_numbered === 1 ? await findFirstFreeNumber(trx, row) : 1,
    wasNotFound: isSend && row.attempts > 1 && (await hasUnfoundSend(trx, row.id)),
  };
  return { row, document: buildSent(row, accepted, submittedAt, conditions), callId };
}

/** The next number of our own counter of the default series: the provider may be about to open a series of that name. */
async function findFirstFreeNumber(trx: Transaction, row: DocumentRow): Promise<number> {
  const series = defaultSeries(row.type as DocumentType, row.branch);
  const key = counterOf({ ...row, series });
  return key === undefined ? 1 : ((await findSeries(trx, key))?.next_number ?? 1);
}
