/**
 * Pages of a list by keyset: newest first, from a cursor onward or back. Ids rise in the order of acceptance, so a page
 * costs one walk along an index whatever is stored, and nothing can appear behind a reader's cursor.
 */
import { type SelectQueryBuilder, sql } from "kysely";
import { idBodyAt, type IdPrefix } from "./ids.ts";
import type { Tables } from "./schema.ts";

/** Which part of a list is fetched: everything of it that a query must obey. */
export interface Slice {
  /** Only ids below this one (older). */
  below?: string;
  /** Only ids above this one (newer). */
  above?: string;
  /** Only this id: whether a cursor is in the list. */
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
  /** More exist past this page in the direction paged. */
  hasMore: boolean;
}

/** Undefined when the cursor is not in the list that `fetch` reads. */
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

/** Narrows `query` to the slice, in its order. Every listed table has `id`. */
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

/** A range of instants, both ends inclusive, in milliseconds. */
export interface CreatedRange {
  fromMs?: number | undefined;
  throughMs?: number | undefined;
}

/** Narrows `query` to what was made in `range`, by id: an index on the instant would have to be read as a whole. */
export function filterByCreated<T extends keyof Tables, O>(
  query: SelectQueryBuilder<Tables, T, O>,
  prefix: IdPrefix,
  range: CreatedRange,
): SelectQueryBuilder<Tables, T, O> {
  const id = sql.ref<string>("id");
  let narrowed = query;
  if (range.fromMs !== undefined) narrowed = narrowed.where(id, ">=", `${prefix}_${idBodyAt(range.fromMs)}`);
  if (range.throughMs !== undefined)
    narrowed = narrowed.where(id, "<", `${prefix}_${idBodyAt(range.throughMs + 1)}`);
  return narrowed;
}

/** Merges lists that are each in the order of the slice: for filters by several values that each have an index. */
export function mergeSlices<R extends { id: string }>(lists: readonly R[][], slice: Slice): R[] {
  const sign = slice.direction === "asc" ? 1 : -1;
  const merged = lists
    .flat()
    .sort((left, right) => (left.id < right.id ? -sign : left.id > right.id ? sign : 0));
  return merged.slice(0, slice.limit);
}

/** Oldest first, in place: for a few rows that were read without an ORDER BY. */
export function sortById<R extends { id: string | number }>(rows: R[]): R[] {
  return rows.sort((left, right) => (left.id < right.id ? -1 : 1));
}
