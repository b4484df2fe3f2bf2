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
import { html, type Markup } from "../markup.ts";
import { operationList, operationPage } from "./operation-pages.ts";
import { source } from "./parts.ts";
import { get, type Route, type Visit } from "./visit.ts";
import type { EventObject } from "../../../src/journal/event-object.ts";

function eventSections({ translate }: Visit, { data }: EventObject): Markup {
  const { object, previous_attributes: previous } = data;
  return html`${previous !== undefined && html`<section><h2>${translate(TEXTS.previous)}</h2>${source(previous)}</section>`}
<section><h2>${translate(TEXTS.snapshot)}</h2>${source(object)}</section>`;
}

type Detail = ApiRequestDetail | ProviderCallDetail;

/** Both bodies, or the reason why they are missing. */
function bodySections(visit: Visit, detail: Detail): Markup {
  const why = absence(visit, detail);
  if (why !== undefined) return html`<section><p class="empty">${why}</p></section>`;
  const { translate } = visit;
  const side = (heading: string, value: unknown) =>
    value !== null && html`<section><h2>${heading}</h2>${source(value)}</section>`;
  return html`${side(translate(TEXTS.request), detail.request)}${side(translate(TEXTS.response), detail.response)}`;
}

/** Why there are no bodies; undefined if there are. */
function absence({ translate, language }: Visit, detail: Detail): string | undefined {
  if (detail.request !== null || detail.response !== null) return undefined;
  if (detail.bodies_purged_at !== null)
    return translate(TEXTS.bodiesPurged(formatInstant(language, detail.bodies_purged_at)));
  if (detail.bodies_unreadable) return translate(TEXTS.bodiesUnreadable);
  if ("bodies_withheld" in detail && detail.bodies_withheld) return translate(TEXTS.bodiesWithheld);
  return translate(TEXTS.noBodies);
}

export const LOG_ROUTES: readonly Route[] = [
  get("/events", operationList({ title: TEXTS.events, operation: listEvents, pages: "events" })),
  operationPage({
    path: "/events/:id",
    operation: getEvent,
    title: ({ translate }, { type }) => translate(EVENT_NAMES[type]),
    below: eventSections,
  }),
  get("/requests", operationList({ title: TEXTS.requests, operation: listRequests, pages: "requests" })),
  operationPage({
    path: "/requests/:id",
    operation: getRequest,
    title: (_visit, { method, path }) => `${method} ${path}`,
    below: bodySections,
  }),
  get("/calls", operationList({ title: TEXTS.calls, operation: listProviderCalls, pages: "calls" })),
  operationPage({
    path: "/calls/:id",
    operation: getProviderCall,
    title: ({ translate }, { provider, operation }) =>
      `${translate(TEXTS.call)} · ${providerName(provider)} ${operation}`,
    below: bodySections,
  }),
];
