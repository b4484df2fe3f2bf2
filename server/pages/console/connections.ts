/** Pages of connections: the list, and one connection, to verify and disconnect. */
import { TEXTS } from "./messages.ts";
import * as operations from "../../../src/operations/connections.ts";
import type { ConnectionObject } from "../../../src/issuing/connection-status.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import { providerName } from "../../../src/domain/document-codes.ts";
import { html, type Markup } from "../markup.ts";
import { factsOf, operationList, run } from "./operation-pages.ts";
import { actionButton, badge, confirmation, formLink, live } from "./parts.ts";
import { get, getForm, post, type Reply, returnPath, type Route, type Visit } from "./visit.ts";

const LIST = "/console/connections";

const connectionsPage = operationList({
  title: TEXTS.connections,
  operation: operations.listConnections,
  pages: "connections",
  params: ({ merchant }): Record<string, string> => (merchant === undefined ? {} : { id: merchant.id }),
});

async function connectionPage(visit: Visit): Promise<Reply> {
  const { translate } = visit;
  const connection = await run(visit, operations.getConnection);
  const { id, provider, status } = connection;
  const actions =
    status !== "disconnected" &&
    html`<div class="actions">${verifyButton(visit, connection)}${formLink(visit, `${LIST}/${id}/disconnect`, translate(TEXTS.disconnect), "button danger")}</div>`;
  return {
    kind: "page",
    title: `${translate(TEXTS.connection)} · ${providerName(provider)}`,
    content: live(
      "now",
      html`<section class="stack">${await factsOf(visit, operations.getConnection, connection)}${actions}</section>`,
    ),
  };
}

export function verifyButton(
  visit: Visit,
  { id, provider }: Pick<ConnectionObject, "id" | "provider">,
): Markup {
  return actionButton(visit, {
    action: `${LIST}/${id}/verify`,
    label: visit.translate(TEXTS.verify),
    about: providerName(provider),
  });
}

async function verify(visit: Visit): Promise<Reply> {
  const { status } = await run(visit, operations.verifyConnection);
  const code = status === "active" ? "verified" : "stillInvalid";
  return { kind: "redirect", to: returnPath(visit, LIST), flash: { code } };
}

async function disconnectPage(visit: Visit): Promise<Reply> {
  const { appliance, translate } = visit;
  const { id, merchant, provider, status } = await run(visit, operations.getConnection);
  const { name } = await getMerchant(appliance, merchant);
  const back = `${LIST}/${id}`;
  const button = actionButton(visit, {
    action: `${back}/disconnect`,
    label: translate(TEXTS.disconnect),
    fields: { next: back },
    isDangerous: true,
  });
  return confirmation(visit, {
    title: TEXTS.disconnectQuestion,
    rows: [
      [translate(TEXTS.merchant), name],
      [translate(TEXTS.provider), providerName(provider)],
      [translate(TEXTS.status), badge(translate, status)],
    ],
    note: TEXTS.disconnectNote,
    button,
    back,
  });
}

async function disconnect(visit: Visit): Promise<Reply> {
  await run(visit, operations.disconnectConnection);
  return { kind: "redirect", to: returnPath(visit, LIST), flash: { code: "disconnected" } };
}

export const CONNECTION_ROUTES: readonly Route[] = [
  get("/connections", connectionsPage),
  get("/connections/:id", connectionPage),
  post("/connections/:id/verify", verify),
  getForm("/connections/:id/disconnect", disconnectPage),
  post("/connections/:id/disconnect", disconnect),
];
