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
    const links = rows.map((row) => {
      head = { id: row.id, link: linkAfter(head.link, digestOfEvent(row)) };
      return sql`(${head.id}, ${head.link})`;
    });
    // A statement for each event would keep the memory of all of them until the migration ends.
    if (links.length > 0)
      await sql`update events set chain = links.column2 from (values ${sql.join(links)}) as links
        where events.id = links.column1`.execute(db);
    if (rows.length < PORTION) break;
    // Only between two turns does the memory of statements that were run come back.
    await new Promise<void>((turn) => setImmediate(turn));
  }
  await sql`update appliance set chain_id = ${head.id}, chain = ${head.link}`.execute(db);
}
