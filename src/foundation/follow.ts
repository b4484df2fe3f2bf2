/** Follows a list as it grows, for the `tail` commands. */
import { type IdPrefix, isId } from "../../storage/database/ids.ts";
import { validationError } from "./errors.ts";
import { idOfThisList } from "./messages.ts";

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
  fetch: (after: string | undefined, limit: number) => Promise<R[]>,
  build: (row: R) => T,
): AsyncGenerator<T> {
  let { after } = options;
  if (after !== undefined && !isId(after, prefix)) {
    throw validationError([{ path: "after", message: idOfThisList(prefix) }]);
  }
  while (!options.signal.aborted) {
    const rows = await fetch(after, FOLLOW_BATCH);
    for (const row of rows) {
      after = row.id;
      yield build(row);
    }
    if (rows.length < FOLLOW_BATCH) await pause(options.intervalMs, options.signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
