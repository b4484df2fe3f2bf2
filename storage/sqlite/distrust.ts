/** Restricts what the schema of an untrusted database file can do. */
import type Database from "better-sqlite3";

/**
 * Stops views, triggers, defaults and indexes of the file from calling functions with side effects. See "Untrusted SQLite
 * Database Files" in SQLite's security notes; better-sqlite3 allows such calls by default.
 */
export function distrustSchema(database: Database.Database): void {
  database.pragma("trusted_schema = OFF");
}
