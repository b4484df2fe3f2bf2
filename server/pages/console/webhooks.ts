/** Pages of webhook endpoints: the list, and one endpoint with its deliveries and actions. */
import { TEXTS } from "./messages.ts";
import type { WebhookEndpointObject } from "../../../src/webhooks/endpoint-object.ts";
import { listEvents } from "../../../src/operations/events.ts";
import * as operations from "../../../src/operations/webhooks.ts";
import { filterForm, filtersOf, listPart, readListQuery } from "./list-page.ts";
import { html, type Markup } from "../markup.ts";
import { factsOf, operationList, runList, run, viewColumns } from "./operation-pages.ts";
import { operationForm } from "./operation-form.ts";
import { actionButton, formLink, live, secretPage } from "./parts.ts";
import { get, post, type Reply, returnPath, type Route, type Visit } from "./visit.ts";

const { query: DELIVERY_FILTERS, table: DELIVERY_TABLE } = operations.listWebhookDeliveries;

function pathOf(id: string): string {
  return `/console/webhooks/${id}`;
}

export function enableButton(visit: Visit, { id, url }: WebhookEndpointObject): Markup {
  return actionButton(visit, {
    action: `${pathOf(id)}/enable`,
    label: visit.translate(TEXTS.enable),
    about: url,
  });
}

function actions(visit: Visit, endpoint: WebhookEndpointObject): Markup {
  const { translate } = visit;
  if (endpoint.status === "disabled")
    return html`<div class="actions">${enableButton(visit, endpoint)}</div>`;
  const path = pathOf(endpoint.id);
  const replayButton = actionButton(visit, { action: `${path}/replay`, label: translate(TEXTS.replay) });
  const test = actionButton(visit, { action: `${path}/test`, label: translate(TEXTS.sendTest) });
  const disable = actionButton(visit, {
    action: `${path}/disable`,
    label: translate(TEXTS.disable),
    isDangerous: true,
  });
  return html`<p class="hint">${translate(TEXTS.replayHint)}</p><div class="actions">${test}${replayButton}${disable}</div>`;
}

async function endpointPage(visit: Visit): Promise<Reply> {
  const { translate } = visit;
  const endpoint = await run(visit, operations.getWebhookEndpoint);
  const query = readListQuery(visit, DELIVERY_FILTERS);
  const list = listPart(visit, {
    title: TEXTS.deliveries,
    page: await runList(visit, operations.listWebhookDeliveries, query),
    columns: viewColumns(visit, DELIVERY_TABLE!.columns),
    none: DELIVERY_TABLE!.none,
    heading: html`<h2>${translate(TEXTS.deliveries)}</h2>`,
  });
  const why =
    endpoint.disabled_reason === "failing" &&
    html`<p class="problem">${translate(TEXTS.disabledBecauseFailing)}</p>`;
  const details = await factsOf(visit, operations.getWebhookEndpoint, endpoint);
  return {
    kind: "page",
    title: endpoint.description ?? endpoint.url,
    content: html`${live(
      "now",
      html`<section class="stack">${why}${details}${actions(visit, endpoint)}<p class="hint">${translate(TEXTS.secretNote)}</p></section>`,
    )}
${filterForm(visit, filtersOf(visit, DELIVERY_FILTERS))}
${list}`,
  };
}

async function setStatus(visit: Visit, status: "enabled" | "disabled"): Promise<Reply> {
  const { id } = await run(visit, operations.updateWebhookEndpoint, { body: { status } });
  return { kind: "redirect", to: returnPath(visit, pathOf(id)), flash: { code: status } };
}

async function replay(visit: Visit): Promise<Reply> {
  const { queued } = await run(visit, operations.replayWebhookEvents, { body: {} });
  return {
    kind: "redirect",
    to: returnPath(visit, pathOf(visit.params["id"] ?? "")),
    flash: { code: "replayed", count: queued },
  };
}

/** Sends the newest event that the endpoint takes, whether it had it or not. */
async function sendTest(visit: Visit): Promise<Reply> {
  const { id, enabled_events: types } = await run(visit, operations.getWebhookEndpoint);
  const all = types.includes(operations.ALL_TYPES);
  const { data } = await runList(visit, listEvents, { limit: 1, ...(all ? {} : { type: types }) });
  const events = data.map((event) => event.id);
  if (events.length > 0) await run(visit, operations.replayWebhookEvents, { body: { events } });
  return { kind: "redirect", to: pathOf(id), flash: { code: events.length > 0 ? "testSent" : "noEvent" } };
}

export const WEBHOOK_ROUTES: readonly Route[] = [
  get(
    "/webhooks",
    operationList({
      title: TEXTS.webhooks,
      operation: operations.listWebhookEndpoints,
      pages: "webhooks",
      actions: (visit) =>
        formLink(visit, "/console/webhooks/new", visit.translate(TEXTS.newEndpoint), "button primary"),
    }),
  ),
  ...operationForm({
    path: "/webhooks/new",
    title: TEXTS.newEndpoint,
    operation: operations.createWebhookEndpoint,
    button: TEXTS.create,
    back: () => "/console/webhooks",
    done: (visit, { id, url, secret }) =>
      secretPage(visit, {
        title: url,
        note: TEXTS.endpointSecretNote,
        secret: secret ?? "",
        back: pathOf(id),
      }),
  }),
  get("/webhooks/:id", endpointPage),
  post("/webhooks/:id/enable", (visit) => setStatus(visit, "enabled")),
  post("/webhooks/:id/disable", (visit) => setStatus(visit, "disabled")),
  post("/webhooks/:id/replay", replay),
  post("/webhooks/:id/test", sendTest),
];
