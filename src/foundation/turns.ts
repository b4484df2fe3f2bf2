/** Runs heavy work one piece at a time, in order of arrival, and rejects callers when too many are waiting. */
import { AppError } from "./errors.ts";
import type { Text } from "./text.ts";

export interface Turns {
  /** Throws `service_unavailable` when too many are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export interface TurnsOptions {
  /** How many may wait behind the one that runs. */
  waitingMax: number;
  /** The message for rejected callers. */
  tooMany: Text;
  retryAfterSeconds: number;
}

export function createTurns({ waitingMax, tooMany, retryAfterSeconds }: TurnsOptions): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return {
    async run(work) {
      if (pending > waitingMax) throw new AppError("service_unavailable", tooMany, { retryAfterSeconds });
      pending += 1;
      const turn = last.then(work);
      // The next one starts when this one ends, even if it fails.
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        pending -= 1;
      }
    },
  };
}
