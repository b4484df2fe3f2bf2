/**
 * Appends events inside the caller's write, so that a change, its event and the deliveries to every endpoint that subscribes to its
 * type are stored together or not at all. An event never changes afterwards, except that a provider's words are redacted after their
 * retention (docs/audit.md).
 */
import {
  digestOfContents,
  digestOfState,
  type EventRow,
  findTimeline,
  linkEvent,
  shortenTimeline,
  type TimelineRow,
} from "../../storage/journal/events.ts";
import type { DocumentInputRow, DocumentRow } from "../../storage/documents/documents.ts";
import type { EventType, Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { NewDelivery } from "../../storage/webhooks/deliveries.ts";
import { type EndpointInterest, findEndpointInterests } from "../../storage/webhooks/webhooks.ts";
import type { Cause } from "./context.ts";
import { buildDocumentObject, type DocumentObject } from "./document-object.ts";
import { readJson } from "../foundation/json.ts";

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
  /** What the event vouches for besides its snapshot (storage/journal/events.ts). */
  documentDigest?: Uint8Array;
  cause: Cause;
}

/** An event and its deliveries, as they are stored. */
export interface EventRows {
  event: EventRow;
  deliveries: NewDelivery[];
}

/** Builds the rows of an event, which has its place in the chain from then on: they must be inserted. */
function buildEvent(
  trx: Transaction,
  endpoints: readonly EndpointInterest[],
  entry: EventEntry,
  id = trx.newId("evt"),
): EventRows {
  const { type, cause, documentId } = entry;
  const event = linkEvent(trx, {
    id,
    type,
    mode: cause.mode,
    object_json: entry.objectJson,
    previous_json: entry.previous === undefined ? null : JSON.stringify(entry.previous),
    request_id: cause.requestId,
    idempotency_key: cause.requestId === null ? null : cause.idempotencyKey,
    document_id: documentId,
    merchant_id: entry.merchantId,
    document_digest: entry.documentDigest ?? null,
    created_at: trx.now,
  });
  return { event, deliveries: deliveriesOf(trx, endpoints, { id, type, documentId }) };
}

/** Appends an event with deliveries to the endpoints that subscribe to it, and returns its id. */
export async function appendEvent(trx: Transaction, entry: EventEntry): Promise<string> {
  const endpoints = await findEndpointInterests(trx, entry.cause.mode);
  const { event, deliveries } = buildEvent(trx, endpoints, entry);
  await trx.insertRows({ events: [event], deliveries });
  return event.id;
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

/** Builds the rows of an event about a document. The snapshot's timeline ends with the event itself. */
export function buildDocumentEvent(
  trx: Transaction,
  endpoints: readonly EndpointInterest[],
  event: DocumentChange | NewDocument,
  timelineBefore: readonly TimelineRow[] = [],
): AppendedDocumentEvent & EventRows {
  const { type, after, cause } = event;
  const before = "before" in event ? event.before : undefined;
  const eventId = trx.newId("evt");
  const timeline = shortenTimeline([...timelineBefore, { id: eventId, type, created_at: trx.now }]);
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
  return { eventId, object, json, ...buildEvent(trx, endpoints, entry, eventId) };
}

/** Appends an event about a document. */
export async function appendDocumentEvent(
  trx: Transaction,
  change: DocumentChange,
): Promise<AppendedDocumentEvent> {
  const endpoints = await findEndpointInterests(trx, change.cause.mode);
  const timeline = change.timeline ?? (await findTimeline(trx, change.after.id));
  // Nothing waits between the id and its place in the chain, so that documents can be settled together.
  const { event, deliveries, ...appended } = buildDocumentEvent(trx, endpoints, change, timeline);
  await trx.insertRows({ events: [event], deliveries });
  return appended;
}

/** Subscribes to all types, including future ones. */
export const EVERY_EVENT = "*";

/** An event to deliver. */
export interface EventToDeliver {
  id: string;
  type: EventType;
  documentId: string | null;
}

/** Whether an endpoint subscribes to the type. */
export function subscribesTo(enabledEventsJson: string, type: EventType): boolean {
  const types = readJson<string[]>(enabledEventsJson);
  return types.includes(EVERY_EVENT) || types.includes(type);
}

/** The deliveries of an event to the endpoints that subscribe to its type. */
function deliveriesOf(
  trx: Transaction,
  endpoints: readonly EndpointInterest[],
  event: EventToDeliver,
): NewDelivery[] {
  return endpoints
    .filter((endpoint) => subscribesTo(endpoint.enabled_events_json, event.type))
    .map((endpoint) => deliveryTo(trx, endpoint, event));
}

/** A delivery of the event: due now, or held if the endpoint is disabled (docs/contract.md#failing-endpoints). */
export function deliveryTo(
  trx: Transaction,
  endpoint: Pick<EndpointInterest, "id" | "status">,
  event: Pick<EventToDeliver, "id" | "documentId">,
): NewDelivery {
  const isEnabled = endpoint.status === "enabled";
  if (isEnabled) trx.announce("deliveries");
  return {
    id: trx.newId("whd"),
    endpoint_id: endpoint.id,
    event_id: event.id,
    document_id: event.documentId,
    status: isEnabled ? "pending" : "held",
    due_at: isEnabled ? new Date(trx.clockMs).toISOString() : null,
    created_at: trx.now,
  };
}
