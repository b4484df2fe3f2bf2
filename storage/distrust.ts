/** A database file may come from anywhere: what stands in its schema is read, and may call nothing. */
import type Database from "better-sqlite3";

/**
 * Functions and tables that reach out of the file are closed to views, triggers, defaults and indexes (SQLite, "Using SQLite
 * as an application file format": untrusted files). better-sqlite3 leaves them open.
 */
export function distrustSchema(database: Database.Database): void {
  database.pragma("trusted_schema = OFF");
}

/** A name as SQL writes it. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export interface SchemaProgram {
  type: "table" | "trigger" | "view";
  name: string;
}

/** What of the schema runs by itself: triggers, views, and tables of other modules. fiscal makes none. */
export function findPrograms(database: Database.Database): SchemaProgram[] {
  return database
    .prepare<[], SchemaProgram>(
      "select type, name from sqlite_schema where type in ('trigger', 'view') " +
        "or (type = 'table' and sql like 'create virtual%') order by type, name",
    )
    .all();
}
