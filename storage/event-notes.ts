/** Notes about redacted and deleted events, and the rows of the chain as the audit reads them (event-chain.ts). */
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

/** Adds a note to the chain that the event `before` was changed to `after`, or deleted if `after` is undefined. */
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

/** The end of the chain as the database records it. */
export async function findChainHead(session: Session): Promise<ChainHead> {
  const row = await session.first(selectHead, {});
  return row === undefined ? CHAIN_START : { id: row.chain_id, link: row.chain };
}

const selectEvents = statement<{ after: string; limit: number }>()((db, p) =>
  db.selectFrom("events").selectAll().where("id", ">", p.after).orderBy("id").limit(p.limit),
);

/** Events of both modes with ids above `after`, oldest first. */
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

/** Notes with ids above `after`, oldest first. */
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

/** Notes after the note `after`, in the order of their events and, for the same event, oldest first. */
export function findNotesByEvent(
  session: Session,
  after: { event_id: string; id: string },
  limit: number,
): Promise<EventNoteRow[]> {
  return session.all(selectNotesByEvent, { eventId: after.event_id, noteId: after.id, limit });
}
