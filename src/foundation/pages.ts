/** From a list's query to a page of storage and back to the list object of the specification. */
import { type IdPrefix, isId } from "../../storage/ids.ts";
import type { CreatedRange, PageRequest, RowPage } from "../../storage/lists.ts";
import { type Problem, validationError } from "./errors.ts";

/** A page of a list, newest first, as the specification writes it. */
export interface Page<T> {
  object: "list";
  data: T[];
  has_more: boolean;
}

/** The cursors of every list: an id each; both at once are refused. */
export interface PageQuery {
  /** 1 to 100. */
  limit: number;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

/** The cursors of `query`, checked: one at most, and of the right resource. */
export function pageRequest(query: PageQuery, prefix: IdPrefix): PageRequest {
  const problems: Problem[] = [];
  if (query.starting_after !== undefined && query.ending_before !== undefined) {
    problems.push({ path: "ending_before", message: "cannot be used together with starting_after" });
  }
  for (const name of ["starting_after", "ending_before"] as const) {
    const cursor = query[name];
    if (cursor !== undefined && !isId(cursor, prefix)) {
      problems.push({
        path: name,
        message: `must be an id of this list (${prefix}_ and 22 letters or digits)`,
      });
    }
  }
  if (problems.length > 0) throw validationError(problems);
  return { limit: query.limit, startingAfter: query.starting_after, endingBefore: query.ending_before };
}

/** The page as a list object. A page that is undefined had a cursor that is not in the list. */
export function pageOf<R, T>(page: RowPage<R> | undefined, query: PageQuery, build: (row: R) => T): Page<T> {
  if (page === undefined) {
    const path = query.starting_after === undefined ? "ending_before" : "starting_after";
    throw validationError([{ path, message: "is not an id of this list" }]);
  }
  return { object: "list", data: page.rows.map(build), has_more: page.hasMore };
}

/** `created[gte]` and `created[lte]`, both inclusive. Ids know milliseconds: finer ends are taken to the next one inside. */
export function createdRange(query: {
  "created[gte]"?: string | undefined;
  "created[lte]"?: string | undefined;
}): CreatedRange {
  const from = query["created[gte]"];
  const through = query["created[lte]"];
  return {
    fromMs: from === undefined ? undefined : millisecondsAtOrAfter(from),
    throughMs: through === undefined ? undefined : Date.parse(through),
  };
}

/** The first whole millisecond at or after an instant that may be written with finer digits. */
function millisecondsAtOrAfter(text: string): number {
  const finer = /\.\d{3}(\d+)Z$/.exec(text)?.[1];
  return Date.parse(text) + (finer !== undefined && /[1-9]/.test(finer) ? 1 : 0);
}
