/**
 * Appends events inside the caller's write, so that a change, its event and the deliveries are stored together or not at all. An
 * event never changes afterwards, except that a provider's words are redacted after their retention (docs/audit.md).
 */
import { findTimeline, insertEvent, type TimelineRow } from "../../storage/journal/events.ts";
import { digestOfContents, digestOfState } from "../../storage/journal/document-digests.ts";
import type { DocumentInputRow, DocumentRow } from "../../storage/documents/documents.ts";
import type { EventType, Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Cause } from "./context.ts";
import { buildDocumentObject, type DocumentObject } from "./document-object.ts";
import { fanOut } from "./fan-out.ts";

/** The cause of background work. */
export function backgroundCause(mode: Mode): Cause {
  return { mode, requestId: null, idempotencyKey: null };
}

/** The earlier values of changed fields; undefined if nothing changed. Both objects have the same fields. */
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

/** A new event with its subject and cause. */
export interface EventEntry {
  type: EventType;
  /** The object right after the event, as JSON. */
  objectJson: string;
  previous: object | undefined;
  documentId: string | null;
  merchantId: string | null;
  /** What the event vouches for besides its snapshot (storage/journal/document-digests.ts). */
  documentDigest?: Uint8Array;
  cause: Cause;
}

/** Appends an event with deliveries to the endpoints that subscribe to it, and returns its id. */
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
    document_digest: entry.documentDigest ?? null,
    created_at: trx.now,
  });
  await fanOut(trx, { id, type: entry.type, mode: entry.cause.mode, documentId: entry.documentId });
  return id;
}

export interface AppendedDocumentEvent {
  eventId: string;
  object: DocumentObject;
  /** `object` as stored: byte for byte what a replay returns. */
  json: string;
}

/** A change of a document: `before` is its row just before the event and `after` right after it. */
interface DocumentChange {
  type: EventType;
  before: DocumentRow;
  after: DocumentRow;
  cause: Cause;
  /** The document's timeline before the event, where the caller has read it in the same write. */
  timeline?: readonly TimelineRow[] | undefined;
}

/** A document that was just accepted, with its contents. */
interface NewDocument {
  type: "document.created";
  after: DocumentRow;
  input: DocumentInputRow;
  cause: Cause;
}

/** Appends an event about a document. The snapshot's timeline ends with the event itself. */
export async function appendDocumentEvent(
  trx: Transaction,
  event: DocumentChange | NewDocument,
): Promise<AppendedDocumentEvent> {
  const { type, after, cause } = event;
  const before = "before" in event ? event.before : undefined;
  const timelineBefore = "before" in event ? (event.timeline ?? (await findTimeline(trx, after.id))) : [];
  // Nothing waits between the id and its place in the chain, so that documents can be settled together.
  const eventId = trx.newId("evt");
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
    documentDigest:
      "input" in event
        ? digestOfContents(trx.auditKey, after, event.input)
        : digestOfState(trx.auditKey, after),
    cause,
  };
  await appendEvent(trx, entry, eventId);
  return { eventId, object, json };
}

/** Longer timelines retain the first entry and the last 99 (docs/contract.md#timeline). */
const TIMELINE_MAX = 100;

function extendTimeline(timeline: readonly TimelineRow[], entry: TimelineRow): TimelineRow[] {
  const extended = [...timeline, entry];
  if (extended.length > TIMELINE_MAX) extended.splice(1, extended.length - TIMELINE_MAX);
  return extended;
}
