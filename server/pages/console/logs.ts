/** Pages of events and of the logs of API requests and provider calls: the lists, and one entry with its snapshot or bodies. */
import { providerName } from "../../../src/domain/document-codes.ts";
import { TEXTS } from "./messages.ts";
import {
  getProviderCall,
  getRequest,
  listProviderCalls,
  listRequests,
} from "../../../src/operations/logs.ts";
import { getEvent, listEvents } from "../../../src/operations/events.ts";
import { EVENT_NAMES } from "./messages/resource-messages.ts";
import type { ApiRequestDetail, ProviderCallDetail } from "../../../src/logs/log-objects.ts";
import { formatInstant } from "./format.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { html, type Markup } from "../markup.ts";
import { operationList, operationPage } from "./operation-pages.ts";
import { source } from "./parts.ts";
import { get, type Route, type Visit } from "./visit.ts";
import type { EventObject } from "../../../src/journal/event-object.ts";

function eventSections({ data }: EventObject): Markup {
  const { object, previous_attributes: previous } = data;
  return html`${previous !== undefined && html`<section><h2>${TEXTS.previous}</h2>${source(previous)}</section>`}
<section><h2>${TEXTS.snapshot}</h2>${source(object)}</section>`;
}

type Detail = ApiRequestDetail | ProviderCallDetail;

/** Both bodies, or the reason why they are missing. */
function bodySections(_visit: Visit, detail: Detail): Markup {
  const why = absence(detail);
  if (why !== undefined) return html`<section><p class="empty">${why}</p></section>`;
  const side = (heading: Text, value: unknown) =>
    value !== null && html`<section><h2>${heading}</h2>${source(value)}</section>`;
  return html`${side(TEXTS.request, detail.request)}${side(TEXTS.response, detail.response)}`;
}

function absence(detail: Detail): Text | undefined {
  if (detail.request !== null || detail.response !== null) return undefined;
  if (detail.bodies_purged_at !== null) return TEXTS.bodiesPurged(formatInstant(detail.bodies_purged_at));
  if (detail.bodies_unreadable) return TEXTS.bodiesUnreadable;
  if ("bodies_withheld" in detail && detail.bodies_withheld) return TEXTS.bodiesWithheld;
  return TEXTS.noBodies;
}

export const LOG_ROUTES: readonly Route[] = [
  get("/events", operationList({ title: TEXTS.events, operation: listEvents, pages: "events" })),
  operationPage({
    path: "/events/:id",
    operation: getEvent,
    title: ({ type }) => EVENT_NAMES[type],
    below: (_visit, event) => eventSections(event),
  }),
  get("/requests", operationList({ title: TEXTS.requests, operation: listRequests, pages: "requests" })),
  operationPage({
    path: "/requests/:id",
    operation: getRequest,
    title: ({ method, path }) => `${method} ${path}`,
    below: bodySections,
  }),
  get("/calls", operationList({ title: TEXTS.calls, operation: listProviderCalls, pages: "calls" })),
  operationPage({
    path: "/calls/:id",
    operation: getProviderCall,
    title: ({ provider, operation }) => html`${TEXTS.call} · ${providerName(provider)} ${operation}`,
    below: bodySections,
  }),
];
