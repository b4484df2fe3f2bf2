/**
 * Finds what in a database file does not belong to its schema (docs/contract.md#restored-schema). A file from an unknown source
 * is not trusted: its triggers would run with our writes.
 */
import Database from "better-sqlite3";
import { sql } from "kysely";
import { migrate } from "./migrate.ts";
import type { Session } from "../database/session.ts";
import { SqliteSession } from "./sqlite-session.ts";

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
    await migrate(database, { through: version });
    return await readObjects(new SqliteSession(database));
  } finally {
    database.close();
  }
}

/** Without those that SQLite itself or Litestream (docs/replication.md) creates. A virtual table has no root page. */
async function readObjects(session: Session): Promise<string[]> {
  const rows = await session.query<{ object: string }>((db) => ({
    compile: () =>
      sql<{ object: string }>`
        select case when type = 'table' and rootpage = 0 then 'virtual table' else type end || ' ' || name as object
        from sqlite_schema where name not like 'sqlite\\_%' escape '\\' and name not like '\\_litestream\\_%' escape '\\'
        order by type desc, name`.compile(db),
  }));
  return rows.map(({ object }) => object);
}
