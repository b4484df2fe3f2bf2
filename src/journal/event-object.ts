/** The event types and the event object, the same in lists and deliveries (docs/contract.md#events); reads events. */
import * as v from "valibot";
import { type EventRow, findEvent, findEventSlice } from "../../storage/journal/events.ts";
import { EVENT_TYPES, type EventType, type Mode } from "../../storage/stored-values.ts";
import { readJson, readJsonOrNull } from "../foundation/json.ts";
import { API_VERSION } from "../foundation/wire.ts";
import { described } from "../foundation/described.ts";
import type { Slice } from "../../storage/database/lists.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Context } from "./context.ts";
import {
  type CreatedQuery,
  createdRange,
  follow,
  type FollowOptions,
  type Page,
  type PageQuery,
  readPage,
  requireInMode,
} from "../foundation/pages.ts";

export interface EventObject {
  id: string;
  object: "event";
  type: EventType;
  created: string;
  api_version: string;
  livemode: boolean;
  data: {
    /** The object right after the event. src/webhooks/event-schema.ts describes the kinds. */
    object: { id: string; object: string };
    previous_attributes?: Record<string, unknown>;
  };
  request: { id: string; idempotency_key: string | null } | null;
}

export function buildEventObject(row: EventRow): EventObject {
  const previous = readJsonOrNull<Record<string, unknown>>(row.previous_json);
  return {
    id: row.id,
    object: "event",
    type: row.type,
    created: row.created_at,
    api_version: API_VERSION,
    livemode: row.mode === "live",
    data: {
      object: readJson(row.object_json),
      ...(previous === null ? {} : { previous_attributes: previous }),
    },
    request: row.request_id === null ? null : { id: row.request_id, idempotency_key: row.idempotency_key },
  };
}

/** docs/contract.md#event-types */
export const EVENT_MEANINGS: Readonly<Record<EventType, string>> = {
  "document.created": "The service accepted a document.",
  "document.issued": "The document has a MARK.",
  "document.rejected": "The provider or the tax authority refused the document.",
  "document.failed": "The document could not be delivered to the provider.",
  "document.retried": "A failed document was queued to be sent again.",
  "document.cancelled": "An issued document was cancelled.",
  "merchant.created": "A merchant was created.",
  "merchant.updated": "A merchant was changed, archived or unarchived.",
  "connection.created": "A merchant was connected to a provider.",
  "connection.verified": "The provider accepted the credentials of a connection.",
  "connection.invalid": "The provider refused the credentials of a connection.",
  "connection.disconnected": "A connection was disconnected.",
  "connect_session.completed": "A merchant connected itself through a connect link.",
  "webhook_endpoint.disabled": "The service disabled a webhook endpoint whose deliveries failed for days.",
};

export const EventTypeField = described(
  v.picklist(EVENT_TYPES),
  "What happened. Ignore types that you do not know: new ones may be added.",
);

interface EventQuery extends CreatedQuery {
  type?: readonly EventType[] | undefined;
  document?: string | undefined;
  merchant?: string | undefined;
}

/** Throws `not_found`, also for an event of the other mode. */
export function requireEventRow(session: Session, mode: Mode, id: string): Promise<EventRow> {
  return requireInMode("evt", mode, id, (by) => findEvent(session, by));
}

export async function getEvent(context: Context, mode: Mode, id: string): Promise<EventObject> {
  return buildEventObject(await requireEventRow(context.store.read, mode, id));
}

function eventsOf(context: Context, mode: Mode, query: EventQuery): (slice: Slice) => Promise<EventRow[]> {
  const { type: types, document: documentId, merchant: merchantId } = query;
  const filters = { mode, types, documentId, merchantId, created: createdRange(query) };
  return (slice) => findEventSlice(context.store.read, filters, slice);
}

export function listEvents(
  context: Context,
  mode: Mode,
  query: PageQuery & EventQuery,
): Promise<Page<EventObject>> {
  return readPage("evt", query, eventsOf(context, mode, query), buildEventObject);
}

/** Streams events as they are appended, oldest first. */
export function followEvents(
  context: Context,
  mode: Mode,
  options: EventQuery & FollowOptions,
): AsyncGenerator<EventObject> {
  return follow("evt", options, eventsOf(context, mode, options), buildEventObject);
}
