/** Pages of merchants: the list, one merchant with its connections, and new connect links. */
import { TEXTS } from "./messages.ts";
import { createConnectSession } from "../../../src/connect-sessions/connect-sessions.ts";
import { listConnections } from "../../../src/operations/connections.ts";
import { LABELS } from "../../../src/operations/labels.ts";
import * as operations from "../../../src/operations/merchants.ts";
import { PAGE_SIZE } from "./list-page.ts";
import { formatInstant } from "./format.ts";
import { html } from "../markup.ts";
import { factsOf, operationList, run, runList, viewColumns } from "./operation-pages.ts";
import { actionButton, live, tableOrEmpty } from "./parts.ts";
import { causeOf, get, post, type Reply, type Route, type Visit } from "./visit.ts";

async function merchantPage(visit: Visit): Promise<Reply> {
  const { translate } = visit;
  const merchant = await run(visit, operations.getMerchant);
  const connections = await runList(visit, listConnections, { limit: PAGE_SIZE });
  const { none, columns } = listConnections.table!;
  const list = tableOrEmpty(
    translate(none),
    translate(TEXTS.connections),
    viewColumns(visit, columns, { pages: "connections", without: [LABELS.merchant] }),
    connections.data,
  );
  const link = actionButton(visit, {
    action: `/console/merchants/${merchant.id}/connect-link`,
    label: translate(TEXTS.createConnectLink),
  });
  return {
    kind: "page",
    title: merchant.name,
    content: html`<section class="stack">${await factsOf(visit, operations.getMerchant, merchant)}
<div class="actions"><a class="button" href="/console/documents?merchant=${merchant.id}">${translate(TEXTS.itsDocuments)}</a></div></section>
${live("connections", html`<section><h2>${translate(TEXTS.connections)}</h2>${list}</section>`)}
<section class="stack"><p class="hint">${translate(TEXTS.createConnectLinkHint)}</p>${link}</section>`,
  };
}

/** Shows the link directly: it is stored nowhere, so a redirect would have to carry it. */
async function makeLink(visit: Visit): Promise<Reply> {
  const { appliance, translate, language } = visit;
  const merchant = await run(visit, operations.getMerchant);
  const { json } = await createConnectSession(appliance, merchant.id, {}, causeOf(visit));
  const session = JSON.parse(json) as { url: string; expires_at: string };
  const until = formatInstant(language, session.expires_at);
  return {
    kind: "page",
    title: `${translate(TEXTS.connectLink)} · ${merchant.name}`,
    content: html`<section class="stack"><p>${translate(TEXTS.connectLinkNote(until))}</p><code class="address" tabindex="0">${session.url}</code>
<p><a class="button" href="/console/merchants/${merchant.id}">${translate(TEXTS.back)}</a></p></section>`,
  };
}

export const MERCHANT_ROUTES: readonly Route[] = [
  get(
    "/merchants",
    operationList({ title: TEXTS.merchants, operation: operations.listMerchants, pages: "merchants" }),
  ),
  get("/merchants/:id", merchantPage),
  post("/merchants/:id/connect-link", makeLink),
];
