/**
 * Looking at a database file without changing it: no migration, no key, no write. For files that may be damaged, old, or in
 * use by a server.
 */
import { existsSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { distrustSchema } from "./distrust.ts";
import { isStorageFailure, StorageError } from "./errors.ts";
import { SqliteSession, type Session } from "./session.ts";

export interface Inspection {
  /** Sees one state of the file from the first read on. Reading a damaged part throws (`isStorageFailure`). */
  readonly session: Session;
  /** The schema that the file has: as many as migrations were made. */
  version(): number;
  /** What is wrong, a sentence each; empty where the file is sound. `whole` also holds the indexes against their tables. */
  findDamage(depth?: "quick" | "whole"): string[];
  /** The tables whose rows refer to rows that are not there. */
  findBrokenReferences(): string[];
  close(): void;
}

/** A server beside us holds no lock for long. */
const WAIT_MS = 5000;
/** Damage comes in heaps: the first few lines say as much as all. */
const DAMAGE_SHOWN_MAX = 5;

/** Throws a StorageError where the file is not there, may not be read, or is no database. */
export function inspectDatabase(file: string): Inspection {
  const hadLog = existsSync(logOf(file));
  const database = openReadOnly(file);
  const session = new SqliteSession(database);
  return {
    session,
    version: () => Number(database.pragma("user_version", { simple: true })),
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
 * Whoever reads a file in WAL mode that nobody else has open makes a log and its index beside it, and may not remove them.
 * SQLite itself does when the last connection that may write is closed, and only then: a program that has opened the file
 * meanwhile keeps its own. The file itself is not written.
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
    // Who may only read leaves the empty files: they harm nothing.
    if (!isStorageFailure(error)) throw error;
  }
}

const CHECKS = { quick: "quick_check", whole: "integrity_check" } as const;

function findDamage(database: Database.Database, check: string): string[] {
  try {
    const rows = database.pragma(`${check}(${DAMAGE_SHOWN_MAX})`) as Record<string, string>[];
    return rows.flatMap((row) => Object.values(row)).filter((text) => text !== "ok");
  } catch (error) {
    // So damaged that not even the check comes to its end.
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
      // Read once, so that what is no database is found out here and not by the first check.
      database.pragma("user_version");
      database.exec("begin");
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StorageError(`The database ${file} cannot be read: ${reason}`, { cause: error });
  }
}
