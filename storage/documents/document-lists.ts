/** Lists of documents. Each page reads a bounded number of rows, however many are stored. */
import { sql } from "kysely";
import { unindexed } from "../database/dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { fetchByDay, type Indexed, INDEXED } from "./documents-by-day.ts";
import {
  applySlice,
  type CreatedRange,
  fetchPage,
  filterByCreated,
  leavesFew,
  type PageRequest,
  type RowPage,
  type Slice,
} from "../database/lists.ts";
import type { Session } from "../database/session.ts";
import type { DocumentStatus, Mode, Provider } from "../stored-values.ts";

/** The filters of a list of documents. All given filters apply. */
export interface DocumentFilters {
  mode: Mode;
  merchantId?: string | undefined;
  status?: DocumentStatus | undefined;
  type?: string | undefined;
  provider?: Provider | undefined;
  mark?: string | undefined;
  externalReference?: string | undefined;
  issueDateFrom?: string | undefined;
  issueDateThrough?: string | undefined;
  created: CreatedRange;
}

const INDEXED_NAMES = Object.keys(INDEXED) as Indexed[];

/** By whose indexes the documents are found: those of all filters, of one filter, or of the range of issue dates. */
type Way = "all" | "issue dates" | Indexed;

/** Undefined if the cursor is not in the list. */
export async function listDocumentRows(
  session: Session,
  filters: DocumentFilters,
  page: PageRequest,
): Promise<RowPage<DocumentRow> | undefined> {
  const { issueDateFrom, issueDateThrough, mark, externalReference } = filters;
  const hasDates = issueDateFrom !== undefined || issueDateThrough !== undefined;
  const isNamed = mark !== undefined || externalReference !== undefined;
  if (!hasDates || isNamed) {
    const way = !isNamed && isRareStatus(filters.status) ? "status" : "all";
    return fetchPage(page, (slice) => fetchDocuments(session, filters, slice, way));
  }
  const rare = await findRareFilter(session, filters);
  if (rare !== undefined) return fetchPage(page, (slice) => fetchDocuments(session, filters, slice, rare));
  // Documents that are accepted meanwhile would be on some days only.
  const newestId = await findNewestId(session);
  const days = await findDays(session, filters);
  const isMerged = await hasAsManyIssued(session, filters, days.length * MERGED_MIN);
  return fetchPage(page, (slice) =>
    isMerged && slice.only === undefined
      ? fetchByDay(session, filters, slice, { days, newestId })
      : fetchDocuments(session, filters, slice, "issue dates"),
  );
}

/**
 * Nearly all documents end as issued, so the index of any other status leads to few. SQLite does not know that: it would read all
 * documents of a type to find the pending ones.
 */
function isRareStatus(status: DocumentStatus | undefined): boolean {
  return status !== undefined && status !== "issued";
}

const FIRST_DAY = "0000-01-01";
const LAST_DAY = "9999-12-31";

/** A filter that leaves fewer documents than this is used to find them, and the dates of all of them are read. */
const READ_MAX = 10_000;

async function findRareFilter(session: Session, filters: DocumentFilters): Promise<Indexed | undefined> {
  for (const name of INDEXED_NAMES) {
    const value = filters[name];
    if (value === undefined) continue;
    const [found] = await session.query((db) =>
      db
        .selectFrom((inner) =>
          inner
            .selectFrom("documents")
            .select("id")
            .where("mode", "=", filters.mode)
            .where(INDEXED[name], "=", value)
            .limit(READ_MAX)
            .as("found"),
        )
        .select((eb) => eb.fn.countAll<number>().as("documents")),
    );
    if (Number(found?.documents ?? 0) < READ_MAX) return name;
  }
  return undefined;
}

/** With fewer documents a day, reading and sorting all of them takes less time than a query for each day. */
const MERGED_MIN = 10;

/** Whether at least `count` documents were issued in the range. */
async function hasAsManyIssued(session: Session, filters: DocumentFilters, count: number): Promise<boolean> {
  const { mode, issueDateFrom: from = FIRST_DAY, issueDateThrough: through = LAST_DAY } = filters;
  const [found] = await session.query((db) =>
    db
      .selectFrom((inner) =>
        inner
          .selectFrom("documents")
          .select("id")
          .where("mode", "=", mode)
          .where("issue_date", ">=", from)
          .where("issue_date", "<=", through)
          .limit(count)
          .as("found"),
      )
      .select((eb) => eb.fn.countAll<number>().as("documents")),
  );
  return count > 0 && Number(found?.documents ?? 0) >= count;
}

async function findNewestId(session: Session): Promise<string> {
  const [newest] = await session.query((db) =>
    db.selectFrom("documents").select("id").orderBy("id", "desc").limit(1),
  );
  return newest?.id ?? "";
}

/** The days in the range on which documents were issued, newest first. Reads one entry of the index for each. */
async function findDays(
  session: Session,
  { mode, issueDateFrom: from = FIRST_DAY, issueDateThrough: through = LAST_DAY }: DocumentFilters,
): Promise<string[]> {
  const days = sql<{ day: string }>`
    with recursive days (day) as (
      select (select issue_date from documents
        where mode = ${mode} and issue_date >= ${from} and issue_date <= ${through}
        order by issue_date desc limit 1)
      union all
      select (select issue_date from documents
        where mode = ${mode} and issue_date >= ${from} and issue_date < days.day
        order by issue_date desc limit 1)
      from days where days.day is not null
    ) select day from days where day is not null`;
  const rows = await session.query<{ day: string }>((db) => ({ compile: () => days.compile(db) }));
  return rows.map(({ day }) => day);
}

function fetchDocuments(
  session: Session,
  filters: DocumentFilters,
  slice: Slice,
  way: Way,
): Promise<DocumentRow[]> {
  return session.query((db) => {
    let query = db.selectFrom("documents").selectAll().where("mode", "=", filters.mode);
    for (const name of INDEXED_NAMES) {
      const value = filters[name];
      const isUsed = way === "all" || way === name;
      if (value !== undefined)
        query = query.where(
          isUsed ? sql.ref<string>(INDEXED[name]) : unindexed<string>(INDEXED[name]),
          "=",
          value,
        );
    }
    if (filters.mark !== undefined) query = query.where(leavesFew("mark", filters.mark));
    if (filters.externalReference !== undefined)
      query = query.where(leavesFew("external_reference", filters.externalReference));
    const { issueDateFrom: from, issueDateThrough: through } = filters;
    const date = way === "issue dates" ? sql.ref<string>("issue_date") : unindexed<string>("issue_date");
    if (from !== undefined) query = query.where(date, ">=", from);
    if (through !== undefined) query = query.where(date, "<=", through);
    return applySlice(filterByCreated(query, "doc", filters.created), slice);
  });
}
