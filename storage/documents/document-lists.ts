/** Lists of documents. Each page reads a bounded number of rows, however many are stored. */
import { type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import { type Builder, unindexed } from "../database/dialect.ts";
import type { DocumentRow } from "./documents.ts";
import { EQUAL_NAMES, EQUALS, fetchByDay } from "./documents-by-day.ts";
import {
  applySlice,
  type CreatedRange,
  fetchPage,
  isCreatedIn,
  leavesFew,
  mergeSlices,
  type PageRequest,
  type RowPage,
  type Slice,
} from "../database/lists.ts";
import { type Session, statement } from "../database/session.ts";
import type { Tables } from "../database/schema.ts";
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
  number?: number | undefined;
  /** Cents. */
  gross?: number | undefined;
  /** Only documents for one of them. */
  customers?: readonly CustomerFilter[] | undefined;
  issueDateFrom?: string | undefined;
  issueDateThrough?: string | undefined;
  created: CreatedRange;
}

/** A customer by the hash of its number (`hashNumber`), in any country if none is given. */
export interface CustomerFilter {
  customerHash: string;
  customerCountry?: string | undefined;
}

/** For one customer at most. */
export interface Filters extends Omit<DocumentFilters, "customers">, Partial<CustomerFilter> {
  /** Whether other filters leave fewer documents than those of the customer. */
  isCustomerLast?: boolean;
}

/** The filters that leave few documents, and their columns. Each has an index in the order of ids. */
const NAMING = {
  mark: "mark",
  externalReference: "external_reference",
  customerHash: "customer_hash",
  number: "number",
  gross: "gross",
} as const;
const NAMING_NAMES = Object.keys(NAMING) as (keyof typeof NAMING)[];

/** The order in which an index finds the documents. */
export type Way = "ids" | "dates";

export async function listDocumentRows(
  session: Session,
  { customers, ...filters }: DocumentFilters,
  page: PageRequest,
): Promise<RowPage<DocumentRow> | undefined> {
  const { issueDateFrom, issueDateThrough } = filters;
  const hasDates = issueDateFrom !== undefined || issueDateThrough !== undefined;
  const isNamed = customers !== undefined || isNaming(filters);
  const parts = await findParts(session, { customers, ...filters });
  if (!hasDates || isNamed || (await areFew(session, parts, READ_MAX)))
    return fetchPage(page, (slice) => fetchParts(session, parts, slice));
  // Documents that are accepted meanwhile would be on some days only.
  const newestId = await findNewestId(session);
  const days = await findDays(session, filters);
  const isMerged = await hasAsManyIssued(session, filters, days.length * MERGED_MIN);
  return fetchPage(page, (slice) =>
    isMerged && slice.only === undefined
      ? fetchByDay(session, filters, slice, { days, newestId })
      : fetchDocuments(session, filters, slice, "dates"),
  );
}

function isNaming(filters: Filters): boolean {
  return NAMING_NAMES.some((name) => filters[name] !== undefined && !isLast(filters, name));
}

function isLast({ isCustomerLast }: Filters, name: keyof typeof NAMING): boolean {
  return name === "customerHash" && isCustomerLast === true;
}

type Kind = Pick<DocumentRow, "type" | "provider" | "status">;

const nextKind = statement<Kind & { mode: Mode }>()((db, p) => selectNextKind(db, p));

const nextKindOfMerchant = statement<Kind & { mode: Mode; merchantId: string }>()((db, p) =>
  selectNextKind(db, p).where("merchant_id", "=", p.merchantId),
);

function selectNextKind(db: Builder, p: Kind & { mode: Mode }) {
  return (
    db
      .selectFrom("documents")
      .select(["type", "provider", "status"])
      .where("mode", "=", p.mode)
      // No id is as high. Without it SQLite would read all documents of the kind before.
      .where(sql<SqlBool>`(type, provider, status, id) > (${p.type}, ${p.provider}, ${p.status}, 'doc~')`)
      .orderBy("type")
      .orderBy("provider")
      .orderBy("status")
      .limit(1)
  );
}

/**
 * The filters, or several whose lists are merged: one for each customer; or one for each type, provider and status that the list
 * contains. There are few of them, while a list of two filters by the index of one reads all documents that the other one leaves out.
 */
export async function findParts(
  session: Session,
  { customers, ...filters }: DocumentFilters,
): Promise<Filters[]> {
  if (customers !== undefined) {
    const parts = customers.map((customer) => findCustomerParts(session, { ...filters, ...customer }));
    return (await Promise.all(parts)).flat();
  }
  return isNaming(filters) ? [filters] : findKinds(session, filters);
}

/** Some customers have so many documents that other filters leave fewer. */
async function findCustomerParts(session: Session, filters: Filters): Promise<Filters[]> {
  const { customerHash, ...others } = filters;
  if (isNaming(others)) return [{ ...filters, isCustomerLast: true }];
  const { mode, created } = filters;
  if (EQUAL_NAMES.every((name) => filters[name] === undefined)) return [filters];
  if (await areFew(session, [{ mode, created, customerHash }], READ_MAX)) return [filters];
  const kinds = await findKinds(session, others);
  return Promise.all(
    kinds.map(async (kind) => ({
      ...filters,
      ...kind,
      isCustomerLast: await areFew(session, [kind], READ_MAX),
    })),
  );
}

async function findKinds(session: Session, filters: Filters): Promise<Filters[]> {
  const { mode, merchantId, type, provider, status } = filters;
  if (type === undefined && provider === undefined && (merchantId === undefined || status === undefined))
    return [filters];
  const parts: Filters[] = [];
  let last: Kind | undefined = { type: "", provider: "" as Provider, status: "" as DocumentStatus };
  for (;;) {
    last =
      merchantId === undefined
        ? await session.first(nextKind, { mode, ...last })
        : await session.first(nextKindOfMerchant, { mode, merchantId, ...last });
    if (last === undefined) return parts;
    const isWanted =
      last.type === (type ?? last.type) &&
      last.provider === (provider ?? last.provider) &&
      last.status === (status ?? last.status);
    if (isWanted) parts.push({ ...filters, ...last });
  }
}

async function fetchParts(session: Session, parts: readonly Filters[], slice: Slice): Promise<DocumentRow[]> {
  const lists = await Promise.all(parts.map((part) => fetchDocuments(session, part, slice, "ids")));
  return mergeSlices(lists, slice);
}

const FIRST_DAY = "0000-01-01";
const LAST_DAY = "9999-12-31";

/** All documents that filters leave may be read if they are fewer than this. */
const READ_MAX = 10_000;

/** Whether all parts together read fewer than `limit` documents by their indexes. */
export async function areFew(session: Session, parts: readonly Filters[], limit: number): Promise<boolean> {
  let documents = 0;
  for (const part of parts) {
    if ([...EQUAL_NAMES, ...NAMING_NAMES].every((name) => part[name] === undefined)) return false;
    documents += await countUpTo(session, limit, (db) =>
      isNaming(part)
        ? filterByNames(db.selectFrom("documents").where("mode", "=", part.mode), part)
        : filterByEquals(db.selectFrom("documents"), part, "ids"),
    );
    if (documents >= limit) return false;
  }
  return true;
}

/** With fewer documents a day, reading and sorting all of them takes less time than a query for each day. */
const MERGED_MIN = 10;

/** Whether at least `count` documents were issued in the range. */
export async function hasAsManyIssued(session: Session, filters: Filters, count: number): Promise<boolean> {
  const { mode, issueDateFrom: from = FIRST_DAY, issueDateThrough: through = LAST_DAY } = filters;
  const documents = await countUpTo(session, count, (db) =>
    db
      .selectFrom("documents")
      .where("mode", "=", mode)
      .where("issue_date", ">=", from)
      .where("issue_date", "<=", through),
  );
  return count > 0 && documents >= count;
}

/** The number of documents, counted up to `limit`. */
async function countUpTo(
  session: Session,
  limit: number,
  select: (db: Builder) => SelectQueryBuilder<Tables, "documents", object>,
): Promise<number> {
  const [found] = await session.query((db) =>
    db
      .selectFrom(select(db).select("id").limit(limit).as("found"))
      .select((eb) => eb.fn.countAll<number>().as("documents")),
  );
  return found?.documents ?? 0;
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
  { mode, issueDateFrom: from = FIRST_DAY, issueDateThrough: through = LAST_DAY }: Filters,
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

function fetchDocuments(session: Session, filters: Filters, slice: Slice, way: Way): Promise<DocumentRow[]> {
  return session.query((db) => applySlice(selectFiltered(db, filters, way), slice));
}

/** The documents that all filters leave, found by the index of `way`. */
export function selectFiltered(db: Builder, filters: Filters, way: Way, all = db.selectFrom("documents")) {
  let query = filterByNames(filterByEquals(all, filters, way), filters).selectAll();
  const { customerCountry, issueDateFrom: from, issueDateThrough: through } = filters;
  if (customerCountry !== undefined)
    query = query.where(unindexed<string>("customer_country"), "=", customerCountry);
  const date = way === "dates" ? sql.ref<string>("issue_date") : unindexed<string>("issue_date");
  if (from !== undefined) query = query.where(date, ">=", from);
  if (through !== undefined) query = query.where(date, "<=", through);
  for (const condition of isCreatedIn("doc", filters.created)) query = query.where(condition);
  return query;
}

function filterByNames<O>(query: SelectQueryBuilder<Tables, "documents", O>, filters: Filters) {
  return NAMING_NAMES.reduce((named, name) => {
    const value = filters[name];
    if (value === undefined) return named;
    if (isLast(filters, name)) return named.where(unindexed<unknown>(NAMING[name]), "=", value);
    return named.where(leavesFew(NAMING[name], value));
  }, query);
}

function filterByEquals(all: SelectQueryBuilder<Tables, "documents", object>, filters: Filters, way: Way) {
  let query = all.where("mode", "=", filters.mode);
  for (const name of EQUAL_NAMES) {
    const value = filters[name];
    const column = way === "ids" ? sql.ref<string>(EQUALS[name]) : unindexed<string>(EQUALS[name]);
    if (value !== undefined) query = query.where(column, "=", value);
  }
  return query;
}
