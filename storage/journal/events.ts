/** Events: appended to the chain (event-chain.ts), and listed with one index for each filter. */
import type { Selectable } from "kysely";
import { textsIn } from "../database/dialect.ts";
import { type ChainedEvent, digestOfEvent, digestRemovable } from "./event-chain.ts";
import {
  type CreatedRange,
  filterByCreated,
  leavesFew,
  sortById,
  mergeSlices,
  type Slice,
  applySlice,
} from "../database/lists.ts";
import type { EventTable } from "../database/schema.ts";
import type { EventType, Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { allRows, firstRow } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

export type EventRow = Selectable<EventTable>;

/** A row of a document's timeline. */
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

export const findEvent = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("events").selectAll().where("id", "=", p.id),
);

/** The first event of a document. */
export const findFirstEvent = firstRow<{ documentId: string }>()((db, p) =>
  db.selectFrom("events").selectAll().where("document_id", "=", p.documentId).orderBy("id").limit(1),
);

/** A longer timeline keeps its first entry and its last 99 (docs/contract.md#timeline). */
const TIMELINE_MAX = 100;

const selectTimeline = allRows<{ documentId: string }>()((db, p) =>
  db.selectFrom("events").select(["id", "type", "created_at"]).where("document_id", "=", p.documentId),
);

/** A document's events, oldest first. A covering index provides them; sorting them here is faster. */
export async function findTimeline(session: Session, documentId: string): Promise<TimelineRow[]> {
  return inOrder(await selectTimeline(session, { documentId }));
}

const selectTimelines = allRows<{ documentIds: readonly string[] }>()((db, p) =>
  db
    .selectFrom("events")
    .select(["document_id", "id", "type", "created_at"])
    .where("document_id", "in", textsIn(p.documentIds)),
);

/** The timelines of several documents, in one query. */
export async function findTimelines(
  session: Session,
  documentIds: readonly string[],
): Promise<Map<string, TimelineRow[]>> {
  const timelines = new Map<string, TimelineRow[]>(documentIds.map((id) => [id, []]));
  if (documentIds.length === 0) return timelines;
  const rows = await selectTimelines(session, { documentIds });
  for (const { document_id, ...entry } of rows) timelines.get(document_id ?? "")?.push(entry);
  for (const [id, entries] of timelines) timelines.set(id, inOrder(entries));
  return timelines;
}

function inOrder(entries: TimelineRow[]): TimelineRow[] {
  const rows = sortById(entries);
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

function fetchEvents(
  session: Session,
  filters: EventFilters,
  slice: Slice,
  type: EventType | undefined,
): Promise<EventRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("events").selectAll().where("mode", "=", filters.mode);
    if (type !== undefined) query = query.where("type", "=", type);
    if (filters.documentId !== undefined) query = query.where(leavesFew("document_id", filters.documentId));
    if (filters.merchantId !== undefined) query = query.where("merchant_id", "=", filters.merchantId);
    return applySlice(filterByCreated(query, "evt", filters.created), slice);
  });
}

/** Queries each type by itself: with several types in one IN, SQLite would read every event between two rare ones. */
export async function findEventSlice(
  session: Session,
  filters: EventFilters,
  slice: Slice,
): Promise<EventRow[]> {
  const types = filters.types === undefined ? [undefined] : [...new Set(filters.types)];
  const lists: EventRow[][] = [];
  for (const type of types) lists.push(await fetchEvents(session, filters, slice, type));
  return lists.length === 1 ? lists[0]! : mergeSlices(lists, slice);
}
