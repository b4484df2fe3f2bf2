/** Events: the list, and one with its snapshot. */
import { EVENT_TYPES } from "../../../storage/stored-values.ts";
import { getEvent, listEvents } from "../../../src/journal/list-events.ts";
import type { EventObject } from "../../../src/journal/event-object.ts";
import { wordField } from "../../query.ts";
import { filterForm, readListQuery } from "./filters.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { type Column, facts, live, pager, source, tableOr, wordFor } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

/** The pages of what events are about; a connect session has none. */
const PAGES: Readonly<Record<string, string>> = {
  document: "documents",
  merchant: "merchants",
  webhook_endpoint: "webhooks",
};

function subject({ say }: Visit, { data }: EventObject): Markup {
  const { id, object } = data.object;
  const page = PAGES[object];
  const name = wordFor(say, object);
  const shown = html`<code>${id}</code>`;
  return page === undefined
    ? html`${name} ${shown}`
    : html`<a href="/console/${page}/${id}">${name} ${shown}</a>`;
}

function cause({ say }: Visit, { request }: EventObject): Markup {
  if (request === null) return html`<span class="soft">${say("by the service")}</span>`;
  return html`<a href="/console/requests?request_id=${encodeURIComponent(request.id)}"><code>${request.id}</code></a>`;
}

function columns(visit: Visit): Column<EventObject>[] {
  const { say, language } = visit;
  return [
    { head: say("when"), cell: ({ created }) => timeOf(language, created) },
    {
      head: say("event"),
      cell: ({ id, type }) =>
        html`<a href="/console/events/${id}">${wordFor(say, type)}</a> <span class="soft">${type}</span>`,
    },
    { head: say("about"), cell: (event) => subject(visit, event) },
    { head: say("request"), cell: (event) => cause(visit, event) },
  ];
}

async function eventsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say } = visit;
  const { type, ...query } = readListQuery(visit, {
    type: wordField(EVENT_TYPES, "Only events of this type."),
  });
  const page = await listEvents(appliance, mode, {
    ...query,
    ...(type === undefined ? {} : { type: [type] }),
  });
  const options = EVENT_TYPES.map((value) => ({ value, text: `${say(value)} (${value})` }));
  const list = tableOr(say("nothing found"), say("events"), columns(visit), page.data);
  return {
    kind: "page",
    title: say("events"),
    content: html`${filterForm(visit, [{ name: "type", label: say("type"), options }])}
${live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`)}`,
  };
}

async function eventPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, language, params } = visit;
  const event = await getEvent(appliance, mode, params["id"] ?? "");
  const { object, previous_attributes: previous } = event.data;
  return {
    kind: "page",
    title: wordFor(say, event.type),
    content: html`<section>${facts([
      [say("event"), html`<code>${event.type}</code>`],
      [say("when"), timeOf(language, event.created)],
      [say("about"), subject(visit, event)],
      [say("request"), cause(visit, event)],
      [say("idempotency key"), event.request?.idempotency_key],
      ["id", html`<code>${event.id}</code>`],
    ])}</section>
${previous !== undefined && html`<section><h2>${say("previous")}</h2>${source(previous)}</section>`}
<section><h2>${say("snapshot")}</h2>${source(object)}</section>`,
  };
}

export const EVENT_ROUTES: readonly Route[] = [get("/events", eventsPage), get("/events/:id", eventPage)];
