/** Provider calls: inserted before the request is sent, completed with its outcome. Bodies are in storage/logs/bodies.ts. */
import { type Insertable, type Selectable, sql } from "kysely";
import { elementsOf, textsIn } from "../database/dialect.ts";
import {
  type CreatedRange,
  filterByCreated,
  fetchPage,
  leavesFew,
  type PageRequest,
  type RowPage,
  type Slice,
  applySlice,
} from "../database/lists.ts";
import type { ProviderCallTable } from "../database/schema.ts";
import type { CallOperation, Mode, Provider, StoredCallOutcome } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { rowStatement, statement } from "../database/statement.ts";
import type { Transaction } from "../database/write.ts";

export type ProviderCallRow = Selectable<ProviderCallTable>;

const insertRow = rowStatement<Insertable<ProviderCallTable>>()((db, row) =>
  db.insertInto("provider_calls").values(row),
);

export async function insertCall(trx: Transaction, row: ProviderCallRow): Promise<void> {
  await trx.run(insertRow, row);
}

/** `calls`: a JSON array of arrays, each with an id, a merchant and a document. */
const insertRows = statement<Omit<CallBegin, "calls"> & { startedAt: string; calls: string }>()((db, p) =>
  db
    .insertInto("provider_calls")
    .columns([
      "id",
      "merchant_id",
      "document_id",
      "mode",
      "provider",
      "operation",
      "connection_id",
      "started_at",
      "purpose",
      "outcome",
      "duration_ms",
      "open",
    ])
    .expression(
      sql`select value ->> 0, value ->> 1, value ->> 2, ${p.mode}, ${p.provider}, ${p.operation}, ${p.connectionId},
        ${p.startedAt}, 'operation', 'unknown', 0, 1 from ${elementsOf(p.calls)}`,
    ),
);

/** Calls about documents that begin together. */
export interface CallBegin {
  mode: Mode;
  provider: Provider;
  operation: CallOperation;
  connectionId: string | null;
  calls: readonly { id: string; merchantId: string; documentId: string }[];
}

/** Inserts the rows of calls that are about to be made. */
export async function insertCalls(trx: Transaction, begin: CallBegin): Promise<void> {
  const calls = begin.calls.map(({ id, merchantId, documentId }) => [id, merchantId, documentId]);
  await trx.run(insertRows, { ...begin, startedAt: trx.now, calls: JSON.stringify(calls) });
}

const attachRow = statement<{ id: string; connectionId: string }>()((db, p) =>
  db.updateTable("provider_calls").set({ connection_id: p.connectionId }).where("id", "=", p.id),
);

/** Sets the connection of calls that were made before the connection was stored. */
export async function setConnectionOfCalls(
  trx: Transaction,
  ids: readonly string[],
  connectionId: string,
): Promise<void> {
  for (const id of ids) await trx.run(attachRow, { id, connectionId });
}

/** The outcome of a call: a response, or the lack of one. */
export interface CallCompletion {
  id: string;
  outcome: StoredCallOutcome;
  settledAt: string | null;
  httpStatus: number | null;
  durationMs: number;
  errorJson: string | null;
  url: string | null;
  bodyId: string | null;
}

const completeRow = statement<CallCompletion>()((db, p) =>
  db
    .updateTable("provider_calls")
    .set({
      outcome: p.outcome,
      settled_at: p.settledAt,
      http_status: p.httpStatus,
      duration_ms: p.durationMs,
      error_json: p.errorJson,
      url: p.url,
      body_id: p.bodyId,
      open: 0,
    })
    .where("id", "=", p.id),
);

export async function completeCall(trx: Transaction, completion: CallCompletion): Promise<void> {
  await trx.run(completeRow, completion);
}

const selectOpen = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("provider_calls").selectAll().where("document_id", "=", p.documentId).where("open", "=", 1),
);

/** Calls of the document without an outcome: still in progress, or their process died. */
export function findOpenCalls(session: Session, documentId: string): Promise<ProviderCallRow[]> {
  return session.all(selectOpen, { documentId });
}

const selectAbandoned = statement<{ before: string; after: string; limit: number }>()((db, p) =>
  db
    .selectFrom("provider_calls")
    .selectAll()
    .where("open", "=", sql.lit(1))
    .where((eb) => eb.or([eb("started_at", "<", p.before), eb("started_at", ">", p.after)]))
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("documents")
            .select("documents.id")
            .whereRef("documents.id", "=", "provider_calls.document_id")
            .where("documents.lease_until", "is not", null),
        ),
      ),
    )
    .limit(p.limit),
);

/** Calls without an outcome that began before `before` or, by a wrong clock, after `after`, and whose document nobody works on. */
export function findAbandonedCalls(
  session: Session,
  by: { before: string; after: string; limit: number },
): Promise<ProviderCallRow[]> {
  return session.all(selectAbandoned, by);
}

const selectFirstSend = statement<{ documentId: string }>()((db, p) =>
  db
    .selectFrom("provider_calls")
    .select("started_at")
    .where("document_id", "=", p.documentId)
    .where("operation", "=", "issue")
    .orderBy("id")
    .limit(1),
);

/** When the first send of the document began; undefined if it was never sent. */
export async function findFirstSend(session: Session, documentId: string): Promise<string | undefined> {
  return (await session.first(selectFirstSend, { documentId }))?.started_at;
}

const selectFirstSends = statement<{ documentIds: string }>()((db, p) =>
  db
    .selectFrom("provider_calls")
    .select(["document_id", (eb) => eb.fn.min("started_at").as("started_at")])
    .where("document_id", "in", textsIn(p.documentIds))
    .where("operation", "=", "issue")
    .groupBy("document_id"),
);

/** When the first send of each document began, without documents that were never sent. */
export async function findFirstSends(
  session: Session,
  documentIds: readonly string[],
): Promise<Map<string | null, string>> {
  if (documentIds.length === 0) return new Map();
  const rows = await session.all(selectFirstSends, { documentIds: JSON.stringify(documentIds) });
  return new Map(rows.map(({ document_id, started_at }) => [document_id, started_at]));
}

const selectCalls = statement<{ documentId: string }>()((db, p) =>
  db.selectFrom("provider_calls").selectAll().where("document_id", "=", p.documentId).orderBy("id"),
);

/** All calls of a document, oldest first. */
export function listCallsOfDocument(session: Session, documentId: string): Promise<ProviderCallRow[]> {
  return session.all(selectCalls, { documentId });
}

/** All given filters apply. */
export interface CallFilters {
  mode: Mode;
  documentId?: string | undefined;
  created: CreatedRange;
}

function fetchCalls(session: Session, filters: CallFilters, slice: Slice): Promise<ProviderCallRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("provider_calls").selectAll().where("mode", "=", filters.mode);
    if (filters.documentId !== undefined) query = query.where(leavesFew("document_id", filters.documentId));
    return applySlice(filterByCreated(query, "pcl", filters.created), slice);
  });
}

/** Undefined when the cursor is not in the list. */
export function listCallRows(
  session: Session,
  filters: CallFilters,
  page: PageRequest,
): Promise<RowPage<ProviderCallRow> | undefined> {
  return fetchPage(page, (slice) => fetchCalls(session, filters, slice));
}

/** Calls with ids above `after`, or all of them, oldest first. Used to follow the list. */
export function listCallsAfter(
  session: Session,
  filters: CallFilters,
  after: string | undefined,
  limit: number,
): Promise<ProviderCallRow[]> {
  return fetchCalls(session, filters, {
    ...(after === undefined ? {} : { above: after }),
    direction: "asc",
    limit,
  });
}

const selectById = statement<{ id: string }>()((db, p) =>
  db.selectFrom("provider_calls").selectAll().where("id", "=", p.id),
);

export function findCallRow(session: Session, id: string): Promise<ProviderCallRow | undefined> {
  return session.first(selectById, { id });
}

const clearUrl = statement<{ id: string }>()((db, p) =>
  db.updateTable("provider_calls").set({ url: null }).where("id", "=", p.id),
);

export async function clearCallUrl(trx: Transaction, id: string): Promise<void> {
  await trx.run(clearUrl, { id });
}
