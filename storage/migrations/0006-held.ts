/** What a restored appliance must ask before it sends: documents and counters that another one may have used since. */
import { type Kysely, sql } from "kysely";

const CHANGES = [
  `alter table appliance add column backup_at text`,
  `alter table appliance add column resumed_at text`,
  `alter table documents add column asking text check (asking in ('first', 'done'))`,
  `alter table series add column asks_left integer not null default 0`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of CHANGES) await sql.raw(text).execute(db);
}
