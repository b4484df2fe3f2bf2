/**
 * The lock by which a server shows that it is at work: that of SQLite on a file of its own, since Node has none. The
 * system lets go of it when the process ends, however it ends. The file stays empty: taking the lock writes nothing, so that
 * a full disk is no obstacle.
 */
import Database from "better-sqlite3";
import { isBusy } from "./errors.ts";
import { explainOpening } from "./examine.ts";

export interface ServeLock {
  release(): void;
}

/** Longer than somebody needs who only looks. */
const TAKE_WAIT_MS = 1000;

/** Takes the lock on `file`, which is made for it. Throws StorageError where it cannot be. */
export function takeServeLock(file: string): ServeLock {
  const database = openLock(file, TAKE_WAIT_MS);
  try {
    // A journal of nothing would be left by a process that is killed, and needs room.
    database.pragma("journal_mode = MEMORY");
    database.exec("begin exclusive");
    return { release: () => void database.close() };
  } catch (error) {
    database.close();
    throw explainOpening(file, error);
  }
}

/** Whether somebody has the lock. Takes nothing and makes nothing; `file` is there. */
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
