/** Documents in the order of their dates or amounts. Each page reads the entries of one index that it shows. */
import { sql, type SqlBool } from "kysely";
import { type Builder, unindexed } from "../database/dialect.ts";
import { leavesFew, type PageRequest, type RowPage } from "../database/lists.ts";
import type { Session } from "../database/session.ts";
import type { Mode } from "../stored-values.ts";
import type { DocumentRow } from "./documents.ts";

/** No other filter, because those left out would be read too. */
export interface SortedFilters {
  mode: Mode;
  merchantId?: string | undefined;
  /** Only in the order of dates. */
  issueDateFrom?: string | undefined;
  issueDateThrough?: string | undefined;
}

export interface DocumentOrder {
  by: "issue_date" | "gross";
  direction: "asc" | "desc";
}

/** Equal values are in the order of acceptance. Undefined if the cursor is not in the list. */
export async function listSortedRows(
  session: Session,
  filters: SortedFilters,
  { order, page }: { order: DocumentOrder; page: PageRequest },
): Promise<RowPage<DocumentRow> | undefined> {
  const { by } = order;
  const isBackwards = page.endingBefore !== undefined;
  const isDescending = (order.direction === "desc") !== isBackwards;
  const id = page.startingAfter ?? page.endingBefore;
  const [cursor] =
    id === undefined
      ? []
      : await session.query((db) =>
          filtered(db, filters, unindexed(by)).select(["id", by]).where("id", "=", id),
        );
  if (id !== undefined && cursor === undefined) return undefined;
  const rows = await session.query((db) => {
    let query = filtered(db, filters, sql.ref(by)).selectAll();
    if (cursor !== undefined) {
      const place = sql`(${sql.ref(by)}, id)`;
      const known = sql`(${cursor[by]}, ${cursor.id})`;
      query = query.where(
        isDescending ? sql<SqlBool>`${place} < ${known}` : sql<SqlBool>`${place} > ${known}`,
      );
    }
    const direction = isDescending ? "desc" : "asc";
    return query
      .orderBy(by, direction)
      .orderBy("id", direction)
      .limit(page.limit + 1);
  });
  const shown = rows.slice(0, page.limit);
  return { rows: isBackwards ? shown.toReversed() : shown, hasMore: rows.length > page.limit };
}

function filtered(db: Builder, filters: SortedFilters, date: ReturnType<typeof sql<string>>) {
  const { mode, merchantId, issueDateFrom: from, issueDateThrough: through } = filters;
  let query = db.selectFrom("documents").where("mode", "=", mode);
  if (merchantId !== undefined) query = query.where(leavesFew("merchant_id", merchantId));
  if (from !== undefined) query = query.where(date, ">=", from);
  if (through !== undefined) query = query.where(date, "<=", through);
  return query;
}
