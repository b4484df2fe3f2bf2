/**
 * Appends events, always inside the caller's write, so that what happened, the event that tells it and its deliveries are on
 * disk together or not at all. An event is never changed
 * afterwards, but for a provider's words that may not be kept: its link in the chain of events tells any other change.
 */
import { findTimeline, insertEvent, type TimelineRow } from "../../storage/events.ts";
import type { DocumentRow } from "../../storage/documents.ts";
import type { EventType, Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Cause } from "./context.ts";
import { buildDocumentObject, type DocumentObject } from "./document-object.ts";
import { fanOut } from "./fan-out.ts";

/** The cause of what the service does by itself. */
export function backgroundCause(mode: Mode): Cause {
  return { mode, requestId: null, idempotencyKey: null };
}

/** The values that changed fields had before; undefined when nothing changed. Both objects have the same fields. */
export function previousAttributes<T extends object>(before: T, after: T): Partial<T> | undefined {
  const previous: Partial<T> = {};
  let changed = false;
  for (const field of Object.keys(after) as (keyof T)[]) {
    if (before[field] === after[field]) continue;
    if (JSON.stringify(before[field]) === JSON.stringify(after[field])) continue;
    previous[field] = before[field];
    changed = true;
  }
  return changed ? previous : undefined;
}

/** What an event is about, and who caused it. */
export interface EventEntry {
  type: EventType;
  /** The snapshot right after the event, as JSON text. */
  objectJson: string;
  previous: object | undefined;
  documentId: string | null;
  merchantId: string | null;
  cause: Cause;
}

/** Appends an event, fans it out to the endpoints that ask for it, and answers its id. */
export async function appendEvent(
  trx: Transaction,
  entry: EventEntry,
  id = trx.newId("evt"),
): Promise<string> {
  await insertEvent(trx, {
    id,
    type: entry.type,
    mode: entry.cause.mode,
    object_json: entry.objectJson,
    previous_json: entry.previous === undefined ? null : JSON.stringify(entry.previous),
    request_id: entry.cause.requestId,
    idempotency_key: entry.cause.requestId === null ? null : entry.cause.idempotencyKey,
    document_id: entry.documentId,
    merchant_id: entry.merchantId,
    created_at: trx.now,
  });
  await fanOut(trx, { id, type: entry.type, mode: entry.cause.mode, documentId: entry.documentId });
  return id;
}

export interface AppendedDocumentEvent {
  eventId: string;
  object: DocumentObject;
  /** `object` as it was stored: byte for byte what a replay answers. */
  json: string;
}

/**
 * Appends an event about a document. `before` is the document just before the event and `after` right after it; without
 * `before` the event is the document's first. The snapshot's timeline ends with the event itself.
 */
export async function appendDocumentEvent(
  trx: Transaction,
  event: { type: EventType; before?: DocumentRow; after: DocumentRow; cause: Cause },
): Promise<AppendedDocumentEvent> {
  const { type, before, after, cause } = event;
  const eventId = trx.newId("evt");
  const timelineBefore = before === undefined ? [] : await findTimeline(trx, after.id);
  const timeline = extendTimeline(timelineBefore, { id: eventId, type, created_at: trx.now });
  const object = buildDocumentObject(after, timeline);
  const json = JSON.stringify(object);
  const previous =
    before === undefined
      ? undefined
      : previousAttributes(buildDocumentObject(before, timelineBefore), object);
  const entry = {
    type,
    objectJson: json,
    previous,
    documentId: after.id,
    merchantId: after.merchant_id,
    cause,
  };
  await appendEvent(trx, entry, eventId);
  return { eventId, object, json };
}

/** spec: at most 100 entries; a longer timeline keeps its first and its last 99. */
const TIMELINE_MAX = 100;

function extendTimeline(timeline: readonly TimelineRow[], entry: TimelineRow): TimelineRow[] {
  const extended = [...timeline, entry];
  if (extended.length > TIMELINE_MAX) extended.splice(1, extended.length - TIMELINE_MAX);
  return extended;
}
