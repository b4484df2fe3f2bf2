/**
 * Runs transactions in PostgreSQL, one after another on all servers: each locks the appliance row, which it reads and changes anyway.
 * See docs/decisions/0015-two-engines.md.
 */
import type { ClientConfig } from "pg";
import type { KeyRing } from "../encryption/key-ring.ts";
import { UnavailableDatabaseError } from "../database/errors.ts";
import { createTransactions } from "../database/transactions.ts";
import type { News, Transact, Transaction, Unit } from "../database/write.ts";
import type { DatabaseClock } from "./postgres-connection.ts";
import { createLaneConnection } from "./lane-connection.ts";
import type { Memory } from "../database/open-appliance.ts";
import { explainFailure, isConnectionLost } from "./postgres-errors.ts";

const ROLLED_BACK = { en: "the transaction was rolled back", el: "η συναλλαγή ακυρώθηκε" };
const UNKNOWN = {
  en: "the connection was lost during a commit, and whether it was stored is not known",
  el: "η σύνδεση χάθηκε κατά την αποθήκευση και δεν είναι γνωστό αν ολοκληρώθηκε",
};

/** How often a transaction runs again because its connection was lost. */
const REPEATS_MAX = 3;

/** How an attempt ended. `lost`: the connection, before the commit. `held`: the database had lost writes, and the appliance is held now. */
type Ending<T> = { value: T } | "lost" | "held";

export interface Lane {
  transact: Transact;
  /** See `Store.remembered`. */
  remembered(name: string): unknown;
  close(): Promise<void>;
}

export interface LaneOptions {
  ring: KeyRing;
  memory: Memory;
}

export function createLane(address: ClientConfig, clock: DatabaseClock, { ring, memory }: LaneOptions): Lane {
  const connection = createLaneConnection(address, clock);
  const { session } = connection;
  const transactions = createTransactions(session, clock.nowMs, ring);
  /** When the last hold had ended, as the last transaction that was committed found it. */
  let resumedAt: string | null = null;

  async function attempt<T>(work: Unit<T>, notify: (news: News) => void): Promise<Ending<T>> {
    const { head, hasLostCommits } = await connection.begin();
    session.takeFailure();
    const trx = transactions.open(head);
    if (hasLostWrites(hasLostCommits)) return holdAfterLoss(trx);
    const value = await work(trx);
    // Sent together with the commit, which fails if this does.
    transactions.saveHead().catch(() => undefined);
    if ((await commit()) === "lost") return "lost";
    ({ resumedAt } = transactions.stored());
    memory.remember(transactions.saved());
    for (const news of transactions.takeNews()) notify(news);
    return { value };
  }

  /** Throws the error of a statement because of which nothing was committed. */
  async function commit(): Promise<"committed" | "lost"> {
    const outcome = await connection.commit(transactions.lastId());
    if (outcome === "unknown") throw new UnavailableDatabaseError(UNKNOWN);
    if (outcome === "committed") return outcome;
    const failure = session.takeFailure();
    if (failure !== undefined) throw failure.error;
    return outcome;
  }

  function hasLostWrites(hasLostCommits: boolean): boolean {
    const stored = transactions.stored();
    // After another server has held the appliance for the same loss, and it was resumed, the database counts as it is.
    return (hasLostCommits && stored.resumedAt === resumedAt) || memory.isLost(stored);
  }

  async function holdAfterLoss(trx: Transaction): Promise<"lost" | "held"> {
    const stored = transactions.stored();
    await memory.holdAfterLoss(trx, stored);
    if ((await commit()) === "lost") return "lost";
    memory.remember(stored);
    transactions.restartChain();
    return "held";
  }

  /** Rolls back after an error, and throws it unless the connection was lost. */
  async function recover(error: unknown): Promise<"lost"> {
    if (!isConnectionLost(error)) {
      await connection.rollBack();
      throw explainFailure(error);
    }
    connection.forget();
    return "lost";
  }

  /** Runs a transaction again, at most three times, while its connection is lost. */
  async function persist<T>(run: () => Promise<Ending<T>>): Promise<{ value: T } | "held"> {
    for (let repeatsLeft = REPEATS_MAX; ; repeatsLeft -= 1) {
      let failure: unknown = new UnavailableDatabaseError(ROLLED_BACK);
      const ending = await run().catch((thrown: unknown) => {
        // Statements after the one that failed are refused, and say nothing about why.
        const error = session.takeFailure()?.error ?? thrown;
        failure = explainFailure(error);
        return recover(error);
      });
      if (ending !== "lost") return ending;
      if (repeatsLeft === 0) throw failure;
    }
  }

  return {
    remembered: transactions.remembered,
    async transact(work, notify) {
      for (;;) {
        const ending = await persist(() => attempt(work, notify));
        if (ending !== "held") return ending.value;
      }
    },
    async close() {
      memory.close();
      await connection.close();
    },
  };
}
