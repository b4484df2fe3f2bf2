/**
 * Keyset pagination of lists, newest first, in both directions from a cursor (docs/contract.md#pagination). Ids increase in
 * the order of creation, so a page costs the same however much is stored, and no row can appear on a page already read.
 */
import {
  type Compilable,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  type SqlBool,
} from "kysely";
import { perEngine } from "./dialect.ts";
import { idBodyAt, type IdPrefix } from "./ids.ts";
import type { Tables } from "./schema.ts";
import type { Session } from "./session.ts";

export interface Slice {
  /** Only ids below this one (older). */
  below?: string;
  /** Only ids above this one (newer). */
  above?: string;
  /** Only this id, to check that a cursor is in the list. */
  only?: string;
  direction: "asc" | "desc";
  limit: number;
}

export interface PageRequest {
  limit: number;
  startingAfter?: string | undefined;
  endingBefore?: string | undefined;
}

export interface RowPage<R> {
  /** Newest first. */
  rows: R[];
  /** Whether there are more rows in the direction of paging. */
  hasMore: boolean;
}

/** Undefined if the cursor is not in the list that `fetch` reads. */
export async function fetchPage<R extends { id: string }>(
  page: PageRequest,
  fetch: (slice: Slice) => Promise<R[]>,
): Promise<RowPage<R> | undefined> {
  const cursor = page.startingAfter ?? page.endingBefore;
  if (cursor !== undefined) {
    const [found] = await fetch({ only: cursor, direction: "desc", limit: 1 });
    if (found === undefined) return undefined;
  }
  const limit = page.limit + 1;
  const newer = page.endingBefore !== undefined;
  const rows = await fetch(
    newer
      ? { above: page.endingBefore!, direction: "asc", limit }
      : {
          ...(page.startingAfter === undefined ? {} : { below: page.startingAfter }),
          direction: "desc",
          limit,
        },
  );
  const hasMore = rows.length > page.limit;
  const shown = hasMore ? rows.slice(0, page.limit) : rows;
  return { rows: newer ? shown.toReversed() : shown, hasMore };
}

/** Limits `query` to the slice, in its order. Every listed table has an `id`. */
export function applySlice<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  slice: Slice,
): SelectQueryBuilder<Tables, T, O> {
  const id = sql.ref<string>("id");
  let narrowed = query;
  if (slice.only !== undefined) narrowed = narrowed.where(id, "=", slice.only);
  if (slice.below !== undefined) narrowed = narrowed.where(id, "<", slice.below);
  if (slice.above !== undefined) narrowed = narrowed.where(id, ">", slice.above);
  return narrowed.orderBy(id, slice.direction).limit(slice.limit);
}

/** Values of columns that a row must have. Undefined ones do not matter. */
type Equals<Table extends keyof Tables> = { [Column in keyof Tables[Table]]?: string | number | undefined };

interface ListFilters<Table extends keyof Tables> {
  equal: Equals<Table>;
  /** Those that leave few rows (`leavesFew`). */
  few?: Equals<Table>;
  also?: readonly RawBuilder<SqlBool>[];
}

export function fetchSlice<Table extends keyof Tables>(
  session: Session,
  table: Table,
  { equal, few = {}, also = [] }: ListFilters<Table>,
  slice: Slice,
): Promise<Selectable<Tables[Table]>[]> {
  const conditions = [
    ...conditionsOf(equal, (column, value) => sql<SqlBool>`${sql.ref(column)} = ${value}`),
    ...conditionsOf(few, leavesFew),
    ...also,
  ];
  return session.query((db) => {
    const rows = db.selectFrom(table as "events").selectAll();
    const filtered = conditions.reduce((query, condition) => query.where(condition), rows);
    return applySlice(filtered, slice) as Compilable<unknown> as Compilable<Selectable<Tables[Table]>>;
  });
}

function conditionsOf(
  equals: Readonly<Record<string, string | number | undefined>>,
  build: (column: string, value: string | number) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool>[] {
  return Object.entries(equals).flatMap(([column, value]) =>
    value === undefined ? [] : build(column, value),
  );
}

/** A range of instants, both ends inclusive, in milliseconds. */
export interface CreatedRange {
  fromMs?: number | undefined;
  throughMs?: number | undefined;
}

/**
 * Conditions: the row was created in `range`, by its id, which saves an index on the creation time. SQLite assumes that a range
 * leaves few rows, so it would read the whole range instead of using the index of another filter. `likely` corrects that.
 */
export function isCreatedIn(prefix: IdPrefix, { fromMs, throughMs }: CreatedRange): RawBuilder<SqlBool>[] {
  const id = sql.ref("id");
  const first = (ms: number) => `${prefix}_${idBodyAt(ms)}`;
  return [
    ...(fromMs === undefined ? [] : [likely(sql`${id} >= ${first(fromMs)}`)]),
    ...(throughMs === undefined ? [] : [likely(sql`${id} < ${first(throughMs + 1)}`)]),
  ];
}

export function likely(condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return perEngine({ sqlite: sql`likely(${condition})`, postgres: condition });
}

/** A filter that leaves few rows. SQLite assumes that of every filter, and would read the index of another one. */
export function leavesFew(column: string, value: string | number): RawBuilder<SqlBool> {
  const isEqual = sql<SqlBool>`${sql.ref(column)} = ${value}`;
  return perEngine({ sqlite: sql`likelihood(${isEqual}, 0.000001)`, postgres: isEqual });
}

/** Merges lists that are each in the order of the slice. For filters by several values, queried one by one. */
export function mergeSlices<R extends { id: string }>(lists: readonly R[][], slice: Slice): R[] {
  const sign = slice.direction === "asc" ? 1 : -1;
  const merged = lists
    .flat()
    .sort((left, right) => (left.id < right.id ? -sign : left.id > right.id ? sign : 0));
  return merged.slice(0, slice.limit);
}

/** Sorts a few rows in place, oldest first. */
export function sortById<R extends { id: string | number }>(rows: R[]): R[] {
  return rows.sort((left, right) => (left.id < right.id ? -1 : 1));
}
