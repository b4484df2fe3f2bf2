/**
 * Finds objects of a database file that do not belong to its schema. A file from an unknown source is not trusted: its
 * triggers would run with our writes, and its tables might have other columns than ours.
 */
import Database from "better-sqlite3";
import { sql } from "kysely";
import { SqliteSession, type Session } from "./session.ts";
import { migrate } from "./migrate.ts";

/** A column as `pragma table_xinfo` describes it. `hidden` is also set for generated columns. */
interface Column {
  table_name: string;
  name: string;
  type: string;
  not_null: number;
  default_text: string | null;
  in_key: number;
  hidden: number;
}

/**
 * The names of triggers and virtual tables, and of tables of schema `version` that are missing or have other columns. Other
 * additional tables, views and indexes are ignored, because the program neither reads nor runs them.
 */
export async function findUnexpectedObjects(session: Session, version: number): Promise<string[]> {
  const [actual, expected] = [await describeTables(session), await describeExpected(version)];
  const different = [...expected]
    .filter(([table, text]) => actual.get(table) !== text)
    .map(([table]) => table);
  return [...(await findTriggersAndVirtualTables(session)), ...different];
}

/** The tables that the program itself creates for schema `version`. */
async function describeExpected(version: number): Promise<Map<string, string>> {
  const database = new Database(":memory:");
  try {
    await migrate(database, { through: version });
    return await describeTables(new SqliteSession(database));
  } finally {
    database.close();
  }
}

/** Triggers and virtual tables (those without a root page), as `trigger NAME`. fiscal creates neither. */
export async function findTriggersAndVirtualTables(session: Session): Promise<string[]> {
  const rows = await session.query<{ type: string; name: string }>((db) => ({
    compile: () =>
      sql<{ type: string; name: string }>`
        select type, name from sqlite_master where type = 'trigger' or (type = 'table' and rootpage = 0)
        order by name`.compile(db),
  }));
  return rows.map(({ type, name }) => `${type} ${name}`);
}

/** The columns of each table as one text. */
async function describeTables(session: Session): Promise<Map<string, string>> {
  const rows = await session.query<Column>((db) => ({
    compile: () =>
      sql<Column>`
        select t.name as table_name, c.name, c.type, c."notnull" as not_null, c.dflt_value as default_text,
          c.pk as in_key, c.hidden
        from sqlite_master as t, pragma_table_xinfo(t.name) as c
        where t.type = 'table' and t.rootpage > 0 and substr(t.name, 1, 7) <> 'sqlite_'
        order by t.name, c.name`.compile(db),
  }));
  const tables = new Map<string, string>();
  for (const { table_name: table, ...column } of rows)
    tables.set(table, `${tables.get(table) ?? ""}${JSON.stringify(column)}\n`);
  return tables;
}
