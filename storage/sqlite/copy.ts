/** Copies the database while it is in use, takes sole use of a database file, and reads every table for a move to another database. */
import Database from "better-sqlite3";
import { isBusy, isStorageFailure, StorageError } from "../database/errors.ts";
import { distrustSchema } from "./examine.ts";

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

/** Values as SQLite has them: text, integers that fit a number, bytes and null. */
export type Value = string | number | Uint8Array | null;

export interface TableSource {
  /** The rows of `table` in the order of the columns `order`. Finish one before the next. */
  rows(table: string, columns: readonly string[], order: readonly string[]): Iterable<Value[]>;
  /** The highest number that the table gave to a row, also to one that was deleted; 0 if it numbers none. */
  lastNumber(table: string): number;
  /** Keeps the appliance held. */
  commit(): void;
  /** Leaves the file as it was, unless it was committed. */
  close(): void;
}

/** For a write of another process. */
const MOVE_WAIT_MS = 10_000;

/** Opens `file` for a move and holds the appliance in it. `now` is recorded as the time of the copy. Throws a StorageError. */
export function openTableSource(file: string, now: string): TableSource {
  const database = new Database(file, { fileMustExist: true, timeout: MOVE_WAIT_MS });
  try {
    distrustSchema(database);
    database.pragma("synchronous = FULL");
    database.exec("begin immediate");
    database
      .prepare("update appliance set backup_at = ?, state = 'held' where id = 1 and state = 'active'")
      .run(now);
  } catch (error) {
    database.close();
    throw isBusy(error) ? new StorageError(inUse(file), { cause: error }) : error;
  }
  return {
    rows: (table, columns, order) =>
      database
        .prepare<[], Value[]>(`select ${list(columns)} from ${quote(table)} order by ${list(order)}`)
        .raw()
        .iterate(),
    lastNumber: (table) =>
      database
        .prepare<[string], number>("select seq from sqlite_sequence where name = ?")
        .pluck()
        .get(table) ?? 0,
    commit: () => void database.exec("commit"),
    close: () => void database.close(),
  };
}

/** A name in SQL; `columns` and tables are names from a schema. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function list(names: readonly string[]): string {
  return names.map(quote).join(", ");
}

function inUse(file: string) {
  return {
    en: `Another process keeps writing to the database ${file}; stop it and try again`,
    el: `Άλλη διεργασία γράφει συνεχώς στη βάση ${file}· σταματήστε την και δοκιμάστε ξανά`,
  };
}
