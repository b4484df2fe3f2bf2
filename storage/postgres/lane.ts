/**
 * Commits batches of units in PostgreSQL. The units of one turn share a transaction, and the servers take turns: each transaction locks
 * the appliance row, which it reads and changes anyway. See docs/decisions/0015-two-engines.md.
 */
import { sql } from "kysely";
import type { ClientConfig } from "pg";
import { UnavailableDatabaseError } from "../database/errors.ts";
import { createTransactions, type TransactionOptions } from "../database/transactions.ts";
import type { CommitBatch, Job, News, Transaction } from "../database/write.ts";
import { hold } from "../upkeep/held.ts";
import { msOfIdBody } from "../database/ids.ts";
import type { DatabaseClock } from "./database-clock.ts";
import { createLaneConnection } from "./lane-connection.ts";
import type { Memory } from "./lost-writes.ts";
import { explainFailure, isConnectionLost } from "./postgres-errors.ts";
import { PostgresSession } from "./postgres-session.ts";

const STORED_VERSION = sql<number>`(select version from schema_version)`;

const ROLLED_BACK = { en: "the transaction was rolled back", el: "η συναλλαγή ακυρώθηκε" };
const UNKNOWN = {
  en: "the connection was lost during a commit, and whether it was stored is not known",
  el: "η σύνδεση χάθηκε κατά την αποθήκευση και δεν είναι γνωστό αν ολοκληρώθηκε",
};

/** How often a batch runs again because its connection was lost. */
const REPEATS_MAX = 3;

/**
 * How an attempt ended. `failed`: a unit failed in SQL, and the transaction with it. `lost`: the connection, before the commit.
 * `held`: the database had lost writes, and the appliance is held now.
 */
type Ending = "done" | "failed" | "lost" | "held";

export interface Lane {
  commit: CommitBatch;
  close(): Promise<void>;
}

export interface LaneOptions extends Omit<TransactionOptions, "schemaVersion"> {
  memory: Memory;
  /** Called when the appliance is held because the database lost writes. */
  onLostWrites(): void;
}

export function createLane(
  address: ClientConfig,
  clock: DatabaseClock,
  { memory, onLostWrites, ...options }: LaneOptions,
): Lane {
  const connection = createLaneConnection(address, clock);
  const session = new PostgresSession(connection);
  const transactions = createTransactions(session, clock.nowMs, {
    ...options,
    schemaVersion: STORED_VERSION,
  });
  /** Jobs that were already rejected. They do not run again with the rest of their batch. */
  const rejected = new WeakSet<Job>();
  /** When the last hold had ended, as the last transaction that was committed found it. */
  let resumedAt: string | null = null;

  function reject(job: Job, error: unknown): void {
    rejected.add(job);
    job.reject(error);
  }

  /** Runs a unit. False if it failed in SQL, which ends the transaction unless the unit has a savepoint. */
  async function runUnit(
    job: Job,
    trx: Transaction,
    settled: { job: Job; value: unknown }[],
    isGuarded: boolean,
  ): Promise<boolean> {
    const { changes, failures } = session;
    const chainBefore = transactions.chainHead();
    if (isGuarded) await connection.query("savepoint unit");
    try {
      const value = await job.unit(trx);
      if (session.failures !== failures)
        throw new Error("A unit continued after one of its statements had failed");
      settled.push({ job, value });
    } catch (error) {
      if (error instanceof UnavailableDatabaseError) throw error;
      reject(job, error);
      if (!isGuarded && (session.changes !== changes || session.failures !== failures)) return false;
      if (isGuarded) await connection.query("rollback to unit");
      transactions.resetChain(chainBefore);
    }
    if (isGuarded) await connection.query("release unit");
    return true;
  }

  async function attempt(
    jobs: readonly Job[],
    notify: (news: News) => void,
    isGuarded: boolean,
  ): Promise<Ending> {
    const settled: { job: Job; value: unknown }[] = [];
    const { hasLostCommits } = await connection.begin();
    const trx = await transactions.open();
    if (hasLostWrites(hasLostCommits)) return holdAfterLoss(trx);
    for (const job of jobs) {
      if (await runUnit(job, trx, settled, isGuarded)) continue;
      await connection.rollBack();
      return "failed";
    }
    await transactions.saveHead();
    return finish(settled, notify);
  }

  async function finish(
    settled: readonly { job: Job; value: unknown }[],
    notify: (news: News) => void,
  ): Promise<Ending> {
    const outcome = await connection.commit(transactions.lastId());
    if (outcome === "lost") return "lost";
    if (outcome === "unknown") {
      for (const { job } of settled) reject(job, new UnavailableDatabaseError(UNKNOWN));
      return "done";
    }
    ({ resumedAt } = transactions.stored());
    memory.remember({ ...transactions.stored(), lastId: transactions.savedId() });
    for (const { job, value } of settled) job.resolve(value);
    for (const news of transactions.takeNews()) notify(news);
    return "done";
  }

  function hasLostWrites(hasLostCommits: boolean): boolean {
    const stored = transactions.stored();
    // After another server has held the appliance for the same loss, and it was resumed, the database counts as it is.
    return (hasLostCommits && stored.resumedAt === resumedAt) || memory.isLost(stored);
  }

  /** What was sent since is unknown here, as after a restored backup. */
  async function holdAfterLoss(trx: Transaction): Promise<Ending> {
    const stored = transactions.stored();
    await hold(trx, new Date(msOfIdBody(stored.lastId)).toISOString());
    const outcome = await connection.commit(transactions.lastId());
    if (outcome === "unknown") throw new UnavailableDatabaseError(UNKNOWN);
    if (outcome === "lost") return "lost";
    memory.remember(stored);
    transactions.restartChain();
    onLostWrites();
    return "held";
  }

  /** Rolls back after an error outside of the units. */
  async function recover(error: unknown): Promise<Ending> {
    const cause = error instanceof UnavailableDatabaseError ? error.cause : error;
    if (!isConnectionLost(cause)) {
      await connection.rollBack();
      throw explainFailure(error);
    }
    connection.forget();
    return "lost";
  }

  /** Runs a transaction again, at most three times, while its connection is lost. */
  async function persist(run: () => Promise<Ending>): Promise<Exclude<Ending, "lost">> {
    for (let repeatsLeft = REPEATS_MAX; ; repeatsLeft -= 1) {
      let failure: unknown = new UnavailableDatabaseError(ROLLED_BACK);
      const ending = await run().catch((error: unknown) => {
        failure = explainFailure(error);
        return recover(error);
      });
      if (ending !== "lost") return ending;
      if (repeatsLeft === 0) throw failure;
    }
  }

  const remaining = (jobs: readonly Job[]) => jobs.filter((job) => !rejected.has(job));

  /** Runs the units again with savepoints after one failed in SQL. */
  async function commitAll(batch: readonly Job[], notify: (news: News) => void): Promise<void> {
    let isGuarded = false;
    for (;;) {
      const jobs = remaining(batch);
      if (jobs.length === 0) return;
      const ending = await persist(() => attempt(jobs, notify, isGuarded));
      if (ending === "done") return;
      if (ending === "failed") isGuarded = true;
    }
  }

  return {
    async commit(batch, notify) {
      try {
        await commitAll(batch, notify);
      } catch (error) {
        for (const job of remaining(batch)) job.reject(error);
      }
    },
    async close() {
      memory.close();
      await connection.close();
    },
  };
}
