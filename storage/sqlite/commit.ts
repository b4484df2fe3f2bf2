/** Commits a batch of units in one SQLite transaction, so that a unit that throws does not affect the others. */
import { sql } from "kysely";
import { isBusy, StorageError } from "../database/errors.ts";
import type { SqliteSession } from "./sqlite-session.ts";
import { createTransactions, type TransactionOptions } from "../database/transactions.ts";
import type { CommitBatch, Job, News } from "../database/write.ts";

/** How long a write waits for another process's transaction before it gives up. */
const LOCK_WAIT_MS_MAX = 15_000;
const LOCK_RETRY_MS_MAX = 8;

/**
 * After so many changed rows, about 20 documents, other work of the process gets a turn before the next unit. Counted, and not
 * timed, so that a test runs the same way each time.
 */
const CHANGES_PER_TURN = 128;

const STORED_VERSION = sql<number>`(select user_version from pragma_user_version)`;

export function createCommitter(
  session: SqliteSession,
  nowMs: () => number,
  options: Omit<TransactionOptions, "schemaVersion">,
): CommitBatch {
  const transactions = createTransactions(session, nowMs, { ...options, schemaVersion: STORED_VERSION });
  /** Jobs that were already rejected. They do not run again with the rest of their batch. */
  const rejected = new WeakSet<Job>();

  /** Returns the jobs that must run again because one failed after it had written; empty when all are settled. */
  async function attempt(
    batch: readonly Job[],
    notify: (news: News) => void,
    isGuarded: boolean,
  ): Promise<readonly Job[]> {
    const settled: { job: Job; value: unknown }[] = [];
    try {
      await begin(session);
    } catch (error) {
      for (const job of batch) job.reject(error);
      return [];
    }
    try {
      const trx = await transactions.open();
      let changesAtTurn = session.changes;
      for (const job of batch) {
        if (session.changes - changesAtTurn >= CHANGES_PER_TURN) {
          await new Promise<void>((turn) => setImmediate(turn));
          changesAtTurn = session.changes;
        }
        const changesBefore = session.changes;
        const chainBefore = transactions.chainHead();
        if (isGuarded) session.execute("savepoint unit");
        try {
          settled.push({ job, value: await job.unit(trx) });
        } catch (error) {
          // A failing or full disk ends the transaction. What came next would be written outside of any.
          if (!session.isInTransaction) throw error;
          if (!isGuarded && session.changes !== changesBefore) {
            session.execute("rollback");
            job.reject(error);
            return batch.filter((other) => other !== job && !rejected.has(other));
          }
          if (isGuarded) session.execute("rollback to unit");
          transactions.resetChain(chainBefore);
          rejected.add(job);
          job.reject(error);
        }
        if (isGuarded) session.execute("release unit");
      }
      await transactions.saveHead();
      session.execute("commit");
    } catch (error) {
      rollbackIfOpen(session);
      for (const job of batch) job.reject(error);
      return [];
    }
    for (const { job, value } of settled) job.resolve(value);
    for (const news of transactions.takeNews()) notify(news);
    return [];
  }

  return async function commit(batch, notify) {
    const rest = await attempt(batch, notify, false);
    // Savepoints cost time, so units get them only after one has failed.
    if (rest.length > 0) await attempt(rest, notify, true);
  };
}

/** Waits without blocking the event loop, as SQLite's own waiting would. */
async function begin(session: SqliteSession): Promise<void> {
  const deadline = Date.now() + LOCK_WAIT_MS_MAX;
  for (;;) {
    try {
      session.execute("begin immediate");
      return;
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (Date.now() >= deadline) {
        throw new StorageError(
          {
            en: "Another process has held the database for 15 seconds; stop it or try again",
            el: "Άλλη διεργασία κρατά τη βάση εδώ και 15 δευτερόλεπτα· σταματήστε την ή δοκιμάστε ξανά",
          },
          { cause: error },
        );
      }
      await new Promise<void>((turn) => setTimeout(turn, 1 + Math.random() * LOCK_RETRY_MS_MAX));
    }
  }
}

function rollbackIfOpen(session: SqliteSession): void {
  try {
    session.execute("rollback");
  } catch (error) {
    // On some failures (a full disk) SQLite ends the transaction, and nothing is left to roll back.
    if (!(error instanceof Error) || !error.message.includes("no transaction is active")) throw error;
  }
}
