/**
 * Lets the processes of a server write one after the other, in the order in which they ask: with the lock of SQLite alone, the
 * one that happens to try next is the next. That lock still protects the database, from other programs too.
 */

/** Gives the turn back, more often than once without effect. */
export type EndTurn = () => void;

export interface WriteTurns {
  /** Waits for the turn of `owner`. */
  take(owner: object): Promise<EndTurn>;
  /** Ends the turn of a process that has ended, and forgets those it waits for. */
  forget(owner: object): void;
}

/** A process that is too busy to use its turn must not keep the others from writing. It then writes when the lock is free. */
const TURN_MS_MAX = 100;

interface Place {
  owner: object;
  begin(end: EndTurn): void;
}

export function createWriteTurns(): WriteTurns {
  let waiting: Place[] = [];
  let current: Place | undefined;

  function next(): void {
    const place = waiting.shift();
    current = place;
    if (place === undefined) return;
    const timer = setTimeout(end, TURN_MS_MAX).unref();
    function end(): void {
      clearTimeout(timer);
      if (current === place) next();
    }
    place.begin(end);
  }

  return {
    take(owner) {
      return new Promise((begin) => {
        waiting.push({ owner, begin });
        if (current === undefined) next();
      });
    },
    forget(owner) {
      waiting = waiting.filter((place) => place.owner !== owner);
      if (current?.owner === owner) next();
    },
  };
}
