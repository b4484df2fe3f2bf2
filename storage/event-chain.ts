/**
 * The journal of events as a hash chain: each event's link is SHA-256 of the link before it and of the event's digest, in
 * the order of ids. What the law wants removed can be: an event that is redacted or forgotten leaves a note, which keeps
 * the digest that the event had and is a link of the chain itself. docs/audit.md has the texts that are hashed; they never
 * change.
 */
import { hash } from "node:crypto";
import type { Selectable } from "kysely";
import type { EventNoteTable, EventTable } from "./schema.ts";

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
