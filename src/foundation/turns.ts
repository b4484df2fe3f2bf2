/** Lets only so many do something at the same time. */

/** Thrown if the turn did not come in time. Nothing was tried. */
export class NoTurnError extends Error {
  override readonly name = "NoTurnError";
}

export interface Turns {
  /** Waits for a turn, which the returned function ends. Throws NoTurnError after a while. */
  take(): Promise<() => void>;
}

/** At most `max` have a turn at the same time; the others wait, in order, for at most `waitMs`. */
export function createTurns(max: number, waitMs: number): Turns {
  const waiting = new Set<() => void>();
  let taken = 0;

  /** The next one takes the turn over. */
  function end(): void {
    const [next] = waiting;
    if (next === undefined) taken -= 1;
    else next();
  }

  return {
    async take() {
      if (taken >= max) await wait();
      else taken += 1;
      return end;
    },
  };

  function wait(): Promise<void> {
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
}
