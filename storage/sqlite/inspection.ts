/** Reads a database file without changing it, migrating it or needing its key: it may be damaged, old, or in use. */
import { existsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { distrustSchema, readSchemaVersion } from "./examine.ts";
import { isStorageFailure, StorageError } from "../database/errors.ts";
import type { Inspection } from "../database/store.ts";
import { SqliteSession } from "./sqlite-session.ts";

export interface FileInspection extends Inspection {
  /** Describes each problem in a sentence; empty for a sound file. `whole` also compares indexes with their tables. */
  findDamage(depth?: "quick" | "whole"): string[];
  findBrokenReferences(): string[];
}

/** A running server never holds the lock for long. */
const WAIT_MS = 5000;
/** Damage is rarely single: the first few lines are enough. */
const DAMAGE_SHOWN_MAX = 5;

/** Throws a StorageError if the file is missing, unreadable, or not a database. */
export function inspectDatabase(file: string): FileInspection {
  const hadLog = existsSync(logOf(file));
  const database = openReadOnly(file);
  const session = new SqliteSession(database);
  return {
    session,
    version: () => readSchemaVersion(database),
    findDamage: (depth = "quick") => findDamage(database, CHECKS[depth]),
    findBrokenReferences() {
      const rows = database.pragma("foreign_key_check") as { table: string }[];
      return [...new Set(rows.map(({ table }) => table))];
    },
    close() {
      database.close();
      if (!hadLog) removeEmptyLog(file);
    },
  };
}

function logOf(file: string): string {
  return `${file}-wal`;
}

/**
 * Reading a WAL-mode file that nobody else has open creates a log and its index, which a read-only connection may not
 * remove. SQLite removes them when the last writable connection closes, unless another program has opened the file since.
 * The file itself is not written.
 */
function removeEmptyLog(file: string): void {
  if (statSync(logOf(file), { throwIfNoEntry: false })?.size !== 0) return;
  try {
    const database = new Database(file, { fileMustExist: true, timeout: 0 });
    try {
      database.pragma("user_version");
    } finally {
      database.close();
    }
  } catch (error) {
    // Without write permission the empty files stay, which is harmless.
    if (!isStorageFailure(error)) throw error;
  }
}

const CHECKS = { quick: "quick_check", whole: "integrity_check" } as const;

function findDamage(database: Database.Database, check: string): string[] {
  try {
    const rows = database.pragma(`${check}(${DAMAGE_SHOWN_MAX})`) as Record<string, string>[];
    return rows.flatMap((row) => Object.values(row)).filter((text) => text !== "ok");
  } catch (error) {
    // Too damaged for the check to finish.
    if (!isStorageFailure(error)) throw error;
    return [error instanceof Error ? error.message : String(error)];
  }
}

function openReadOnly(file: string): Database.Database {
  try {
    const database = new Database(file, { readonly: true, fileMustExist: true, timeout: WAIT_MS });
    try {
      database.pragma("query_only = ON");
      distrustSchema(database);
      // Reading once detects a file that is not a database.
      database.pragma("user_version");
      database.exec("begin");
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(
      {
        en: `The database ${file} cannot be read: ${reason}`,
        el: `Η βάση ${file} δεν διαβάζεται: ${reason}`,
      },
      { cause: error },
    );
  }
}
