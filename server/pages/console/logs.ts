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
import { factsOf, operationList, run } from "./operation-pages.ts";
import { source } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

async function eventPage(visit: Visit): Promise<Reply> {
  const { translate } = visit;
  const event = await run(visit, getEvent);
  const { object, previous_attributes: previous } = event.data;
  return {
    kind: "page",
    title: translate(EVENT_NAMES[event.type]),
    content: html`<section>${await factsOf(visit, getEvent, event)}</section>
${previous !== undefined && html`<section><h2>${translate(TEXTS.previous)}</h2>${source(previous)}</section>`}
<section><h2>${translate(TEXTS.snapshot)}</h2>${source(object)}</section>`,
  };
}

async function requestPage(visit: Visit): Promise<Reply> {
  const request = await run(visit, getRequest);
  return {
    kind: "page",
    title: `${request.method} ${request.path}`,
    content: html`<section>${await factsOf(visit, getRequest, request)}</section>${bodySections(visit, request)}`,
  };
}

async function callPage(visit: Visit): Promise<Reply> {
  const call = await run(visit, getProviderCall);
  return {
    kind: "page",
    title: `${visit.translate(TEXTS.call)} · ${providerName(call.provider)} ${call.operation}`,
    content: html`<section>${await factsOf(visit, getProviderCall, call)}</section>${bodySections(visit, call)}`,
  };
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
  get("/events/:id", eventPage),
  get("/requests", operationList({ title: TEXTS.requests, operation: listRequests, pages: "requests" })),
  get("/requests/:id", requestPage),
  get("/calls", operationList({ title: TEXTS.calls, operation: listProviderCalls, pages: "calls" })),
  get("/calls/:id", callPage),
];
