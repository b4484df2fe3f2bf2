/** Who uses a database file: copies it while others do, takes sole use of it, and the lock of the server that runs on it. */
import Database from "better-sqlite3";
import { isBusy, isStorageFailure, StorageError } from "../database/errors.ts";
import { distrustSchema, explainOpening } from "./examine.ts";

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

/**
 * The lock that a running server holds. It is SQLite's lock on an empty file, because Node has no file locks. The system
 * releases it when the process ends. Taking it writes nothing, so that it works on a full disk.
 */
export interface ServeLock {
  release(): void;
}

/** Longer than a process needs that only checks the lock. */
const TAKE_WAIT_MS = 1000;

/** Takes the lock on `file`, which is created if missing. Throws a StorageError if that fails. */
export function takeServeLock(file: string): ServeLock {
  const database = openLock(file, TAKE_WAIT_MS);
  try {
    // A journal file would need space on the disk, and remain after the process is killed.
    database.pragma("journal_mode = MEMORY");
    database.exec("begin exclusive");
    return { release: () => void database.close() };
  } catch (error) {
    database.close();
    throw explainOpening(file, error);
  }
}

/** Whether a process has the lock. Does not take it; `file` must exist. */
export function isServeLocked(file: string): boolean {
  const database = openLock(file, 0, { readonly: true });
  try {
    database.prepare("select count(*) from sqlite_master").get();
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw explainOpening(file, error);
  } finally {
    database.close();
  }
}

function openLock(file: string, timeout: number, options: Database.Options = {}): Database.Database {
  try {
    return new Database(file, { ...options, timeout });
  } catch (error) {
    throw explainOpening(file, error);
  }
}
