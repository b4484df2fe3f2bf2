/** Copies of the one file: taken while it is in use, and made to stand by themselves. */
import Database from "better-sqlite3";
import { isBusy, isStorageFailure, StorageError } from "./errors.ts";
import { distrustSchema } from "./distrust.ts";

/** A writer that is in the middle of a checkpoint is soon done. */
const WAIT_MS = 10_000;
/** A few milliseconds' work each turn, so that whoever shares the process goes on. */
const PAGES_PER_TURN = 256;

/** Whoever copies as the person who may read the file writes for that person only. */
function openExisting(file: string, options: Database.Options): Database.Database {
  try {
    const database = new Database(file, { fileMustExist: true, timeout: WAIT_MS, ...options });
    distrustSchema(database);
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The database ${file} cannot be opened: ${reason}`, { cause: error });
  }
}

/**
 * Copies the database `from`, as it is at one moment, into the new file `to`. Others go on writing meanwhile: the copy is
 * taken within one read transaction, without which SQLite would begin anew after each of their writes. `onProgress` is told
 * pages.
 */
export async function copyDatabase(
  from: string,
  to: string,
  onProgress?: (done: number, total: number) => void,
): Promise<void> {
  const source = openExisting(from, { readonly: true });
  try {
    source.exec("begin");
    source.pragma("schema_version");
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        onProgress?.(totalPages - remainingPages, totalPages);
        return PAGES_PER_TURN;
      },
    });
  } finally {
    source.close();
  }
}

/**
 * Makes a copy that stands by itself: one file without a log beside it, and held, so that whichever way it comes back into
 * use it sends nothing. Nobody else has it open.
 */
export function sealCopy(file: string): void {
  const database = openExisting(file, {});
  try {
    database.exec("update appliance set state = 'held'");
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/**
 * Runs `work` while nobody else has the database `file` open, and nobody can begin to use it. What stood in its log is in the
 * file then. False, and nothing run, where somebody has it open. A file that is too damaged to tell is taken for unused.
 */
export function withSoleUse(file: string, work: () => void): boolean {
  const database = openExisting(file, { timeout: 100 });
  try {
    if (!takeWhole(database)) return false;
    work();
    return true;
  } finally {
    database.close();
  }
}

/** Leaving the write-ahead log takes the file for oneself alone: refused while any other connection is open, idle or not. */
function takeWhole(database: Database.Database): boolean {
  try {
    database.pragma("journal_mode = DELETE");
    database.exec("begin exclusive");
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    if (isStorageFailure(error)) return true;
    throw error;
  }
}
