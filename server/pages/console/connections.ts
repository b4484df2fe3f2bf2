/** Pages of connections: list, verify and disconnect. */
import { providerName } from "../../../src/domain/code-words.ts";
import { TEXTS } from "./messages.ts";
import {
  disconnectConnection,
  getConnection,
  listConnections,
  verifyConnection,
} from "../../../src/connections/connections.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import { connectionColumns } from "./connection-parts.ts";
import { merchantNames } from "./document-parts.ts";
import { listPage } from "./list-page.ts";
import { html } from "../markup.ts";
import { actionButton, badge, termList } from "./parts.ts";
import { causeOf, get, getForm, post, type Reply, returnPath, type Route, type Visit } from "./visit.ts";

const LIST = "/console/connections";

const connectionsPage = listPage({
  title: TEXTS.connections,
  fields: {},
  find: ({ appliance, mode }, query) => listConnections(appliance, mode, undefined, query),
  columns: async (visit, connections) => connectionColumns(visit, await merchantNames(visit, connections)),
});

async function verify(visit: Visit): Promise<Reply> {
  const { status } = await verifyConnection(visit.appliance, visit.params["id"] ?? "", causeOf(visit));
  const code = status === "active" ? "verified" : "stillInvalid";
  return { kind: "redirect", to: returnPath(visit, LIST), flash: { code } };
}

async function disconnectPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, params } = visit;
  const connection = await getConnection(appliance, mode, params["id"] ?? "");
  const { name } = await getMerchant(appliance, connection.merchant);
  const back = `/console/merchants/${connection.merchant}`;
  const button = actionButton(visit, {
    action: `${LIST}/${connection.id}/disconnect`,
    label: translate(TEXTS.disconnect),
    fields: { next: back },
    isDangerous: true,
  });
  return {
    kind: "page",
    title: translate(TEXTS.disconnectQuestion),
    content: html`<section class="narrow stack">
${termList([
  [translate(TEXTS.merchant), name],
  [translate(TEXTS.provider), providerName(connection.provider)],
  [translate(TEXTS.status), badge(translate, connection.status)],
])}<p>${translate(TEXTS.disconnectNote)}</p>
<div class="actions">${button}<a class="button" href="${back}">${translate(TEXTS.backUnchanged)}</a></div></section>`,
  };
}

async function disconnect(visit: Visit): Promise<Reply> {
  await disconnectConnection(visit.appliance, visit.params["id"] ?? "", causeOf(visit));
  return { kind: "redirect", to: returnPath(visit, LIST), flash: { code: "disconnected" } };
}

export const CONNECTION_ROUTES: readonly Route[] = [
  get("/connections", connectionsPage),
  post("/connections/:id/verify", verify),
  getForm("/connections/:id/disconnect", disconnectPage),
  post("/connections/:id/disconnect", disconnect),
];
