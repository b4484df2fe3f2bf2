/**
 * The journal of events as a hash chain: each event's link is SHA-256 of the link before it and of the event's digest, in
 * the order of ids. What the law wants removed can be: an event that is redacted or forgotten leaves a note, which keeps
 * the digest that the event had and is a link of the chain itself. docs/audit.md has the texts that are hashed; they never
 * change.
 */
import { hash } from "node:crypto";
import type { Insertable, Selectable } from "kysely";
import type { EventNoteTable, EventTable } from "./schema.ts";
import type { Session } from "./session.ts";
import { statement } from "./statement.ts";
import type { Transaction } from "./write.ts";

/** What the digest of an event covers: all of its row but the link. */
export type ChainedEvent = Omit<Selectable<EventTable>, "chain">;
export type EventNoteRow = Selectable<EventNoteTable>;

/** The end of the chain: its newest id and link. Before the first event: an empty id and 32 zero bytes. */
export interface ChainHead {
  id: string;
  link: Uint8Array;
}

/** The link before the first. */
export const CHAIN_START: ChainHead = { id: "", link: new Uint8Array(32) };

/** 32 bytes. The lengths stand in the text, so that no text moves from one part into the other unnoticed. */
export function digestOfEvent(row: ChainedEvent): Buffer {
  const { object_json: object, previous_json: previous } = row;
  const head = JSON.stringify([
    row.id,
    row.type,
    row.mode,
    row.request_id,
    row.idempotency_key,
    row.document_id,
    row.merchant_id,
    row.created_at,
    object.length,
    previous === null ? null : previous.length,
  ]);
  return hash("sha256", `${head}\n${object}\n${previous ?? ""}`, "buffer");
}

/** 32 bytes. */
export function digestOfNote(note: Omit<EventNoteRow, "chain">): Buffer {
  const after = note.digest_after === null ? null : hexOf(note.digest_after);
  return hash(
    "sha256",
    JSON.stringify(["note", note.id, note.kind, note.event_id, hexOf(note.digest), after]),
    "buffer",
  );
}

/** The link of what has `digest`, behind `link`: 32 bytes each. */
export function linkAfter(link: Uint8Array, digest: Uint8Array): Buffer {
  return hash("sha256", Buffer.concat([link, digest]), "buffer");
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}

const insertNote = statement<Insertable<EventNoteTable>>()((db, p) =>
  db.insertInto("event_notes").values({
    id: p.id,
    kind: p.kind,
    event_id: p.event_id,
    digest: p.digest,
    digest_after: p.digest_after,
    chain: p.chain,
  }),
);

/** Notes in the chain that an event was changed (`after` is what it is then) or is gone. `before` is the event as it was. */
export async function noteEvent(
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
export function findEventsFrom(
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
export function findNotesFrom(session: Session, after: string, limit: number): Promise<EventNoteRow[]> {
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
