/**
 * Reads one row of a list by its id, a page of rows as a list object (docs/contract.md#pagination), all rows in portions, or a list as it
 * grows.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type IdPrefix, isId } from "../../storage/database/ids.ts";
import {
  type CreatedRange,
  fetchPage,
  type PageRequest,
  type RowPage,
  type Slice,
} from "../../storage/database/lists.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { AppError, type Problem, validationError } from "./errors.ts";
import { idOfThisList, UNKNOWN_LIST_ID } from "./messages.ts";

/** Kinds of objects of a mode, as they follow "There is no such" in English and "Δεν υπάρχει" in Greek. */
const KINDS = {
  con: ["connection", "τέτοια σύνδεση"],
  cs: ["connect session", "τέτοια συνεδρία σύνδεσης"],
  doc: ["document", "τέτοιο παραστατικό"],
  evt: ["event", "τέτοιο συμβάν"],
  pcl: ["provider call", "τέτοια κλήση παρόχου"],
  rql: ["request", "τέτοιο αίτημα"],
  we: ["webhook endpoint", "τέτοιος παραλήπτης webhook"],
} as const satisfies Partial<Record<IdPrefix, readonly [en: string, el: string]>>;

/** The row that `find` finds by its id. Throws `not_found`, also for a row of the other mode. */
export async function requireInMode<R extends { mode: Mode }>(
  prefix: keyof typeof KINDS,
  mode: Mode,
  id: string,
  find: (by: { id: string }) => Promise<R | undefined>,
): Promise<R> {
  return inMode(prefix, mode, isId(id, prefix) ? await find({ id }) : undefined);
}

/** The row. Throws `not_found` if there is none in this mode. */
export function inMode<R extends { mode: Mode }>(
  prefix: keyof typeof KINDS,
  mode: Mode,
  row: R | undefined,
): R {
  if (row !== undefined && row.mode === mode) return row;
  const [en, el] = KINDS[prefix];
  throw new AppError("not_found", {
    en: `There is no such ${en} in this mode`,
    el: `Δεν υπάρχει ${el} σε αυτή τη λειτουργία`,
  });
}

/** A page of a list, newest first. */
export interface Page<T> {
  object: "list";
  data: T[];
  has_more: boolean;
}

/** The cursors are ids; only one may be given. */
export interface PageQuery {
  /** 1 to 100. */
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

const BOTH_CURSORS: Problem = {
  path: "ending_before",
  message: { en: "cannot be used together with starting_after", el: "δεν συνδυάζεται με το starting_after" },
};

/** The checked page request. Throws `validation_failed` for two cursors or the id of another resource. */
export function pageRequest(
  { limit, starting_after: startingAfter, ending_before: endingBefore }: PageQuery,
  prefix: IdPrefix,
): PageRequest {
  const problems = startingAfter !== undefined && endingBefore !== undefined ? [BOTH_CURSORS] : [];
  for (const [path, cursor] of Object.entries({ starting_after: startingAfter, ending_before: endingBefore }))
    if (cursor !== undefined && !isId(cursor, prefix)) problems.push({ path, message: idOfThisList(prefix) });
  if (problems.length > 0) throw validationError(problems);
  return { limit, startingAfter, endingBefore };
}

/** The page as a list object. Throws `validation_failed` when `page` is undefined: its cursor is not in the list. */
export function pageOf<R, T>(page: RowPage<R> | undefined, query: PageQuery, build: (row: R) => T): Page<T> {
  if (page === undefined) {
    const path = query.starting_after === undefined ? "ending_before" : "starting_after";
    throw validationError([{ path, message: UNKNOWN_LIST_ID }]);
  }
  return { object: "list", data: page.rows.map(build), has_more: page.hasMore };
}

/** The page of the list that `find` reads. Throws `validation_failed` for cursors like `pageRequest` and `pageOf`. */
export async function readPage<R extends { id: string }, T>(
  prefix: IdPrefix,
  query: PageQuery,
  find: (slice: Slice) => Promise<R[]>,
  build: (row: R) => T,
): Promise<Page<T>> {
  return pageOf(await fetchPage(pageRequest(query, prefix), find), query, build);
}

export interface CreatedQuery {
  "created[gte]"?: string | undefined;
  "created[lte]"?: string | undefined;
}

/** The instants, both inclusive. Decimals beyond milliseconds, which is what ids contain, are cut off. */
export function createdRange(query: CreatedQuery): CreatedRange {
  const from = query["created[gte]"];
  const through = query["created[lte]"];
  return {
    fromMs: from === undefined ? undefined : millisecondsOf(from),
    throughMs: through === undefined ? undefined : millisecondsOf(through),
  };
}

/** V8 misreads more than nine decimals: `.000999999999` becomes `.999`. */
function millisecondsOf(instant: string): number {
  return Date.parse(instant.replace(/(\.\d{3})\d+/, "$1"));
}

/** The most items that a page may have (docs/contract.md#pagination). */
const LIMIT_MAX = 100;

/** The items of a list, newest first, a page at a time, after the item `after`. */
export async function* everyPage<T extends { id: string }>(
  fetch: (page: PageQuery) => Promise<Page<T>>,
  after?: string,
): AsyncGenerator<T[]> {
  let last = after;
  for (;;) {
    const page = await fetch({ limit: LIMIT_MAX, starting_after: last });
    yield page.data;
    last = page.data.at(-1)?.id;
    if (!page.has_more || last === undefined) return;
  }
}

/** Every item of a list, newest first, page by page. */
export function everyItem<T extends { id: string }>(
  fetch: (page: PageQuery) => Promise<Page<T>>,
): AsyncGenerator<T> {
  return itemsOf(everyPage(fetch));
}

export async function* itemsOf<T>(pages: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const page of pages) yield* page;
}

/**
 * All rows, `limit` at a time, so that memory does not grow with their number; also those that are added while the others are read. `fetch`
 * reads those after `last`, at first from the beginning.
 */
export async function* everyPortion<Row>(
  limit: number,
  fetch: (last: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await fetch(last, limit);
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}

const FOLLOW_BATCH = 100;

export interface FollowOptions {
  /** Starts after this id; from the beginning when undefined. */
  after?: string | undefined;
  /** Ends the iteration. */
  signal: AbortSignal;
  intervalMs: number;
}

/**
 * Yields the items after `after`, oldest first, then new ones until the signal aborts. None is missed, because ids increase in
 * the order in which rows become visible. Throws `validation_failed` when `after` is not an id of the list.
 */
export async function* follow<R extends { id: string }, T>(
  prefix: IdPrefix,
  options: FollowOptions,
  find: (slice: Slice) => Promise<R[]>,
  build: (row: R) => T,
): AsyncGenerator<T> {
  let { after } = options;
  if (after !== undefined && !isId(after, prefix)) {
    throw validationError([{ path: "after", message: idOfThisList(prefix) }]);
  }
  while (!options.signal.aborted) {
    const above = after === undefined ? {} : { above: after };
    const rows = await find({ ...above, direction: "asc", limit: FOLLOW_BATCH });
    for (const row of rows) {
      after = row.id;
      yield build(row);
    }
    if (rows.length < FOLLOW_BATCH) await pause(options.intervalMs, options.signal);
  }
}

/** Returns early, without an error, when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
