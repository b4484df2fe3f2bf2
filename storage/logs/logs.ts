/**
 * The logs: API requests and provider calls, one row for each, and the encrypted bodies of both in their own table. A call is written
 * when the exchange has ended.
 */
import { sql, type SqlBool } from "kysely";
import { textsIn } from "../database/dialect.ts";
import { type CreatedRange, fetchSlice, isCreatedIn, likely, type Slice } from "../database/lists.ts";
import { allRows, allValues, deleteRow, findRow, updateRow } from "../database/queries.ts";
import type { Row } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import type { Mode } from "../stored-values.ts";

export type RequestRow = Row<"requests">;

export const findRequestRow = findRow("requests", ["id"]);

/** All given filters apply. */
export interface RequestFilters {
  mode: Mode;
  status?: number | undefined;
  operationId?: string | undefined;
  documentId?: string | undefined;
  requestId?: string | undefined;
  created: CreatedRange;
}

/**
 * The longest time between the arrival of a request and the write of its row. Ids follow the time of the write, so a range
 * of arrivals corresponds to a range of ids that ends later by this.
 */
export const REQUEST_LAG_MS_MAX = 600_000;

export function findRequestSlice(
  session: Session,
  { mode, status, operationId, documentId, requestId, created }: RequestFilters,
  slice: Slice,
): Promise<RequestRow[]> {
  const { fromMs, throughMs } = created;
  const written = { fromMs, throughMs: throughMs === undefined ? undefined : throughMs + REQUEST_LAG_MS_MAX };
  const filters = {
    equal: { mode, operation_id: operationId, status },
    few: { request_id: requestId, document_id: documentId },
    also: [...isBetween("created_at", created), ...isCreatedIn("rql", written)],
  };
  return fetchSlice(session, "requests", filters, slice);
}

function isBetween(column: string, { fromMs, throughMs }: CreatedRange) {
  const instant = (ms: number) => new Date(ms).toISOString();
  return [
    ...(fromMs === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} >= ${instant(fromMs)}`]),
    ...(throughMs === undefined ? [] : [sql<SqlBool>`${sql.ref(column)} <= ${instant(throughMs)}`]),
  ];
}

export type ProviderCallRow = Row<"provider_calls">;

/** For calls that were made before the connection was stored. */
export const setConnectionOfCall = updateRow("provider_calls", ["id"], ["connection_id"]);

const selectFirstSends = allRows<{ documentIds: readonly string[] }>()((db, p) =>
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
  const rows = await selectFirstSends(session, { documentIds });
  return new Map(rows.map(({ document_id, started_at }) => [document_id, started_at]));
}

/** When the first send of the document began; undefined if it was never sent. */
export async function findFirstSend(session: Session, documentId: string): Promise<string | undefined> {
  return (await findFirstSends(session, [documentId])).get(documentId);
}

export const listCallsOfDocument = allRows<{ documentId: string }>()((db, p) =>
  db.selectFrom("provider_calls").selectAll().where("document_id", "=", p.documentId).orderBy("id"),
);

/** The errors of the document's last calls, as JSON, newest first. */
export const findLastErrors = allValues<{ documentId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("provider_calls")
    .select((eb) => eb.ref("error_json").$notNull().as("error_json"))
    .where("document_id", "=", p.documentId)
    .where("error_json", "is not", null)
    .orderBy("id", "desc")
    .limit(p.limit),
);

/** All given filters apply. */
export interface CallFilters {
  mode: Mode;
  documentId?: string | undefined;
  created: CreatedRange;
}

/** Longer than any call, and than most clocks are wrong. */
const DAY_MS = 86_400_000;

export function findCallSlice(
  session: Session,
  { mode, documentId, created }: CallFilters,
  slice: Slice,
): Promise<ProviderCallRow[]> {
  const { fromMs, throughMs } = created;
  // A call has its id once it has ended, so the ids only narrow the search for those that started in the range.
  const ended = { fromMs, throughMs: throughMs === undefined ? undefined : throughMs + DAY_MS };
  const also = [...isCreatedIn("pcl", ended), ...isBetween("started_at", created).map(likely)];
  return fetchSlice(
    session,
    "provider_calls",
    { equal: { mode }, few: { document_id: documentId }, also },
    slice,
  );
}

export const findCallRow = findRow("provider_calls", ["id"]);

export const setCallUrl = updateRow("provider_calls", ["id"], ["url"]);

export type BodyRow = Row<"bodies">;

export const findBody = findRow("bodies", ["id"]);

export const replaceBody = updateRow("bodies", ["id"], ["sealed"]);

export const deleteBody = deleteRow("bodies", ["id"]);
