/** Pages of events: the list, and one event with its snapshot. */
import { sameInBoth } from "../../../src/foundation/text.ts";
import { TEXTS } from "./messages.ts";
import { EVENT_NAMES, OBJECT_NAMES } from "./messages/code-names.ts";
import { getEvent, listEvents } from "../../../src/journal/list-events.ts";
import type { EventObject } from "../../../src/journal/event-object.ts";
import * as operations from "../../../src/operations/events.ts";
import { listPage } from "./list-page.ts";
import { idLink } from "./operation-pages.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { type Column, termList, source } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

function subject({ translate }: Visit, { data }: EventObject): Markup {
  const { id, object } = data.object;
  const name = translate(OBJECT_NAMES[object] ?? sameInBoth(object));
  return html`${name} ${idLink(id) ?? html`<code>${id}</code>`}`;
}

function cause({ translate }: Visit, { request }: EventObject): Markup {
  if (request === null) return html`<span class="soft">${translate(TEXTS.byTheService)}</span>`;
  return html`<a href="/console/requests?request_id=${encodeURIComponent(request.id)}"><code>${request.id}</code></a>`;
}

function columns(visit: Visit): Column<EventObject>[] {
  const { translate, language } = visit;
  return [
    { head: translate(TEXTS.when), cell: ({ created }) => timeOf(language, created) },
    {
      head: translate(TEXTS.event),
      cell: ({ id, type }) =>
        html`<a href="/console/events/${id}">${translate(EVENT_NAMES[type])}</a> <span class="soft">${type}</span>`,
    },
    { head: translate(TEXTS.about), cell: (event) => subject(visit, event) },
    { head: translate(TEXTS.request), cell: (event) => cause(visit, event) },
  ];
}

const eventsPage = listPage({
  title: TEXTS.events,
  fields: operations.listEvents.query,
  find: ({ appliance, mode }, query) => listEvents(appliance, mode, query),
  columns,
});

async function eventPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, language, params } = visit;
  const event = await getEvent(appliance, mode, params["id"] ?? "");
  const { object, previous_attributes: previous } = event.data;
  return {
    kind: "page",
    title: translate(EVENT_NAMES[event.type]),
    content: html`<section>${termList([
      [translate(TEXTS.event), html`<code>${event.type}</code>`],
      [translate(TEXTS.when), timeOf(language, event.created)],
      [translate(TEXTS.about), subject(visit, event)],
      [translate(TEXTS.request), cause(visit, event)],
      [translate(TEXTS.idempotencyKey), event.request?.idempotency_key],
      ["id", html`<code>${event.id}</code>`],
    ])}</section>
${previous !== undefined && html`<section><h2>${translate(TEXTS.previous)}</h2>${source(previous)}</section>`}
<section><h2>${translate(TEXTS.snapshot)}</h2>${source(object)}</section>`,
  };
}

export const EVENT_ROUTES: readonly Route[] = [get("/events", eventsPage), get("/events/:id", eventPage)];
