/** Lets only so many do something at the same time. */
import { AppError } from "./errors.ts";
import type { Text } from "./text.ts";

/** Thrown if the turn did not come in time, or too many wait already. Nothing was tried. */
export class NoTurnError extends Error {
  override readonly name = "NoTurnError";
}

export interface Turns {
  /** Waits for a turn, which the returned function ends. Throws NoTurnError. */
  take(): Promise<() => void>;
}

export interface TurnsOptions {
  /** How many have a turn at the same time. */
  max: number;
  /** How many may wait, in order, and for how long. */
  waitingMax: number;
  waitMs: number;
}

export function createTurns({ max, waitingMax, waitMs }: TurnsOptions): Turns {
  const waiting = new Set<() => void>();
  let taken = 0;

  /** The next one takes the turn over. */
  function end(): void {
    const [next] = waiting;
    if (next === undefined) taken -= 1;
    else next();
  }

  function wait(): Promise<void> {
    if (waiting.size >= waitingMax) throw new NoTurnError();
    return new Promise((settle, fail) => {
      const begin = () => {
        waiting.delete(begin);
        clearTimeout(timer);
        settle();
      };
      const timer = setTimeout(() => {
        waiting.delete(begin);
        fail(new NoTurnError());
      }, waitMs);
      waiting.add(begin);
    });
  }

  return {
    async take() {
      if (taken >= max) await wait();
      else taken += 1;
      return end;
    },
  };
}

/** The answer to a caller who gets no turn. */
export interface Refusal {
  text: Text;
  retryAfterSeconds: number;
}

/** Like `take`, but throws `service_unavailable`. */
export async function takeTurn(turns: Turns, { text, retryAfterSeconds }: Refusal): Promise<() => void> {
  try {
    return await turns.take();
  } catch (error) {
    if (!(error instanceof NoTurnError)) throw error;
    throw new AppError("service_unavailable", text, { cause: error, retryAfterSeconds });
  }
}
