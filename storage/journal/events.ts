/**
 * Events: appended to the chain (event-chain.ts), with digests by which an event vouches for what its snapshot does not show of a document
 * (docs/contract.md#keyed-audit-chain): the first event for the contents, each later one for the state. Listed with one index for each filter.
 */
import { textsIn } from "../database/dialect.ts";
import { type ChainedEvent, digestOfEvent, digestRemovable } from "./event-chain.ts";
import {
  type CreatedRange,
  fetchSlice,
  isCreatedIn,
  mergeSlices,
  type Slice,
  sortById,
} from "../database/lists.ts";
import type { Row } from "../database/schema.ts";
import type { DocumentInputRow, DocumentRow } from "../documents/documents.ts";
import type { AuditKey } from "../encryption/key-ring.ts";
import type { EventType, Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { allRows, findRow } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

export type EventRow = Row<"events">;

/** Covers everything that is fixed when a document is accepted. */
export function digestOfContents(key: AuditKey, row: DocumentRow, input: DocumentInputRow): Buffer {
  const { input_json: contents, decided_json: decided } = input;
  const head = JSON.stringify([
    "contents",
    row.id,
    row.mode,
    row.merchant_id,
    row.provider,
    row.type,
    row.issue_date,
    row.net,
    row.vat,
    row.gross,
    row.supplier,
    row.branch,
    row.number_given,
    row.provider_numbered,
    row.classification_source,
    row.warnings_json,
    row.external_reference,
    row.metadata_json,
    row.created_at,
    input.letterhead_id,
    contents.length,
    decided.length,
  ]);
  return key.authenticate(`${head}\n${contents}\n${decided}`);
}

/**
 * Covers what issuing adds, once the document has an outcome. A number and uid count only if the document is issued: they can
 * be given up without an event.
 */
export function digestOfState(key: AuditKey, row: DocumentRow): Buffer {
  const isIssued = row.status === "issued";
  return key.authenticate(
    JSON.stringify([
      "state",
      row.id,
      row.status,
      row.connection_id,
      row.provider_ref,
      row.series,
      isIssued ? row.number : null,
      isIssued ? row.uid : null,
      row.mark,
      row.qr_url,
      row.cancellation_mark,
      row.cancelled_at,
      row.authentication_code,
      row.has_filing,
    ]),
  );
}

export interface TimelineRow {
  id: string;
  type: EventType;
  created_at: string;
}

/** Adds the event to the chain, and returns the row to insert. Throws if its id is not the newest. */
export function linkEvent(trx: Transaction, row: ChainedEvent): EventRow {
  const digest = digestOfEvent(trx.auditKey, row, digestRemovable(trx.auditKey, row));
  return { ...row, chain: trx.extendChain(row.id, digest, row.document_id) };
}

export const findEvent = findRow("events", ["id"]);

/** A longer timeline keeps its first entry and its last 99 (docs/contract.md#timeline). */
const TIMELINE_MAX = 100;

const selectTimeline = allRows<{ documentId: string }>()((db, p) =>
  db.selectFrom("events").select(["id", "type", "created_at"]).where("document_id", "=", p.documentId),
);

/** A document's events, oldest first. PostgreSQL finds them by the index even before it has statistics, unlike those of several. */
export async function findTimeline(session: Session, documentId: string): Promise<TimelineRow[]> {
  return shortenTimeline(sortById(await selectTimeline(session, { documentId })));
}

const selectTimelines = allRows<{ documentIds: readonly string[] }>()((db, p) =>
  db
    .selectFrom("events")
    .select(["document_id", "id", "type", "created_at"])
    .where("document_id", "in", textsIn(p.documentIds)),
);

/** The timelines of several documents, in one query. A covering index provides them; sorting them here is faster. */
export async function findTimelines(
  session: Session,
  documentIds: readonly string[],
): Promise<Map<string, TimelineRow[]>> {
  const timelines = new Map<string, TimelineRow[]>(documentIds.map((id) => [id, []]));
  if (documentIds.length === 0) return timelines;
  const rows = await selectTimelines(session, { documentIds });
  for (const { document_id, ...entry } of rows) timelines.get(document_id ?? "")?.push(entry);
  for (const [id, entries] of timelines) timelines.set(id, shortenTimeline(sortById(entries)));
  return timelines;
}

export function shortenTimeline(rows: TimelineRow[]): TimelineRow[] {
  if (rows.length > TIMELINE_MAX) rows.splice(1, rows.length - TIMELINE_MAX);
  return rows;
}

export interface EventFilters {
  mode: Mode;
  /** Events of any of these types; undefined for all. */
  types?: readonly EventType[] | undefined;
  documentId?: string | undefined;
  merchantId?: string | undefined;
  created: CreatedRange;
}

/** Queries each type by itself: with several types in one IN, SQLite would read every event between two rare ones. */
export async function findEventSlice(
  session: Session,
  { mode, types, documentId, merchantId, created }: EventFilters,
  slice: Slice,
): Promise<EventRow[]> {
  const filters = { few: { document_id: documentId }, also: isCreatedIn("evt", created) };
  const lists: EventRow[][] = [];
  for (const type of types === undefined ? [undefined] : new Set(types)) {
    const equal = { mode, type, merchant_id: merchantId };
    lists.push(await fetchSlice(session, "events", { equal, ...filters }, slice));
  }
  return lists.length === 1 ? lists[0]! : mergeSlices(lists, slice);
}
