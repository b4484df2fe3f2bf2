/** The schema version of a database file, which SQLite stores as `user_version`: the number of the newest migration that ran. */
import type Database from "better-sqlite3";

export function readSchemaVersion(database: Database.Database): number {
  return Number(database.pragma("user_version", { simple: true }));
}

/** The first migration of every commit before the first release. */
const UNRELEASED_MIGRATION = "0001-foundation";

/** Whether a commit before the first release made the schema: its version number means nothing to this program. */
export function isUnreleasedSchema(database: Database.Database): boolean {
  const hasMigrations = database.prepare("select 1 from sqlite_schema where name = 'kysely_migration'").get();
  if (hasMigrations === undefined) return false;
  const unreleased = database.prepare("select 1 from kysely_migration where name = ?");
  return unreleased.get(UNRELEASED_MIGRATION) !== undefined;
}
