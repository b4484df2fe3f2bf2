/** Pages of webhook endpoints: the list, and one endpoint with its deliveries, its forms and actions. */
import { TEXTS } from "./messages.ts";
import type { WebhookEndpointObject } from "../../../src/webhooks/endpoint-object.ts";
import { fieldsOfVerb } from "../../../src/operations/body-fields.ts";
import { listEvents } from "../../../src/operations/events.ts";
import * as operations from "../../../src/operations/webhooks.ts";
import { filterForm, filtersOf, listPart, readListQuery } from "./list-page.ts";
import { html, type Markup } from "../markup.ts";
import { operationAction, operationForm } from "./operation-form.ts";
import { operationList, operationPage, run, runList, viewColumns } from "./operation-pages.ts";
import { actionButton, formLink } from "./parts.ts";
import { get, pathTo, post, type Reply, type Route, type Visit } from "./visit.ts";

const ONE = "/webhooks/:id";

export function enableButton(visit: Visit, { id, url }: WebhookEndpointObject): Markup {
  return actionButton(visit, { action: `/console/webhooks/${id}/enable`, label: TEXTS.enable, about: url });
}

function actions(visit: Visit, endpoint: WebhookEndpointObject): Markup {
  const path = pathTo(visit, ONE);
  const forms = html`${formLink(visit, `${path}/details`, TEXTS.changeDetails)}${formLink(visit, `${path}/secret`, TEXTS.rotateSecret)}`;
  if (endpoint.status === "disabled")
    return html`${
      endpoint.disabled_reason === "failing" && html`<p class="problem">${TEXTS.disabledBecauseFailing}</p>`
    }<div class="actions">${enableButton(visit, endpoint)}${forms}</div>`;
  const replay = actionButton(visit, { action: `${path}/replay`, label: TEXTS.replay });
  const test = actionButton(visit, { action: `${path}/test`, label: TEXTS.sendTest });
  const disable = actionButton(visit, { action: `${path}/disable`, label: TEXTS.disable, isDangerous: true });
  return html`<p class="hint">${TEXTS.replayHint}</p><div class="actions">${test}${replay}${forms}${disable}</div>`;
}

async function deliveries(visit: Visit): Promise<Markup> {
  const { query: fields, table } = operations.listWebhookDeliveries;
  const list = listPart(visit, {
    title: TEXTS.deliveries,
    page: await runList(visit, operations.listWebhookDeliveries, readListQuery(visit, fields)),
    columns: viewColumns(visit, table!.columns),
    none: table!.none,
    heading: html`<h2>${TEXTS.deliveries}</h2>`,
  });
  return html`${filterForm(visit, filtersOf(fields))}${list}`;
}

/** Sends the newest event that the endpoint takes, whether it had it or not. */
async function sendTest(visit: Visit): Promise<Reply> {
  const { enabled_events: types } = await run(visit, operations.getWebhookEndpoint);
  const all = types.includes(operations.ALL_TYPES);
  const { data } = await runList(visit, listEvents, { limit: 1, ...(all ? {} : { type: types }) });
  const events = data.map((event) => event.id);
  if (events.length > 0) await run(visit, operations.replayWebhookEvents, { body: { events } });
  const code = events.length > 0 ? "testSent" : "noEvent";
  return { kind: "redirect", to: pathTo(visit, ONE), flash: { code } };
}

function showSecret(_visit: Visit, { id, secret }: WebhookEndpointObject & { secret?: string }): Reply {
  return { kind: "redirect", to: `/console/webhooks/${id}`, flash: { code: "newSecret", secret } };
}

export const WEBHOOK_ROUTES: readonly Route[] = [
  get(
    "/webhooks",
    operationList({
      title: TEXTS.webhooks,
      operation: operations.listWebhookEndpoints,
      pages: "webhooks",
      actions: (visit) => formLink(visit, "/console/webhooks/new", TEXTS.newEndpoint, "button primary"),
    }),
  ),
  ...operationForm({
    path: "/webhooks/new",
    title: TEXTS.newEndpoint,
    operation: operations.createWebhookEndpoint,
    button: TEXTS.create,
    back: () => "/console/webhooks",
    done: showSecret,
  }),
  operationPage({
    path: ONE,
    operation: operations.getWebhookEndpoint,
    title: ({ description, url }) => description ?? url,
    actions,
    below: deliveries,
  }),
  ...operationForm({
    path: `${ONE}/details`,
    title: TEXTS.changeDetails,
    operation: operations.updateWebhookEndpoint,
    // Enabled and disabled with a button of its own.
    fields: fieldsOfVerb(operations.updateWebhookEndpoint).filter(({ path: [name] }) => name !== "status"),
    before: (visit) => run(visit, operations.getWebhookEndpoint),
    back: (visit) => pathTo(visit, ONE),
    done: (visit) => ({ kind: "redirect", to: pathTo(visit, ONE), flash: { code: "saved" } }),
  }),
  ...operationForm({
    path: `${ONE}/secret`,
    title: TEXTS.rotateSecret,
    operation: operations.rotateWebhookSecret,
    button: TEXTS.rotateSecret,
    back: (visit) => pathTo(visit, ONE),
    done: showSecret,
  }),
  ...(["enable", "disable"] as const).flatMap((act) =>
    operationAction({
      path: `${ONE}/${act}`,
      operation: operations.updateWebhookEndpoint,
      body: { status: `${act}d` },
      done: "saved",
    }),
  ),
  ...operationAction({
    path: `${ONE}/replay`,
    operation: operations.replayWebhookEvents,
    done: (_visit, { queued }) => ({ code: "replayed", count: queued }),
  }),
  post(`${ONE}/test`, sendTest),
];
