/** The rows of the chain of events (event-chain.ts) as the audit reads them, and the notes of what was taken out of it. */
import type { Insertable, Selectable } from "kysely";
import {
  CHAIN_START,
  type ChainedEvent,
  type ChainHead,
  digestOfEvent,
  digestOfNote,
  type EventNoteRow,
} from "./event-chain.ts";
import type { EventNoteTable, EventTable } from "./schema.ts";
import type { Session } from "./session.ts";
import { rowStatement, statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

const insertNote = rowStatement<Insertable<EventNoteTable>>()((db, row) =>
  db.insertInto("event_notes").values(row),
);

/** Notes in the chain that an event was changed (`after` is what it is then) or is gone. `before` is the event as it was. */
export async function insertEventNote(
  trx: Transaction,
  before: ChainedEvent,
  after: ChainedEvent | undefined,
): Promise<void> {
  const note = {
    id: trx.newId("evt"),
    kind: after === undefined ? ("forgotten" as const) : ("redacted" as const),
    event_id: before.id,
    digest: digestOfEvent(before),
    digest_after: after === undefined ? null : digestOfEvent(after),
  };
  await trx.run(insertNote, { ...note, chain: trx.extendChain(note.id, digestOfNote(note)) });
}

const selectHead = statement<object>()((db) =>
  db.selectFrom("appliance").select(["chain_id", "chain"]).where("id", "=", 1),
);

/** The end of the chain as the file has it noted. */
export async function findChainHead(session: Session): Promise<ChainHead> {
  const row = await session.first(selectHead, {});
  return row === undefined ? CHAIN_START : { id: row.chain_id, link: row.chain };
}

const selectEvents = statement<{ after: string; limit: number }>()((db, p) =>
  db.selectFrom("events").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

/** The oldest events above `after`, of both modes. */
export function findEventsAfter(
  session: Session,
  after: string,
  limit: number,
): Promise<Selectable<EventTable>[]> {
  return session.all(selectEvents, { after, limit });
}

const selectNotes = statement<{ after: string; limit: number }>()((db, p) =>
  db.selectFrom("event_notes").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

/** The oldest notes above `after`. */
export function findNotesAfter(session: Session, after: string, limit: number): Promise<EventNoteRow[]> {
  return session.all(selectNotes, { after, limit });
}

const selectNotesByEvent = statement<{ eventId: string; noteId: string; limit: number }>()((db, p) =>
  db
    .selectFrom("event_notes")
    .selectAll()
    .where((eb) =>
      eb.or([
        eb("event_id", ">", p.eventId),
        eb.and([eb("event_id", "=", p.eventId), eb("id", ">", p.noteId)]),
      ]),
    )
    .orderBy("event_id")
    .orderBy("id")
    .limit(p.limit),
);

/** Notes in the order of the events that they are about, those of one event oldest first, behind a note. */
export function findNotesByEvent(
  session: Session,
  after: { event_id: string; id: string },
  limit: number,
): Promise<EventNoteRow[]> {
  return session.all(selectNotesByEvent, { eventId: after.event_id, noteId: after.id, limit });
}
