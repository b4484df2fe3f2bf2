/** Reads events: one, a page, or a stream of new ones. */
import type { Slice } from "../../storage/database/lists.ts";
import type { Session } from "../../storage/database/session.ts";
import { type EventRow, findEvent, findEventSlice } from "../../storage/journal/events.ts";
import type { EventType, Mode } from "../../storage/stored-values.ts";
import type { Context } from "./context.ts";
import {
  type Page,
  type PageQuery,
  follow,
  type FollowOptions,
  type CreatedQuery,
  createdRange,
  readPage,
  requireInMode,
} from "../foundation/pages.ts";
import { buildEventObject, type EventObject } from "./event-object.ts";

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
