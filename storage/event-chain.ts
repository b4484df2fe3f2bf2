/**
 * Hashes of the chain of events (docs/contract.md#audit-chain). In the order of ids, the link of each event is the SHA-256 of
 * the previous link and the event's digest. Personal data can still be removed: redacting or deleting an event adds a note to
 * the chain, with the digest that the event had. docs/audit.md has the texts that are hashed; they never change.
 */
import { hash } from "node:crypto";
import type { Selectable } from "kysely";
import type { EventNoteTable, EventTable } from "./schema.ts";

/** The columns that the digest of an event covers: all except the link. */
export type ChainedEvent = Omit<Selectable<EventTable>, "chain">;
export type EventNoteRow = Selectable<EventNoteTable>;

/** The end of the chain: its newest id and link. */
export interface ChainHead {
  id: string;
  link: Uint8Array;
}

/** The end of an empty chain. */
export const CHAIN_START: ChainHead = { id: "", link: new Uint8Array(32) };

/** 32 bytes. The hashed text contains the lengths, so that moving text from one part to the other changes the digest. */
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

/** The link that follows `link`, for an event or note with `digest`. 32 bytes each. */
export function linkAfter(link: Uint8Array, digest: Uint8Array): Buffer {
  return hash("sha256", Buffer.concat([link, digest]), "buffer");
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
