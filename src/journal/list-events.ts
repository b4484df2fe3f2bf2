/** Reads events: one, a page, or a stream of new ones. */
import type { Slice } from "../../storage/database/lists.ts";
import { isId } from "../../storage/database/ids.ts";
import { type EventFilters, findEvent, listEventRows, findEventSlice } from "../../storage/journal/events.ts";
import type { EventType, Mode } from "../../storage/stored-values.ts";
import type { Context } from "./context.ts";
import {
  type Page,
  type PageQuery,
  follow,
  type FollowOptions,
  createdRange,
  pageOf,
  pageRequest,
} from "../foundation/pages.ts";
import { AppError } from "../foundation/errors.ts";
import { buildEventObject, type EventObject } from "./event-object.ts";

interface EventQuery {
  type?: readonly EventType[] | undefined;
  document?: string | undefined;
  merchant?: string | undefined;
  "created[gte]"?: string | undefined;
  "created[lte]"?: string | undefined;
}

/** Throws `not_found`, also for an event of the other mode. */
export async function getEvent(context: Context, mode: Mode, id: string): Promise<EventObject> {
  const row = isId(id, "evt") ? await findEvent(context.store.read, { id }) : undefined;
  if (row === undefined || row.mode !== mode)
    throw new AppError("not_found", {
      en: "There is no such event in this mode",
      el: "Δεν υπάρχει τέτοιο συμβάν σε αυτή τη λειτουργία",
    });
  return buildEventObject(row);
}

function filtersOf(mode: Mode, query: EventQuery): EventFilters {
  return {
    mode,
    types: query.type,
    documentId: query.document,
    merchantId: query.merchant,
    created: createdRange(query),
  };
}

export async function listEvents(
  context: Context,
  mode: Mode,
  query: PageQuery & EventQuery,
): Promise<Page<EventObject>> {
  const page = await listEventRows(context.store.read, filtersOf(mode, query), pageRequest(query, "evt"));
  return pageOf(page, query, buildEventObject);
}

/** Streams events as they are appended, oldest first. */
export function followEvents(
  context: Context,
  mode: Mode,
  options: EventQuery & FollowOptions,
): AsyncGenerator<EventObject> {
  const filters = filtersOf(mode, options);
  const fetch = (slice: Slice) => findEventSlice(context.store.read, filters, slice);
  return follow("evt", options, fetch, buildEventObject);
}
