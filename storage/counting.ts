/** How much a file holds, whatever its schema: for what is copied and must be found again. */
import { sql } from "kysely";
import type { Tables } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";

const selectTables = statement<object>()((db) =>
  db
    .selectFrom(sql<{ name: string }>`sqlite_master`.as("tables"))
    .select("tables.name")
    .where(sql<string>`type`, "=", sql.lit("table")),
);

/** Rows of those of `tables` that the file has. */
export async function countRows(
  session: Session,
  tables: readonly (keyof Tables)[],
): Promise<Record<string, number>> {
  const there = new Set((await session.all(selectTables, {})).map(({ name }) => name));
  const counts: Record<string, number> = {};
  for (const table of tables) {
    if (!there.has(table)) continue;
    const [row] = await session.query((db) => db.selectFrom(table).select(sql<number>`count(*)`.as("rows")));
    counts[table] = row?.rows ?? 0;
  }
  return counts;
}

const selectLastEvent = statement<object>()((db) =>
  db.selectFrom("events").select("id").orderBy("id", "desc").limit(sql.lit(1)),
);

/** The id of the newest event; null where there is none. */
export async function findLastEvent(session: Session): Promise<string | null> {
  return (await session.first(selectLastEvent, {}))?.id ?? null;
}
