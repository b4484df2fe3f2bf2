/** Turns claimed rows into groups: loads what was accepted, and groups by connection. */
import { findFirstSends } from "../../storage/logs/logs.ts";
import {
  type DocumentInputRow,
  type DocumentRow,
  findReadableInputs,
} from "../../storage/documents/documents.ts";
import { postpone } from "../../storage/documents/document-queue.ts";
import { counterOf, findSeries } from "../../storage/documents/series.ts";
import type { CallOperation, DocumentPhase, Mode } from "../../storage/stored-values.ts";
import { hasUnfoundSend } from "../../storage/documents/surplus-marks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { DocumentType } from "../domain/document-types.ts";
import type { ProviderAdapter, SentDocument } from "../domain/provider-adapter.ts";
import { defaultSeries } from "../domain/series.ts";
import type { Log } from "../journal/context.ts";
import type { ConnectionRow } from "../../storage/merchants/connections.ts";
import { findConnectionFor } from "./call-context.ts";
import { type Accepted, buildSent, parseAccepted, type SendConditions } from "./outgoing.ts";

export interface Claimed {
  row: DocumentRow;
  document: SentDocument;
}

/** Documents of one connection that share one exchange. */
export interface Group {
  adapter: ProviderAdapter;
  phase: Extract<DocumentPhase, "submitting" | "awaiting_mark" | "reconciling">;
  /** The name of the claim that holds these documents. */
  owner: string;
  /** When the call about them began. */
  claimedAt: string;
  mode: Mode;
  /** The connection of the documents, whose availability is tracked. Null for the sandbox. */
  connectionId: string | null;
  /** The connection to call with: another one if that of the documents is out of use. Undefined if there is none. */
  connection: ConnectionRow | undefined;
  claimed: Claimed[];
}

/** The operation of the call about a group's documents, or of one document in that phase. */
export function operationOf({ phase }: { phase: DocumentPhase }): CallOperation {
  return phase === "submitting" ? "issue" : "status";
}

export type CallKind = "send" | "query";

export function kindOf({ phase }: Pick<Group, "phase">): CallKind {
  return phase === "submitting" ? "send" : "query";
}

export interface Loaded extends Accepted {
  row: DocumentRow;
}

/** Loads what was accepted under each row. One damaged document affects no other. */
export async function loadRows(trx: Transaction, rows: readonly DocumentRow[], log: Log): Promise<Loaded[]> {
  const loaded: Loaded[] = [];
  const inputs = await findReadableInputs(
    trx,
    rows.map(({ id }) => id),
  );
  for (const row of rows) {
    const accepted = parseReadable(inputs.get(row.id));
    if (accepted !== undefined) loaded.push({ row, ...accepted });
    else {
      await postpone(trx, { id: row.id, next_at: null });
      log.error(
        { document: row.id },
        "a document was taken out of the queue, because what is stored of it cannot be read; it must be examined",
      );
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

/** Returns the documents of the first `groupsMax` connections. The others stay due. */
export function limitGroups(loaded: readonly Loaded[], groupsMax: number): Loaded[] {
  const keys = new Set<string>();
  for (const { row } of loaded) if (keys.size < groupsMax) keys.add(groupKey(row));
  return loaded.filter(({ row }) => keys.has(groupKey(row)));
}

export async function groupRows(
  trx: Transaction,
  claim: Pick<Group, "adapter" | "phase" | "owner">,
  loaded: readonly Loaded[],
): Promise<Group[]> {
  const groups: Group[] = [];
  for (const members of Map.groupBy(loaded, ({ row }) => groupKey(row)).values()) {
    const { row } = members[0]!;
    groups.push({
      ...claim,
      mode: row.mode,
      connectionId: row.connection_id,
      connection: await findConnectionFor(trx, operationOf(claim), row),
      claimedAt: trx.now,
      claimed: await buildDocuments(trx, members, operationOf(claim) === "issue"),
    });
  }
  return groups;
}

async function buildDocuments(
  trx: Transaction,
  members: readonly Loaded[],
  isSend: boolean,
): Promise<Claimed[]> {
  const isFirst = ({ row }: Loaded) => isSend && row.attempts === 1;
  const sent = members.filter((one) => !isFirst(one)).map(({ row }) => row.id);
  const firstSends = await findFirstSends(trx, sent);
  const claimed: Claimed[] = [];
  for (const { row, ...accepted } of members) {
    const submittedAt = firstSends.get(row.id) ?? trx.now;
    const conditions = await findConditions(trx, row, isSend);
    claimed.push({ row, document: buildSent(row, accepted, submittedAt, conditions) });
  }
  return claimed;
}

async function findConditions(trx: Transaction, row: DocumentRow, isSend: boolean): Promise<SendConditions> {
  return {
    firstFreeNumber: isSend && row.provider_numbered === 1 ? await findFirstFreeNumber(trx, row) : 1,
    wasNotFound: isSend && row.attempts > 1 && (await hasUnfoundSend(trx, { documentId: row.id })),
  };
}

/** The next number of our own counter of the default series: the provider may be about to open a series of that name. */
async function findFirstFreeNumber(trx: Transaction, row: DocumentRow): Promise<number> {
  const series = defaultSeries(row.type as DocumentType, row.branch);
  const key = counterOf({ ...row, series });
  return key === undefined ? 1 : ((await findSeries(trx, key))?.next_number ?? 1);
}
