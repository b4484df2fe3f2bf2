/** Copies the database while it is in use, and takes sole use of a database file. */
import Database from "better-sqlite3";
import { isBusy, isStorageFailure, StorageError } from "../database/errors.ts";
import { distrustSchema } from "./distrust.ts";

/** Long enough for a checkpoint to finish. */
const WAIT_MS = 10_000;
/** A few milliseconds of work per turn of the event loop. */
const PAGES_PER_TURN = 256;

function openExisting(file: string, options: Database.Options): Database.Database {
  try {
    const database = new Database(file, { fileMustExist: true, timeout: WAIT_MS, ...options });
    distrustSchema(database);
    return database;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(
      {
        en: `The database ${file} cannot be opened: ${reason}`,
        el: `Η βάση ${file} δεν μπορεί να ανοίξει: ${reason}`,
      },
      { cause: error },
    );
  }
}

/**
 * Copies the database `from` as it is at one moment into the new file `to`, while others write. One read transaction
 * spans the copy, since SQLite would otherwise restart it after each write. `onProgress` receives pages.
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
 * Turns a copy that nobody else has open into a single file without a log, and marks it as held, so that it sends nothing
 * when it is put into use.
 */
export function finishCopy(file: string): void {
  const database = openExisting(file, {});
  try {
    database.exec("update appliance set state = 'held'");
    database.pragma("journal_mode = DELETE");
  } finally {
    database.close();
  }
}

/**
 * Runs `work` with sole use of the database `file`, after moving its log into the file. Returns false without running it if
 * another process has the file open. A file too damaged to check counts as unused.
 */
export function withSoleUse(file: string, work: () => void): boolean {
  const database = openExisting(file, { timeout: 100 });
  try {
    if (!takeSoleUse(database)) return false;
    work();
    return true;
  } finally {
    database.close();
  }
}

/** Leaving WAL mode needs sole use: SQLite refuses it while any other connection is open, even an idle one. */
function takeSoleUse(database: Database.Database): boolean {
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
