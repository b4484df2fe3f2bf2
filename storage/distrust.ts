/** A database file may come from anywhere: what stands in its schema is read, and may call nothing. */
import type Database from "better-sqlite3";

/**
 * Functions and tables that reach out of the file are closed to views, triggers, defaults and indexes (SQLite, "Using SQLite
 * as an application file format": untrusted files). better-sqlite3 leaves them open.
 */
export function distrustSchema(database: Database.Database): void {
  database.pragma("trusted_schema = OFF");
}
