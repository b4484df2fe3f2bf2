/**
 * What stands in a database file beside, or in the place of, the tables of its schema. A file from elsewhere is not trusted:
 * a trigger in it would run with our writes, and a table that is another one would be read as ours.
 */
import Database from "better-sqlite3";
import { sql } from "kysely";
import { SqliteSession, type Session } from "./session.ts";
import { migrate } from "./migrate.ts";

/** A column as `pragma table_xinfo` tells it; `hidden` also says that it is computed. */
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
 * The names of triggers and virtual tables, and of tables of schema `version` that are missing or have other columns. Tables,
 * views and indexes of somebody's own are no strangers: nothing of ours reads or runs them.
 */
export async function findUnexpectedObjects(session: Session, version: number): Promise<string[]> {
  const [there, known] = [await describeTables(session), await describeKnown(version)];
  const different = [...known].filter(([table, text]) => there.get(table) !== text).map(([table]) => table);
  return [...(await findTriggersAndVirtualTables(session)), ...different];
}

/** The tables that this program makes of the schema `version`. */
async function describeKnown(version: number): Promise<Map<string, string>> {
  const database = new Database(":memory:");
  try {
    await migrate(database, { through: version });
    return await describeTables(new SqliteSession(database));
  } finally {
    database.close();
  }
}

/** What runs by itself, as `trigger NAME`: triggers, and virtual tables, which have no page of their own. fiscal makes neither. */
export async function findTriggersAndVirtualTables(session: Session): Promise<string[]> {
  const rows = await session.query<{ type: string; name: string }>((db) => ({
    compile: () =>
      sql<{ type: string; name: string }>`
        select type, name from sqlite_master where type = 'trigger' or (type = 'table' and rootpage = 0)
        order by name`.compile(db),
  }));
  return rows.map(({ type, name }) => `${type} ${name}`);
}

/** All columns of each table, as one text. */
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
