/** What the issuer's paper said of it when a document was accepted: each wording once, and which one a document has. */
import { type Kysely, sql } from "kysely";

const CHANGES = [
  `create table letterheads (
    id integer primary key,
    digest blob not null unique,
    content_json text not null
  ) strict`,
  `alter table merchants add column letterhead_id integer references letterheads (id)`,
  `alter table document_inputs add column letterhead_id integer references letterheads (id)`,
] as const;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of CHANGES) await sql.raw(text).execute(db);
}
