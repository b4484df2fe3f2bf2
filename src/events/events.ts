/** Reading events: one, a page, or as they come. */
import { isId } from "../../storage/ids.ts";
import { type EventFilters, findEvent, listEventRows, listEventsAfter } from "../../storage/events.ts";
import type { EventType, Mode } from "../../storage/schema.ts";
import type { Context, Page, PageQuery } from "../context.ts";
import { AppError, validationError } from "../errors.ts";
import { createdRange, pageOf, pageRequest } from "../pages.ts";
import { buildEventObject, type EventObject } from "./object.ts";

interface EventQuery {
  type?: readonly EventType[] | undefined;
  document?: string | undefined;
  merchant?: string | undefined;
  "created[gte]"?: string | undefined;
  "created[lte]"?: string | undefined;
}

/** Throws `not_found`; an event of another mode reads as not there. */
export async function getEvent(context: Context, mode: Mode, id: string): Promise<EventObject> {
  const row = isId(id, "evt") ? await findEvent(context.store.read, id) : undefined;
  if (row === undefined || row.mode !== mode)
    throw new AppError("not_found", "There is no such event in this mode");
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

const FOLLOW_BATCH = 100;

/**
 * Events as they come, oldest first, those after the event `after` to begin with; from the first one when it is undefined.
 * Ends when the signal is aborted. Nothing is missed: ids rise in the order in which events become visible.
 */
export async function* followEvents(
  context: Context,
  mode: Mode,
  options: EventQuery & { after?: string | undefined; signal: AbortSignal; intervalMs: number },
): AsyncGenerator<EventObject> {
  let { after } = options;
  if (after !== undefined && !isId(after, "evt")) {
    throw validationError([
      { path: "after", message: "must be an event's id (evt_ and 22 letters or digits)" },
    ]);
  }
  const filters = filtersOf(mode, options);
  while (!options.signal.aborted) {
    const rows = await listEventsAfter(context.store.read, filters, after, FOLLOW_BATCH);
    for (const row of rows) {
      after = row.id;
      yield buildEventObject(row);
    }
    if (rows.length < FOLLOW_BATCH) await pause(options.intervalMs, options.signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
