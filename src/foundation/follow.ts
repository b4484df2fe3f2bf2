/** Following a list as it grows: what `tail` does. */
import { type IdPrefix, isId } from "../../storage/ids.ts";
import { validationError } from "./errors.ts";

const FOLLOW_BATCH = 100;

export interface FollowOptions {
  /** Begin behind this id; from the first one when it is undefined. */
  after?: string | undefined;
  /** Ends it. */
  signal: AbortSignal;
  intervalMs: number;
}

/**
 * What a list has behind `after`, oldest first, and what comes to it until the signal is aborted. Nothing is missed: ids rise
 * in the order in which rows become visible. Throws `validation_failed` for an `after` that is no id of the list.
 */
export async function* follow<R extends { id: string }, T>(
  prefix: IdPrefix,
  options: FollowOptions,
  fetch: (after: string | undefined, limit: number) => Promise<R[]>,
  build: (row: R) => T,
): AsyncGenerator<T> {
  let { after } = options;
  if (after !== undefined && !isId(after, prefix)) {
    const message = `must be an id of this list (${prefix}_ and 22 letters or digits)`;
    throw validationError([{ path: "after", message }]);
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
