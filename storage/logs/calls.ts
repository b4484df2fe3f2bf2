/** Provider calls, one row for each, written when the exchange has ended. Bodies are in requests.ts. */
import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { textsIn } from "../database/dialect.ts";
import {
  type CreatedRange,
  filterByCreated,
  leavesFew,
  likely,
  type Slice,
  applySlice,
} from "../database/lists.ts";
import type { ProviderCallTable, Tables } from "../database/schema.ts";
import type { Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { allRows, allValues, changeRows, firstRow, firstValue } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";

export type ProviderCallRow = Selectable<ProviderCallTable>;

const attachRow = changeRows<{ id: string; connectionId: string }>()((db, p) =>
  db.updateTable("provider_calls").set({ connection_id: p.connectionId }).where("id", "=", p.id),
);

/** Sets the connection of calls that were made before the connection was stored. */
export async function setConnectionOfCalls(
  trx: Transaction,
  ids: readonly string[],
  connectionId: string,
): Promise<void> {
  for (const id of ids) await attachRow(trx, { id, connectionId });
}

/** When the first send of the document began; undefined if it was never sent. */
export const findFirstSend = firstValue<{ documentId: string }>()((db, p) =>
  db
    .selectFrom("provider_calls")
    .select("started_at")
    .where("document_id", "=", p.documentId)
    .where("operation", "=", "issue")
    .orderBy("id")
    .limit(1),
);

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

/** All calls of a document, oldest first. */
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

export function findCallSlice(
  session: Session,
  filters: CallFilters,
  slice: Slice,
): Promise<ProviderCallRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("provider_calls").selectAll().where("mode", "=", filters.mode);
    if (filters.documentId !== undefined) query = query.where(leavesFew("document_id", filters.documentId));
    return applySlice(filterByStart(query, filters.created), slice);
  });
}

/** Longer than any call, and than most clocks are wrong. */
const DAY_MS = 86_400_000;

/** A call has its id once it has ended, so the ids only narrow the search for those that started in `range`. */
function filterByStart<O>(
  query: SelectQueryBuilder<Tables, "provider_calls", O>,
  { fromMs, throughMs }: CreatedRange,
): SelectQueryBuilder<Tables, "provider_calls", O> {
  const ended = { fromMs, throughMs: throughMs === undefined ? undefined : throughMs + DAY_MS };
  let narrowed = filterByCreated(query, "pcl", ended);
  const started = sql.ref<string>("started_at");
  if (fromMs !== undefined)
    narrowed = narrowed.where(likely(sql`${started} >= ${new Date(fromMs).toISOString()}`));
  if (throughMs !== undefined)
    narrowed = narrowed.where(likely(sql`${started} <= ${new Date(throughMs).toISOString()}`));
  return narrowed;
}

export const findCallRow = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("provider_calls").selectAll().where("id", "=", p.id),
);

export const clearCallUrl = changeRows<{ id: string }>()((db, p) =>
  db.updateTable("provider_calls").set({ url: null }).where("id", "=", p.id),
);
