/** Runs transactions in SQLite, one after another. */
import { sql } from "kysely";
import { isBusy, StorageError } from "../database/errors.ts";
import type { Memory } from "../database/lost-writes.ts";
import type { SqliteSession } from "./sqlite-session.ts";
import { createTransactions, type TransactionOptions } from "../database/transactions.ts";
import type { News, Transact, Transaction, Unit } from "../database/write.ts";

/** How long a write waits for another process's transaction before it gives up. */
const LOCK_WAIT_MS_MAX = 15_000;
const LOCK_RETRY_MS_MAX = 8;

const STORED_VERSION = sql<number>`(select user_version from pragma_user_version)`;

interface CommitterOptions extends Omit<TransactionOptions, "schemaVersion"> {
  /** Undefined for a database that is not the appliance's, such as the draft of a backup. */
  memory: Memory | undefined;
}

export function createCommitter(
  session: SqliteSession,
  nowMs: () => number,
  { memory, ...options }: CommitterOptions,
): { transact: Transact; remembered(name: string): unknown } {
  const transactions = createTransactions(session, nowMs, { ...options, schemaVersion: STORED_VERSION });

  async function commit<T>(work: (trx: Transaction) => Promise<T>): Promise<T> {
    await begin(session);
    try {
      const value = await work(await transactions.open());
      await transactions.saveHead();
      session.execute("commit");
      return value;
    } catch (error) {
      rollbackIfOpen(session);
      throw error;
    }
  }

  async function transact<T>(work: Unit<T>, notify: (news: News) => void): Promise<T> {
    const done = await commit(async (trx) => {
      const stored = transactions.stored();
      if (memory?.isLost(stored) !== true) return { value: await work(trx) };
      await memory.holdAfterLoss(trx, stored);
      return undefined;
    });
    memory?.remember(transactions.saved());
    if (done === undefined) {
      transactions.restartChain();
      return transact(work, notify);
    }
    for (const news of transactions.takeNews()) notify(news);
    return done.value;
  }

  return { transact, remembered: transactions.remembered };
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
