/**
 * Finds what in a database file does not belong to its schema (docs/contract.md#restored-schema). A file from an unknown source
 * is not trusted: its triggers would run with our writes, and its tables might lack a check or a reference that ours have.
 */
import Database from "better-sqlite3";
import { sql } from "kysely";
import { migrate } from "./migrate.ts";
import { clausesOf } from "./schema-clauses.ts";
import type { Session } from "../database/session.ts";
import { SqliteSession } from "./sqlite-session.ts";

interface SchemaObject {
  type: string;
  name: string;
  /** The table of an index. */
  tbl_name: string;
  rootpage: number;
  sql: string;
}

/**
 * Describes each difference from schema `version`: triggers and virtual tables by name, and of its tables and indexes each
 * clause that is missing or additional, like a diff: `- documents: mark text`. Tables, views and indexes of another tool are
 * ignored, because the program neither reads nor runs them; but not a unique index, which could prevent writing.
 */
export async function findUnexpectedObjects(session: Session, version: number): Promise<string[]> {
  const [actual, expected] = [await readSchema(session), await readExpected(version)];
  const differences = expected.flatMap((object) => compare(object, actual));
  return [...(await findTriggersAndVirtualTables(session)), ...differences, ...findUnique(actual, expected)];
}

/** The schema that the program itself creates. */
async function readExpected(version: number): Promise<SchemaObject[]> {
  const database = new Database(":memory:");
  try {
    await migrate(database, { through: version });
    const objects = await readSchema(new SqliteSession(database));
    // The library that migrates may describe its own tables otherwise in another version.
    return objects.filter(({ name }) => !name.startsWith("kysely_"));
  } finally {
    database.close();
  }
}

/** Without the indexes that SQLite makes for a table's own constraints, which have no SQL. */
async function readSchema(session: Session): Promise<SchemaObject[]> {
  return session.query<SchemaObject>((db) => ({
    compile: () =>
      sql<SchemaObject>`
        select type, name, tbl_name, rootpage, sql from sqlite_schema
        where sql is not null and substr(name, 1, 7) <> 'sqlite_' order by type desc, name`.compile(db),
  }));
}

function compare(expected: SchemaObject, actual: readonly SchemaObject[]): string[] {
  const { name, type } = expected;
  const found = actual.find((object) => object.name === name && object.type === type);
  if (found === undefined || (type === "table" && found.rootpage === 0)) return [`- ${type} ${name}`];
  const [ours, theirs] = [clausesOf(expected.sql), clausesOf(found.sql)];
  const missing = ours.filter((clause) => !theirs.includes(clause));
  const added = theirs.filter((clause) => !ours.includes(clause));
  return [
    ...missing.map((clause) => `- ${name}: ${clause}`),
    ...added.map((clause) => `+ ${name}: ${clause}`),
    ...(missing.length + added.length === 0 && ours.join() !== theirs.join()
      ? [`- ${name}: ${ours.join(", ")}`]
      : []),
  ];
}

/** Unique indexes on our tables that we did not create. */
function findUnique(actual: readonly SchemaObject[], expected: readonly SchemaObject[]): string[] {
  const ours = new Set(expected.map(({ name }) => name));
  return actual
    .filter(({ type, name, tbl_name: table }) => type === "index" && !ours.has(name) && ours.has(table))
    .filter((index) => clausesOf(index.sql)[0]!.startsWith("create unique "))
    .map(({ name, tbl_name: table }) => `+ ${table}: unique index ${name}`);
}

/** Triggers and virtual tables (those without a root page), as `trigger NAME`. fiscal creates neither. */
export async function findTriggersAndVirtualTables(session: Session): Promise<string[]> {
  const rows = await session.query<{ type: string; name: string }>((db) => ({
    compile: () =>
      sql<{ type: string; name: string }>`
        select type, name from sqlite_schema where type = 'trigger' or (type = 'table' and rootpage = 0)
        order by name`.compile(db),
  }));
  return rows.map(({ type, name }) => `${type} ${name}`);
}
