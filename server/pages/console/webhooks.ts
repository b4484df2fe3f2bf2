/** Webhook endpoints: the list, and one with its deliveries, switched on or off, and what it missed sent again. */
import { DELIVERY_STATUSES } from "../../../storage/schema.ts";
import { listWebhookDeliveries } from "../../../src/webhooks/deliveries.ts";
import {
  getWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from "../../../src/webhooks/endpoints.ts";
import type { WebhookEndpointObject } from "../../../src/webhooks/endpoint-object.ts";
import { replayWebhookEvents } from "../../../src/webhooks/replay.ts";
import { wordField } from "../../query.ts";
import { deliveryColumns } from "./delivery-parts.ts";
import { filterForm, readListQuery } from "./filters.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column, facts, live, pager, tableOr } from "./parts.ts";
import { causeOf, get, post, type Reply, returnPath, type Route, type Visit } from "./visit.ts";

function pathOf(id: string): string {
  return `/console/webhooks/${id}`;
}

function eventTypes({ say }: Visit, { enabled_events: types }: WebhookEndpointObject): string {
  return types.includes("*") ? say("all events") : types.join(", ");
}

function columns(visit: Visit): Column<WebhookEndpointObject>[] {
  const { say, language } = visit;
  return [
    { head: say("url"), cell: ({ id, url }) => html`<a href="${pathOf(id)}">${url}</a>` },
    { head: say("description"), cell: ({ description }) => description },
    { head: say("status"), cell: ({ status }) => badge(say, status) },
    { head: say("event types"), cell: (endpoint) => eventTypes(visit, endpoint) },
    { head: say("created"), cell: ({ created }) => timeOf(language, created) },
  ];
}

export function enableButton(visit: Visit, { id, url }: WebhookEndpointObject): Markup {
  return actionButton(visit, { action: `${pathOf(id)}/enable`, label: visit.say("enable"), about: url });
}

function replayButton(visit: Visit, { id, url }: WebhookEndpointObject): Markup {
  return actionButton(visit, { action: `${pathOf(id)}/replay`, label: visit.say("replay"), about: url });
}

async function endpointsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say } = visit;
  const page = await listWebhookEndpoints(appliance, mode, readListQuery(visit, {}));
  const list = tableOr(say("none yet"), say("webhooks"), columns(visit), page.data);
  return {
    kind: "page",
    title: say("webhooks"),
    content: live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`),
  };
}

function actions(visit: Visit, endpoint: WebhookEndpointObject): Markup {
  const { say } = visit;
  if (endpoint.status === "disabled")
    return html`<div class="actions">${enableButton(visit, endpoint)}</div>`;
  const disable = actionButton(visit, {
    action: `${pathOf(endpoint.id)}/disable`,
    label: say("disable"),
    isDangerous: true,
  });
  return html`<p class="hint">${say("replay hint")}</p><div class="actions">${replayButton(visit, endpoint)}${disable}</div>`;
}

async function endpointPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, language, params } = visit;
  const endpoint = await getWebhookEndpoint(appliance, mode, params["id"] ?? "");
  const query = readListQuery(visit, {
    status: wordField(DELIVERY_STATUSES, "Only deliveries with this status."),
  });
  const page = await listWebhookDeliveries(appliance, mode, endpoint.id, query);
  const options = DELIVERY_STATUSES.map((value) => ({ value, text: say(value) }));
  const list = tableOr(say("none yet"), say("deliveries"), deliveryColumns(visit, true), page.data);
  const why =
    endpoint.disabled_reason === "failing" && html`<p class="problem">${say("because failing")}</p>`;
  return {
    kind: "page",
    title: endpoint.description ?? endpoint.url,
    content: html`${live(
      "now",
      html`<section class="stack">${why}${facts([
        [say("url"), endpoint.url],
        [say("status"), badge(say, endpoint.status)],
        [say("event types"), eventTypes(visit, endpoint)],
        [say("created"), timeOf(language, endpoint.created)],
        ["id", html`<code>${endpoint.id}</code>`],
      ])}${actions(visit, endpoint)}<p class="hint">${say("secret note")}</p></section>`,
    )}
${filterForm(visit, [{ name: "status", label: say("status"), options }])}
${live("list", html`<section class="listing"><h2>${say("deliveries")}</h2>${list}${pager(visit, page)}</section>`)}`,
  };
}

async function turn(visit: Visit, status: "enabled" | "disabled"): Promise<Reply> {
  const id = visit.params["id"] ?? "";
  await updateWebhookEndpoint(visit.appliance, id, { status }, causeOf(visit));
  return { kind: "redirect", to: returnPath(visit, pathOf(id)), flash: { word: `flash ${status}` } };
}

async function replay(visit: Visit): Promise<Reply> {
  const id = visit.params["id"] ?? "";
  const { queued } = await replayWebhookEvents(visit.appliance, id, {}, causeOf(visit));
  return {
    kind: "redirect",
    to: returnPath(visit, pathOf(id)),
    flash: { word: "flash replayed", count: queued },
  };
}

export const WEBHOOK_ROUTES: readonly Route[] = [
  get("/webhooks", endpointsPage),
  get("/webhooks/:id", endpointPage),
  post("/webhooks/:id/enable", (visit) => turn(visit, "enabled")),
  post("/webhooks/:id/disable", (visit) => turn(visit, "disabled")),
  post("/webhooks/:id/replay", replay),
];
