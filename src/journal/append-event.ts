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
import { buildDocumentObject, type DocumentObject, parseFixed } from "./document-object.ts";
import { readJson } from "../foundation/json.ts";

/** The cause of background work. */
export function backgroundCause(mode: Mode): Cause {
  return { mode, requestId: null, idempotencyKey: null };
}

/** The earlier values of changed fields; undefined if nothing changed. Both objects have the same fields. */
export function previousAttributes<T extends object>(before: T, after: T): Partial<T> | undefined {
  const previous: Partial<T> = {};
  for (const field of Object.keys(after) as (keyof T)[]) {
    if (before[field] === after[field]) continue;
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) previous[field] = before[field];
  }
  return Object.keys(previous).length === 0 ? undefined : previous;
}

/** A change of an object, with the objects before and after it. */
interface Change<T extends object> {
  type: EventType;
  /** Undefined for a new one. */
  before?: T | undefined;
  after: T;
  merchantId: string | null;
  cause: Cause;
}

/** An event and its deliveries, as they are stored, with the object as JSON: byte for byte what a replay returns. */
interface EventRows {
  event: EventRow;
  deliveries: NewDelivery[];
  json: string;
}

/** Builds the rows of an event, which has its place in the chain from then on: they must be inserted. */
function buildEvent<T extends object>(
  trx: Transaction,
  endpoints: readonly EndpointInterest[],
  { type, before, after, merchantId, cause }: Change<T>,
  document: { id: string; digest: Uint8Array; eventId: string } | undefined,
): EventRows {
  const json = JSON.stringify(after);
  const previous = before && previousAttributes(before, after);
  const event = linkEvent(trx, {
    id: document?.eventId ?? trx.newId("evt"),
    type,
    mode: cause.mode,
    object_json: json,
    previous_json: previous === undefined ? null : JSON.stringify(previous),
    request_id: cause.requestId,
    idempotency_key: cause.requestId === null ? null : cause.idempotencyKey,
    document_id: document?.id ?? null,
    merchant_id: merchantId,
    document_digest: document?.digest ?? null,
    created_at: trx.now,
  });
  return { event, deliveries: deliveriesOf(trx, endpoints, event), json };
}

/** Appends an event with deliveries to the endpoints that subscribe to it. */
export async function appendEvent<T extends object>(
  trx: Transaction,
  change: Change<T>,
): Promise<{ eventId: string; json: string }> {
  const endpoints = await findEndpointInterests(trx, change.cause.mode);
  const { event, deliveries, json } = buildEvent(trx, endpoints, change, undefined);
  await trx.insertRows({ events: [event], deliveries });
  return { eventId: event.id, json };
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
  change: DocumentChange | NewDocument,
  timelineBefore: readonly TimelineRow[] = [],
): EventRows & { object: DocumentObject } {
  const { type, after, cause } = change;
  const eventId = trx.newId("evt");
  const timeline = shortenTimeline([...timelineBefore, { id: eventId, type, created_at: trx.now }]);
  const fixed = parseFixed(after);
  const object = buildDocumentObject(after, timeline, fixed);
  const before = "before" in change ? buildDocumentObject(change.before, timelineBefore, fixed) : undefined;
  const digest =
    "input" in change
      ? digestOfContents(trx.auditKey, after, change.input)
      : digestOfState(trx.auditKey, after);
  const merchantId = after.merchant_id;
  const entry = { type, before, after: object, merchantId, cause };
  return { object, ...buildEvent(trx, endpoints, entry, { id: after.id, digest, eventId }) };
}

/** Appends an event about a document, and returns the document. */
export async function appendDocumentEvent(trx: Transaction, change: DocumentChange): Promise<DocumentObject> {
  const endpoints = await findEndpointInterests(trx, change.cause.mode);
  const timeline = change.timeline ?? (await findTimeline(trx, change.after.id));
  // Nothing waits between the id and its place in the chain, so that documents can be settled together.
  const { event, deliveries, object } = buildDocumentEvent(trx, endpoints, change, timeline);
  await trx.insertRows({ events: [event], deliveries });
  return object;
}

/** Subscribes to all types, including future ones. */
export const EVERY_EVENT = "*";

/** Whether an endpoint subscribes to the type. */
export function subscribesTo(enabledEventsJson: string, type: EventType): boolean {
  const types = readJson<string[]>(enabledEventsJson);
  return types.includes(EVERY_EVENT) || types.includes(type);
}

/** The deliveries of an event to the endpoints that subscribe to its type. */
function deliveriesOf(
  trx: Transaction,
  endpoints: readonly EndpointInterest[],
  event: EventRow,
): NewDelivery[] {
  return endpoints
    .filter((endpoint) => subscribesTo(endpoint.enabled_events_json, event.type))
    .map((endpoint) => deliveryTo(trx, endpoint, event));
}

/** A delivery of the event: due now, or held if the endpoint is disabled (docs/contract.md#failing-endpoints). */
export function deliveryTo(
  trx: Transaction,
  endpoint: Pick<EndpointInterest, "id" | "status">,
  event: Pick<EventRow, "id" | "document_id">,
): NewDelivery {
  const isEnabled = endpoint.status === "enabled";
  if (isEnabled) trx.announce("deliveries");
  return {
    id: trx.newId("whd"),
    endpoint_id: endpoint.id,
    event_id: event.id,
    document_id: event.document_id,
    status: isEnabled ? "pending" : "held",
    due_at: isEnabled ? new Date(trx.clockMs).toISOString() : null,
    created_at: trx.now,
  };
}
