/** Finds names and ids for completion, in a database file that may be missing, in use or of another version. */
import { peek } from "../../storage/sqlite/open-sqlite.ts";
import { findNames, type NamedRow, type NamedTable, type NameQuery } from "../../storage/upkeep/names.ts";

/** Empty if nothing can be read. */
export async function peekNames(
  database: string,
  table: NamedTable,
  query: NameQuery,
): Promise<readonly NamedRow[]> {
  return (await peek(database, (session) => findNames(session, table, query))) ?? [];
}
