/**
 * Commits batches of units in PostgreSQL. A lock lets one transaction run at a time, of all servers on the database: ids, numbers
 * and the chain of events are as with SQLite. See docs/decisions/0015-two-engines.md.
 */
import { sql } from "kysely";
import type { ClientConfig } from "pg";
import { UnavailableDatabaseError } from "../errors.ts";
import { createTransactions, type TransactionOptions } from "../transactions.ts";
import type { CommitBatch, Job, News, Transaction } from "../write.ts";
import { hold } from "../held.ts";
import { msOfIdBody } from "../ids.ts";
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

interface Settled {
  job: Job;
  value: unknown;
}

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
  nowMs: () => number,
  { memory, onLostWrites, ...options }: LaneOptions,
): Lane {
  const connection = createLaneConnection(address);
  const session = new PostgresSession(connection);
  const transactions = createTransactions(session, nowMs, { ...options, schemaVersion: STORED_VERSION });
  /** Jobs that were already rejected. They do not run again with the rest of their batch. */
  const rejected = new WeakSet<Job>();

  function reject(job: Job, error: unknown): void {
    rejected.add(job);
    job.reject(error);
  }

  /** Runs a unit. False if it failed in SQL, which ends the transaction unless the unit has a savepoint. */
  async function runUnit(
    job: Job,
    trx: Transaction,
    settled: Settled[],
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
    const settled: Settled[] = [];
    const xid = await connection.begin();
    const trx = await transactions.open();
    if (memory.isLost(transactions.stored())) return holdAfterLoss(xid, trx);
    for (const job of jobs) {
      if (await runUnit(job, trx, settled, isGuarded)) continue;
      await connection.rollBack();
      return "failed";
    }
    await transactions.saveHead();
    const outcome = await connection.commit(xid, transactions.savedId());
    if (outcome === "lost") return "lost";
    if (outcome === "unknown") {
      for (const { job } of settled) reject(job, new UnavailableDatabaseError(UNKNOWN));
      return "done";
    }
    memory.remember({ ...transactions.stored(), lastId: transactions.savedId() });
    for (const { job, value } of settled) job.resolve(value);
    for (const news of transactions.takeNews()) notify(news);
    return "done";
  }

  /** What was sent since is unknown here, as after a restored backup. */
  async function holdAfterLoss(xid: string, trx: Transaction): Promise<Ending> {
    const stored = transactions.stored();
    await hold(trx, new Date(msOfIdBody(stored.lastId)).toISOString());
    const outcome = await connection.commit(xid, stored.lastId);
    if (outcome === "unknown") throw new UnavailableDatabaseError(UNKNOWN);
    if (outcome === "lost") return "lost";
    memory.remember(stored);
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

  /** Runs the units again with savepoints after one failed in SQL, and all after the connection was lost. */
  async function commit(batch: readonly Job[], notify: (news: News) => void): Promise<void> {
    let isGuarded = false;
    let repeatsLeft = REPEATS_MAX;
    for (;;) {
      const jobs = batch.filter((job) => !rejected.has(job));
      if (jobs.length === 0) return;
      let failure: unknown = new UnavailableDatabaseError(ROLLED_BACK);
      const ending = await attempt(jobs, notify, isGuarded).catch((error: unknown) => {
        failure = explainFailure(error);
        return recover(error);
      });
      if (ending === "done") return;
      if (ending === "held") continue;
      if (ending === "failed") isGuarded = true;
      else if (repeatsLeft === 0) throw failure;
      else repeatsLeft -= 1;
    }
  }

  return {
    async commit(batch, notify) {
      try {
        await commit(batch, notify);
      } catch (error) {
        for (const job of batch) if (!rejected.has(job)) job.reject(error);
      }
    },
    async close() {
      memory.close();
      await connection.close();
    },
  };
}
