/** Moves an appliance to a database in PostgreSQL (docs/contract.md#moving-to-another-database). */
import { copyTables, type CopiedTable } from "../../storage/postgres/copy-tables.ts";
import { openTableSource } from "../../storage/sqlite/copy.ts";
import { AppError } from "../foundation/errors.ts";
import { findServers } from "./disk/disk-serving.ts";

export interface MoveOrder {
  /** Absolute path of the database file. Its schema is that of this program. */
  database: string;
  /** `postgres://…`, which may contain a password. */
  url: string;
  nowMs: number;
  onProgress(rows: number): void;
}

/**
 * Copies everything, compares the copy, and leaves both held. Throws `invalid_state` if a server runs on the database. After
 * an error the database file is as it was, and nothing is in the other one. If the process is killed, or the connection is lost at
 * the very end, the file may be held and the copy may be complete.
 */
export async function moveDatabase({ database, url, nowMs, onProgress }: MoveOrder): Promise<CopiedTable[]> {
  if (findServers(database).length > 0)
    throw new AppError("invalid_state", {
      en: "A server runs on this database; stop it before you move it",
      el: "Ένας διακομιστής τρέχει σε αυτή τη βάση· σταματήστε τον πριν από τη μεταφορά",
    });
  const source = openTableSource(database, new Date(nowMs).toISOString());
  try {
    return await copyTables(source, { url, onProgress });
  } finally {
    source.close();
  }
}
