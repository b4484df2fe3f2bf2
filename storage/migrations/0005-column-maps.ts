/** What the columns of a merchant's files mean, remembered from one file to the next. */
import { type Kysely, sql } from "kysely";

const CHANGES = [
  `create table column_maps (
    merchant_id text primary key references merchants (id),
    map_json text not null,
    updated_at text not null
  ) strict, without rowid`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of CHANGES) await sql.raw(text).execute(db);
}
