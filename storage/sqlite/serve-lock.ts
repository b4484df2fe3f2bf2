/**
 * The lock that a running server holds. It is SQLite's lock on an empty file, because Node has no file locks. The system
 * releases it when the process ends. Taking it writes nothing, so that it works on a full disk.
 */
import Database from "better-sqlite3";
import { isBusy } from "../database/errors.ts";
import { explainOpening } from "./examine.ts";

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
