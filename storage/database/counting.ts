/** Counts rows in a database of any schema version, to compare a copy with its original. */
import { sql } from "kysely";
import { perEngine } from "./dialect.ts";
import type { Tables } from "./schema.ts";
import type { Session } from "./session.ts";
import { allValues, firstValue } from "./queries.ts";

const TABLES = perEngine({
  sqlite: sql<{ name: string }>`(select name from sqlite_master where type = 'table')`,
  postgres: sql<{
    name: string;
  }>`(select tablename as name from pg_tables where schemaname = current_schema())`,
});

const selectTables = allValues()((db) => db.selectFrom(TABLES.as("tables")).select("tables.name"));

/** The number of rows in each of `tables`, without the tables that the file does not have. */
export async function countRows(
  session: Session,
  tables: readonly (keyof Tables)[],
): Promise<Record<string, number>> {
  const existing = new Set<string>(await selectTables(session));
  const counts: Record<string, number> = {};
  for (const table of tables) {
    if (!existing.has(table)) continue;
    const [row] = await session.query((db) => db.selectFrom(table).select(sql<number>`count(*)`.as("rows")));
    counts[table] = row?.rows ?? 0;
  }
  return counts;
}

/** The id of the newest event; undefined if there is none. */
export const findLastEvent = firstValue()((db) =>
  db.selectFrom("events").select("id").orderBy("id", "desc").limit(sql.lit(1)),
);
