/** Work that takes the process much at once, one piece after the other: others of it wait, and too many are turned away. */
import { AppError } from "./errors.ts";

export interface Turns {
  /** Throws `service_unavailable` where too many wait already. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

/** `waitingMax` may wait behind the one at work; `what` names it for those who are turned away. */
export function createTurns(what: string, waitingMax: number, retryAfterSeconds: number): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;
  return {
    async take(work) {
      if (pending > waitingMax)
        throw new AppError("service_unavailable", `Too many ${what} at once; ask again in a moment`, {
          retryAfterSeconds,
        });
      pending += 1;
      const turn = last.then(work);
      // Whoever comes next waits for the end of it, however it ends.
      last = turn.catch(() => undefined);
      try {
        return await turn;
      } finally {
        pending -= 1;
      }
    },
  };
}
