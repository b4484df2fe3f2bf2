/** Reads every table of a database file for a move to another database, while nobody else can write. */
import Database from "better-sqlite3";
import { isBusy, StorageError } from "../database/errors.ts";
import { distrustSchema } from "./distrust.ts";

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
const WAIT_MS = 10_000;

/** Opens `file` for a move and holds the appliance in it. `now` is recorded as the time of the copy. Throws a StorageError. */
export function openTableSource(file: string, now: string): TableSource {
  const database = new Database(file, { fileMustExist: true, timeout: WAIT_MS });
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
