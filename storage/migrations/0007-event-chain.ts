/** The journal becomes a hash chain (event-chain.ts): the events that there are get their links, oldest first. */
import { type Kysely, type Selectable, sql } from "kysely";
import { CHAIN_START, digestOfEvent, linkAfter } from "../event-chain.ts";
import type { EventTable } from "../schema.ts";

const CHANGES = [
  `alter table events add column chain blob not null default x''`,
  `alter table appliance add column chain_id text not null default ''`,
  `alter table appliance add column chain blob not null default x'${"00".repeat(32)}'`,
  `create table event_notes (
    id text primary key,
    kind text not null check (kind in ('redacted', 'forgotten')),
    event_id text not null,
    digest blob not null,
    digest_after blob,
    chain blob not null,
    check ((digest_after is null) = (kind = 'forgotten'))
  ) strict`,
  `create index event_notes_of_event on event_notes (event_id, id)`,
] as const;

/** Events held in memory at once, some kilobytes each. */
const PORTION = 500;

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const text of CHANGES) await sql.raw(text).execute(db);
  let head = CHAIN_START;
  for (;;) {
    const { rows } = await sql<Selectable<EventTable>>`
      select * from events where id > ${head.id} order by id limit ${PORTION}`.execute(db);
    for (const row of rows) {
      head = { id: row.id, link: linkAfter(head.link, digestOfEvent(row)) };
      await sql`update events set chain = ${head.link} where id = ${row.id}`.execute(db);
    }
    if (rows.length < PORTION) break;
  }
  await sql`update appliance set chain_id = ${head.id}, chain = ${head.link}`.execute(db);
}
