/** Shares the process between what runs at the same time: turns, a queue that is woken while it runs, and portions of long work. */
import { AppError } from "./errors.ts";
import type { Text } from "./text.ts";
import type { Store } from "../../storage/database/store.ts";
import type { Transaction } from "../../storage/database/write.ts";

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

/** `run` must not throw. If it leaves work because all slots are taken, the code that frees a slot must poke again. */
export function createPoke(run: () => Promise<void>) {
  let running: Promise<void> | undefined;
  let isPoked = false;
  let isStopping = false;

  async function runWhilePoked(): Promise<void> {
    while (isPoked && !isStopping) {
      isPoked = false;
      await run();
    }
  }

  /** Starts a run, or requests one more after the current run. Never waits. */
  function poke(): void {
    isPoked = true;
    if (isStopping || running !== undefined) return;
    running = runWhilePoked().finally(() => {
      running = undefined;
      if (isPoked && !isStopping) poke();
    });
  }

  return {
    poke,
    /** The current run; undefined when there is none. */
    running: () => running,
    /** Starts no more runs, and resolves when the current one has ended. */
    async stop(): Promise<void> {
      isStopping = true;
      await running;
    },
  };
}

/** Lets timers, requests and everything else that is waiting run before long work goes on. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** How many items are mapped at a time: a few milliseconds for what has a dozen fields. */
const PORTION = 250;

/** The items mapped in order. Between portions of them, others run. */
export async function mapInPortions<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % PORTION === 0) await yieldToOthers();
    results.push(map(item));
  }
  return results;
}

/** Repeats `change`, which returns how many rows it changed, each time in its own write, until it changes fewer than `portion`. */
export async function repeatInPortions(
  store: Pick<Store, "write">,
  portion: number,
  change: (trx: Transaction) => Promise<number>,
): Promise<void> {
  for (let changed = portion; changed === portion; ) changed = await store.write(change);
}
