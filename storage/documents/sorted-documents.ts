/**
 * Documents in the order of their dates or amounts, with any filters. A page reads a bounded number of documents: those that the filters
 * leave, if they are few; otherwise those that come next in the index of the order, until the page is full. What takes more is refused,
 * because the filters leave many documents far apart in the order. Only for a file, which reads the whole list, more are read.
 */
import { type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { type Builder, unindexed } from "../database/dialect.ts";
import { leavesFew, type PageRequest, type RowPage } from "../database/lists.ts";
import type { Tables } from "../database/schema.ts";
import type { Session } from "../database/session.ts";
import type { DocumentRow } from "./documents.ts";
import {
  areFew,
  type DocumentFilters,
  type Filters,
  findParts,
  hasAsManyIssued,
  selectFiltered,
  type Way,
} from "./document-lists.ts";

export interface DocumentOrder {
  by: "issue_date" | "gross";
  direction: "asc" | "desc";
}

/** So many documents are read and filtered in about 10 ms. Those of one day are stored near each other. */
const READ_MAX = { gross: 3000, issue_date: 10_000 } as const;
const FEW_MAX = READ_MAX.gross;

/** The part of the order that a page shows: so many documents after a place in it. */
interface Place extends DocumentOrder {
  after: { value: string | number; id: string } | undefined;
  limit: number;
}

interface SortedPage {
  order: DocumentOrder;
  page: PageRequest;
  /** Whether as many documents are read as it takes. */
  isForFile?: boolean | undefined;
}

/** Equal values are in the order of acceptance. Undefined if there is no document of the cursor. */
export async function listSortedRows(
  session: Session,
  filters: DocumentFilters,
  { order: { by, direction }, page, isForFile = false }: SortedPage,
): Promise<RowPage<DocumentRow> | "too_many" | undefined> {
  const { startingAfter, endingBefore, limit } = page;
  const isBackwards = endingBefore !== undefined;
  const id = startingAfter ?? endingBefore;
  const [cursor] =
    id === undefined
      ? []
      : await session.query((db) =>
          db
            .selectFrom("documents")
            .select(by)
            .where(unindexed("mode"), "=", filters.mode)
            .where("id", "=", id),
        );
  if (id !== undefined && cursor === undefined) return undefined;
  const place: Place = {
    by,
    direction: (direction === "desc") === isBackwards ? "asc" : "desc",
    after: cursor && { value: cursor[by], id: id! },
    limit: limit + 1,
  };
  const rows =
    (await fetchFew(session, filters, place)) ?? (await fetchInOrder(session, filters, place, isForFile));
  if (rows === undefined) return "too_many";
  const shown = rows.slice(0, limit);
  return { rows: isBackwards ? shown.toReversed() : shown, hasMore: rows.length > limit };
}

/** Undefined if the filters leave too many documents, or are those that an index of the order has. */
async function fetchFew(
  session: Session,
  filters: DocumentFilters,
  place: Place,
): Promise<DocumentRow[] | undefined> {
  const { customers, ...others } = filters;
  if (isOrdered(others, place) && customers === undefined) return undefined;
  const fetch = async (parts: readonly Filters[], way: Way) => {
    const lists = await Promise.all(
      parts.map((part) =>
        session.query((db) => inPlace(selectFiltered(db, part, way), place, unindexed(place.by))),
      ),
    );
    return lists.flat().sort(compareIn(place)).slice(0, place.limit);
  };
  const parts = await findParts(session, filters);
  if (await areFew(session, parts, FEW_MAX)) return fetch(parts, "ids");
  const hasDates = (others.issueDateFrom ?? others.issueDateThrough) !== undefined;
  if (customers !== undefined || !hasDates || (await hasAsManyIssued(session, others, FEW_MAX)))
    return undefined;
  return fetch([others], "dates");
}

function isOrdered(
  { created, ...filters }: Omit<DocumentFilters, "customers">,
  { by }: DocumentOrder,
): boolean {
  const { mode: _mode, merchantId: _merchant, issueDateFrom, issueDateThrough, ...others } = filters;
  const dates = by === "gross" ? [issueDateFrom, issueDateThrough] : [];
  return [...dates, ...Object.values(created), ...Object.values(others)].every(
    (value) => value === undefined,
  );
}

/** Undefined if the page is not full after so many documents, unless more may be read. */
async function fetchInOrder(
  session: Session,
  filters: DocumentFilters,
  place: Place,
  isForFile: boolean,
): Promise<DocumentRow[] | undefined> {
  const { by, limit } = place;
  const rows: DocumentRow[] = [];
  for (let { after } = place; ; ) {
    const portion = { ...place, after, limit: READ_MAX[by] };
    rows.push(...(await filterPortion(session, filters, portion, limit - rows.length)));
    if (rows.length === limit) return rows;
    const [last] = await session.query((db) =>
      inPlace(selectOrdered(db, filters, by), portion)
        .select(["id", by])
        .offset(portion.limit - 1)
        .limit(1),
    );
    if (last === undefined) return rows;
    if (!isForFile) return undefined;
    after = { value: last[by], id: last.id };
    await new Promise((turn) => setImmediate(turn));
  }
}

/** Up to `count` of the documents of a portion of the order that the filters leave. Those of a subquery with a limit come in its order. */
function filterPortion(
  session: Session,
  { customers, ...filters }: DocumentFilters,
  portion: Place,
  count: number,
): Promise<DocumentRow[]> {
  return session.query((db) => {
    const read = inPlace(selectOrdered(db, filters, portion.by), portion).selectAll();
    const documents = db.selectFrom(read.as("documents")) as unknown as Documents;
    const found = selectFiltered(db, filters, "ids", documents);
    const named = customers?.map(({ customerHash: hash, customerCountry: country }) =>
      country === undefined ? { customer_hash: hash } : { customer_hash: hash, customer_country: country },
    );
    const shown =
      named === undefined ? found : found.where(({ or, and }) => or(named.map((one) => and(one))));
    return shown.limit(count);
  });
}

type Documents = SelectQueryBuilder<Tables, "documents", object>;

/** All documents that an index has in the order, which fewer filters limit. */
function selectOrdered(db: Builder, filters: Omit<DocumentFilters, "customers">, by: DocumentOrder["by"]) {
  const { mode, merchantId, issueDateFrom: from, issueDateThrough: through } = filters;
  let query = db.selectFrom("documents").where("mode", "=", mode);
  if (merchantId !== undefined) query = query.where(leavesFew("merchant_id", merchantId));
  if (by === "issue_date" && from !== undefined) query = query.where(by, ">=", from);
  if (by === "issue_date" && through !== undefined) query = query.where(by, "<=", through);
  return query;
}

function inPlace<O>(
  query: SelectQueryBuilder<Tables, "documents", O>,
  { by, direction, after, limit }: Place,
  column = sql.ref<string | number>(by),
) {
  const place = sql`(${column}, id)`;
  const known = after && sql`(${after.value}, ${after.id})`;
  const found =
    known === undefined
      ? query
      : query.where(
          direction === "desc" ? sql<SqlBool>`${place} < ${known}` : sql<SqlBool>`${place} > ${known}`,
        );
  return found.orderBy(column, direction).orderBy("id", direction).limit(limit);
}

type Compared = Pick<DocumentRow, "id" | DocumentOrder["by"]>;

export function compareIn({ by, direction }: DocumentOrder) {
  const sign = direction === "desc" ? -1 : 1;
  return (one: Compared, other: Compared): number => {
    const isFirst = one[by] === other[by] ? one.id < other.id : one[by] < other[by];
    return isFirst ? -sign : sign;
  };
}
