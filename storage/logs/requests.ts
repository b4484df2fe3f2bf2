/** The log of API requests, one row for each, and the encrypted bodies of requests and provider calls in their own table. */
import type { Selectable } from "kysely";
import { type CreatedRange, filterByCreated, leavesFew, type Slice, applySlice } from "../database/lists.ts";
import type { RequestTable, BodyTable } from "../database/schema.ts";
import type { Mode } from "../stored-values.ts";
import type { Session } from "../database/session.ts";
import { firstRow, changeRows } from "../database/queries.ts";

export type RequestRow = Selectable<RequestTable>;

export const findRequestRow = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("requests").selectAll().where("id", "=", p.id),
);

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
  filters: RequestFilters,
  slice: Slice,
): Promise<RequestRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("requests").selectAll().where("mode", "=", filters.mode);
    if (filters.requestId !== undefined) query = query.where(leavesFew("request_id", filters.requestId));
    if (filters.documentId !== undefined) query = query.where(leavesFew("document_id", filters.documentId));
    if (filters.operationId !== undefined) query = query.where("operation_id", "=", filters.operationId);
    if (filters.status !== undefined) query = query.where("status", "=", filters.status);
    const { fromMs, throughMs } = filters.created;
    if (fromMs !== undefined) query = query.where("created_at", ">=", new Date(fromMs).toISOString());
    if (throughMs !== undefined) query = query.where("created_at", "<=", new Date(throughMs).toISOString());
    const written = {
      fromMs,
      throughMs: throughMs === undefined ? undefined : throughMs + REQUEST_LAG_MS_MAX,
    };
    return applySlice(filterByCreated(query, "rql", written), slice);
  });
}

export type BodyRow = Selectable<BodyTable>;

export const findBody = firstRow<{ id: string }>()((db, p) =>
  db.selectFrom("bodies").selectAll().where("id", "=", p.id),
);

export const replaceBody = changeRows<{ id: string; sealed: Uint8Array }>()((db, p) =>
  db.updateTable("bodies").set({ sealed: p.sealed }).where("id", "=", p.id),
);

export const deleteBody = changeRows<{ id: string }>()((db, p) =>
  db.deleteFrom("bodies").where("id", "=", p.id),
);
