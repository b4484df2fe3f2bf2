/** The connection of the writer to the database file: its transactions, one after another with those of other processes. */
import { sql } from "kysely";
import { isBusy, StorageError } from "../database/errors.ts";
import { statement } from "../database/session.ts";
import { selectHead, type WritingConnection } from "../database/transactions.ts";
import type { SqliteSession } from "./sqlite-session.ts";

/** How long a write waits for another process's transaction before it gives up. */
const LOCK_WAIT_MS_MAX = 15_000;
const LOCK_RETRY_MS_MAX = 8;

const readHead = statement<object>()((db) =>
  selectHead(db, sql<number>`(select user_version from pragma_user_version)`),
);

export function createFileConnection(session: SqliteSession): WritingConnection {
  return {
    session,
    async begin() {
      await begin(session);
      // What a file has lost is noticed by what this machine remembers.
      return { head: await session.first(readHead, {}), hasLostCommits: false };
    },
    commit: async () => session.execute("commit"),
    rollBack: async () => rollbackIfOpen(session),
    persist: (attempt) => attempt(),
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
            en: "Another process has kept the database locked for 15 seconds; stop it or try again",
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
