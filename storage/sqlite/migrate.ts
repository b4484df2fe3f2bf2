/** Migrates the schema, and finds what in a file does not belong to its schema. */
import Database from "better-sqlite3";
import { Kysely, sql, SqliteDialect } from "kysely";
import type { ReadMasterKeys } from "../encryption/key-ring.ts";
import { readSchemaVersion } from "./examine.ts";
import { resealOldForm } from "./old-form.ts";
import { SqliteSession } from "./sqlite-session.ts";
import type { Session } from "../database/session.ts";
import { up as schema } from "../migrations/0001-schema.ts";
import { up as work } from "../migrations/0002-work.ts";
import { up as office, sealCustomers } from "../migrations/0003-office.ts";

/** Changes the schema to the next version, on the connection of a transaction. */
type Migration = (
  db: Kysely<unknown>,
  database: Database.Database,
  readKeys: ReadMasterKeys | undefined,
) => Promise<void>;

/** The first one makes schema 1. */
const MIGRATIONS: readonly Migration[] = [
  schema,
  async (db, database, readKeys) => {
    await work(db);
    // Version 0.2.0 sealed in another form.
    if (readKeys !== undefined) resealOldForm(database, readKeys());
  },
  async (db, database, readKeys) => {
    await office(db);
    await sealCustomers(new SqliteSession(database), readKeys);
  },
];

/**
 * Migrates the schema. All or nothing, and safe when several processes start together. `readKeys` reads the master keys, without
 * which a database with data of version 0.2.0 is not migrated. Kysely's handle is not destroyed, because that would close the
 * connection, which is still used.
 */
export async function migrate(
  database: Database.Database,
  readKeys?: ReadMasterKeys,
  migrations = MIGRATIONS,
): Promise<void> {
  const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database }) });
  database.exec("begin immediate");
  try {
    for (const [index, run] of migrations.entries()) {
      if (index < readSchemaVersion(database)) continue;
      await run(db, database, readKeys);
      database.pragma(`user_version = ${index + 1}`);
    }
    database.exec("commit");
  } catch (error) {
    if (database.inTransaction) database.exec("rollback");
    throw error;
  }
}

/** The tables, indexes, triggers and views that schema `version` lacks or does not have: `- table documents`, `+ trigger evil`. */
export async function findUnexpectedObjects(session: Session, version: number): Promise<string[]> {
  return compareObjects(await readObjects(session), await readExpected(version));
}

export function compareObjects(actual: readonly string[], expected: readonly string[]): string[] {
  return [
    ...expected.filter((object) => !actual.includes(object)).map((object) => `- ${object}`),
    ...actual.filter((object) => !expected.includes(object)).map((object) => `+ ${object}`),
  ];
}

/** What is in the schema that the program itself creates, such as `table documents`. */
export async function readExpected(version: number): Promise<string[]> {
  const database = new Database(":memory:");
  try {
    await migrate(database, undefined, MIGRATIONS.slice(0, version));
    return await readObjects(new SqliteSession(database));
  } finally {
    database.close();
  }
}

/**
 * Without those that SQLite itself or Litestream (docs/replication.md) creates, and the two tables in which version 0.2.0 noted its
 * migrations. A virtual table has no root page.
 */
async function readObjects(session: Session): Promise<string[]> {
  const objects = sql<{ object: string }>`
    select case when type = 'table' and rootpage = 0 then 'virtual table' else type end || ' ' || name as object
    from sqlite_schema where name not like 'sqlite\\_%' escape '\\' and name not like '\\_litestream\\_%' escape '\\'
      and not (type = 'table' and name in ('kysely_migration', 'kysely_migration_lock'))
    order by type desc, name`;
  return (await session.query(() => objects)).map(({ object }) => object);
}
