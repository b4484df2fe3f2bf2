/** Pages of webhook endpoints: the list, and one endpoint with its deliveries and actions. */
import { TEXTS } from "./messages.ts";
import { DELIVERY_STATUSES } from "../../../storage/database/schema.ts";
import { listWebhookDeliveries } from "../../../src/webhooks/attempts.ts";
import {
  getWebhookEndpoint,
  listWebhookEndpoints,
  updateWebhookEndpoint,
} from "../../../src/webhooks/endpoints.ts";
import type { WebhookEndpointObject } from "../../../src/webhooks/endpoint-object.ts";
import { replayWebhookEvents } from "../../../src/webhooks/resend.ts";
import { wordField } from "../../../src/operations/field.ts";
import { deliveryColumns } from "./delivery-parts.ts";
import { filterForm, filtersOf, listPage, listPart, readListQuery } from "./list-page.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, badge, type Column, termList, live } from "./parts.ts";
import { causeOf, get, post, type Reply, returnPath, type Route, type Visit } from "./visit.ts";

function pathOf(id: string): string {
  return `/console/webhooks/${id}`;
}

function eventTypes({ translate }: Visit, { enabled_events: types }: WebhookEndpointObject): string {
  return types.includes("*") ? translate(TEXTS.allEvents) : types.join(", ");
}

function columns(visit: Visit): Column<WebhookEndpointObject>[] {
  const { translate, language } = visit;
  return [
    { head: translate(TEXTS.url), cell: ({ id, url }) => html`<a href="${pathOf(id)}">${url}</a>` },
    { head: translate(TEXTS.description), cell: ({ description }) => description },
    { head: translate(TEXTS.status), cell: ({ status }) => badge(translate, status) },
    { head: translate(TEXTS.eventTypes), cell: (endpoint) => eventTypes(visit, endpoint) },
    { head: translate(TEXTS.created), cell: ({ created }) => timeOf(language, created) },
  ];
}

export function enableButton(visit: Visit, { id, url }: WebhookEndpointObject): Markup {
  return actionButton(visit, {
    action: `${pathOf(id)}/enable`,
    label: visit.translate(TEXTS.enable),
    about: url,
  });
}

function replayButton(visit: Visit, { id, url }: WebhookEndpointObject): Markup {
  return actionButton(visit, {
    action: `${pathOf(id)}/replay`,
    label: visit.translate(TEXTS.replay),
    about: url,
  });
}

const endpointsPage = listPage({
  title: TEXTS.webhooks,
  fields: {},
  find: ({ appliance, mode }, query) => listWebhookEndpoints(appliance, mode, query),
  columns,
});

const DELIVERY_FIELDS = {
  status: {
    ...wordField(DELIVERY_STATUSES, "Only deliveries with this status."),
    label: TEXTS.status,
  },
};

function actions(visit: Visit, endpoint: WebhookEndpointObject): Markup {
  const { translate } = visit;
  if (endpoint.status === "disabled")
    return html`<div class="actions">${enableButton(visit, endpoint)}</div>`;
  const disable = actionButton(visit, {
    action: `${pathOf(endpoint.id)}/disable`,
    label: translate(TEXTS.disable),
    isDangerous: true,
  });
  return html`<p class="hint">${translate(TEXTS.replayHint)}</p><div class="actions">${replayButton(visit, endpoint)}${disable}</div>`;
}

async function endpointPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, language, params } = visit;
  const endpoint = await getWebhookEndpoint(appliance, mode, params["id"] ?? "");
  const query = readListQuery(visit, DELIVERY_FIELDS);
  const page = await listWebhookDeliveries(appliance, mode, endpoint.id, query);
  const list = listPart(visit, {
    title: TEXTS.deliveries,
    page,
    columns: deliveryColumns(visit, true),
    heading: html`<h2>${translate(TEXTS.deliveries)}</h2>`,
  });
  const why =
    endpoint.disabled_reason === "failing" &&
    html`<p class="problem">${translate(TEXTS.disabledBecauseFailing)}</p>`;
  return {
    kind: "page",
    title: endpoint.description ?? endpoint.url,
    content: html`${live(
      "now",
      html`<section class="stack">${why}${termList([
        [translate(TEXTS.url), endpoint.url],
        [translate(TEXTS.status), badge(translate, endpoint.status)],
        [translate(TEXTS.eventTypes), eventTypes(visit, endpoint)],
        [translate(TEXTS.created), timeOf(language, endpoint.created)],
        ["id", html`<code>${endpoint.id}</code>`],
      ])}${actions(visit, endpoint)}<p class="hint">${translate(TEXTS.secretNote)}</p></section>`,
    )}
${filterForm(visit, filtersOf(visit, DELIVERY_FIELDS))}
${list}`,
  };
}

async function setStatus(visit: Visit, status: "enabled" | "disabled"): Promise<Reply> {
  const id = visit.params["id"] ?? "";
  await updateWebhookEndpoint(visit.appliance, id, { status }, causeOf(visit));
  return { kind: "redirect", to: returnPath(visit, pathOf(id)), flash: { code: status } };
}

async function replay(visit: Visit): Promise<Reply> {
  const id = visit.params["id"] ?? "";
  const { queued } = await replayWebhookEvents(visit.appliance, id, {}, causeOf(visit));
  return {
    kind: "redirect",
    to: returnPath(visit, pathOf(id)),
    flash: { code: "replayed", count: queued },
  };
}

export const WEBHOOK_ROUTES: readonly Route[] = [
  get("/webhooks", endpointsPage),
  get("/webhooks/:id", endpointPage),
  post("/webhooks/:id/enable", (visit) => setStatus(visit, "enabled")),
  post("/webhooks/:id/disable", (visit) => setStatus(visit, "disabled")),
  post("/webhooks/:id/replay", replay),
];
