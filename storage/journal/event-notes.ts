/** Removes provider messages and personal data from stored errors and events, and notes each change. */
import type { AuditKey } from "../encryption/key-ring.ts";
import {
  type ChainedEvent,
  digestOfEvent,
  digestOfNote,
  digestRemovable,
  type EventNoteRow,
  type RemovableDigests,
} from "./event-chain.ts";
import type { EventNoteKind, EventType, Mode } from "../stored-values.ts";
import { allRows, inPortion, outdating, type Portion, updateRow } from "../database/queries.ts";
import type { Transaction } from "../database/write.ts";
import type { EventRow } from "./events.ts";

async function appendNote(
  trx: Transaction,
  fields: Pick<EventNoteRow, "kind" | "event_id" | "digest" | "digest_after">,
): Promise<void> {
  const note = { id: trx.newId("evt"), ...fields };
  const chain = trx.extendChain(note.id, digestOfNote(trx.auditKey, note), null);
  await trx.insertRows({ event_notes: [{ ...note, chain }] });
}

/** The notes about a provider's words, and the column that had them. */
const WORDS = [
  ["object_words", "object"],
  ["previous_words", "previous"],
] as const satisfies readonly (readonly [EventNoteKind, keyof RemovableDigests])[];

async function noteRemovedWords(trx: Transaction, before: ChainedEvent, after: ChainedEvent): Promise<void> {
  const [had, has] = [digestRemovable(trx.auditKey, before), digestRemovable(trx.auditKey, after)];
  for (const [kind, part] of WORDS) {
    const digest = had[part];
    if (digest === null || has[part] !== null) continue;
    await appendNote(trx, { kind, event_id: before.id, digest, digest_after: null });
  }
}

/** Adds a note that the request id or the idempotency key of `before` was replaced. Throws if neither was set before or after. */
async function noteReplacedRequest(
  trx: Transaction,
  before: ChainedEvent,
  after: ChainedEvent,
): Promise<void> {
  const digest = digestRemovable(trx.auditKey, before).request;
  const digest_after = digestRemovable(trx.auditKey, after).request;
  if (digest === null || digest_after === null)
    throw new Error(`The event ${before.id} has no request to replace`);
  await appendNote(trx, { kind: "request", event_id: before.id, digest, digest_after });
}

/** Adds a note that the event was deleted. Throws for the event of a document, which is never forgotten. */
export async function noteForgottenEvent(trx: Transaction, row: ChainedEvent): Promise<void> {
  if (row.document_id !== null) throw new Error(`${row.id} is about a document and cannot be forgotten`);
  const notes = await findNotesOf(trx, { eventId: row.id });
  const digest = digestOfEvent(trx.auditKey, row, originalDigests(trx.auditKey, row, notes));
  await appendNote(trx, { kind: "forgotten", event_id: row.id, digest, digest_after: null });
}

/** The digests that the event was written with: the first note about a part has it, otherwise the part is unchanged. */
export function originalDigests(
  key: AuditKey,
  row: ChainedEvent,
  notes: readonly EventNoteRow[],
): RemovableDigests {
  const now = digestRemovable(key, row);
  const firstOf = (kind: EventNoteKind) => notes.find((note) => note.kind === kind)?.digest;
  return {
    object: firstOf("object_words") ?? now.object,
    previous: firstOf("previous_words") ?? now.previous,
    request: firstOf("request") ?? now.request,
  };
}

const findNotesOf = allRows<{ eventId: string }>()((db, p) =>
  db.selectFrom("event_notes").selectAll().where("event_id", "=", p.eventId).orderBy("id"),
);

const setLastError = updateRow("connections", ["id"], ["last_error_json"]);

/** Replaces the last error of a connection, without an event. */
export const rewriteConnectionError = outdating(setLastError);

const setEventTexts = updateRow("events", ["id"], ["object_json", "previous_json"]);

/** Replaces the error of a document, without an event. */
export const rewriteDocumentError = updateRow("documents", ["id"], ["error_json"]);

/** Replaces the snapshots of an event by ones without a provider's words, and adds notes to the chain. */
export async function rewriteEvent(
  trx: Transaction,
  before: EventRow,
  texts: Pick<EventRow, "object_json" | "previous_json">,
): Promise<void> {
  const after = { ...before, ...texts };
  await noteRemovedWords(trx, before, after);
  await setEventTexts(trx, after);
}

const setEventRequest = updateRow("events", ["id"], ["request_id", "idempotency_key"]);

/**
 * Replaces the request id and the idempotency key of an event, and adds a note to the chain. Together with a provider's words
 * they are the only parts of an event that may change (docs/audit.md). May be repeated. `before` is the row as it is now;
 * throws if it has neither value, or would have neither afterwards.
 */
export async function rewriteEventRequest(
  trx: Transaction,
  before: EventRow,
  ids: Pick<EventRow, "request_id" | "idempotency_key">,
): Promise<void> {
  const after = { ...before, ...ids };
  await noteReplacedRequest(trx, before, after);
  await setEventRequest(trx, after);
}

export const findEventsOfDocument = allRows<{ documentId: string }>()((db, p) =>
  db.selectFrom("events").selectAll().where("document_id", "=", p.documentId).orderBy("id"),
);

export const findTypedEventsIn = allRows<Portion & { mode: Mode; type: EventType }>()((db, p) =>
  inPortion(db.selectFrom("events").selectAll().where("mode", "=", p.mode).where("type", "=", p.type), p),
);

export const findOldConnectionErrors = allRows<{ before: string }>()((db, p) =>
  db.selectFrom("connections").selectAll().where("last_error_at", "<", p.before),
);
