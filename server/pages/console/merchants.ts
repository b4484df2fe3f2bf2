/** Pages of merchants: the list, one merchant with its connections, and new connect links. */
import { TEXTS } from "./messages.ts";
import { listConnections } from "../../../src/connections/connections.ts";
import { createConnectSession } from "../../../src/connect-sessions/connect-sessions.ts";
import { getMerchant, listMerchants } from "../../../src/merchants/merchants.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { connectionColumns } from "./connection-parts.ts";
import { listPage, PAGE_SIZE } from "./list-page.ts";
import { formatInstant, timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { actionButton, badge, type Column, termList, live, tableOrEmpty } from "./parts.ts";
import { causeOf, get, post, type Reply, type Route, type Visit } from "./visit.ts";

function branchName({ translate }: Visit, branch: number): string {
  return branch === 0 ? translate(TEXTS.headOffice) : String(branch);
}

function columns(visit: Visit): Column<MerchantObject>[] {
  const { translate, language } = visit;
  return [
    {
      head: translate(TEXTS.name),
      cell: ({ id, name, archived }) =>
        html`<a href="/console/merchants/${id}">${name}</a> ${archived && badge(translate, "archived")}`,
    },
    { head: translate(TEXTS.externalId), cell: ({ external_id: externalId }) => externalId },
    { head: translate(TEXTS.taxNumber), cell: ({ tax_id: taxId }) => taxId },
    { head: translate(TEXTS.branch), cell: ({ branch }) => branchName(visit, branch) },
    { head: translate(TEXTS.created), cell: ({ created }) => timeOf(language, created) },
  ];
}

const merchantsPage = listPage({
  title: TEXTS.merchants,
  fields: {},
  find: ({ appliance }, query) => listMerchants(appliance, query),
  columns,
});

async function merchantPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, language, params } = visit;
  const merchant = await getMerchant(appliance, params["id"] ?? "");
  const connections = await listConnections(appliance, mode, merchant.id, { limit: PAGE_SIZE });
  const list = tableOrEmpty(
    translate(TEXTS.noneYet),
    translate(TEXTS.connections),
    connectionColumns(visit, undefined),
    connections.data,
  );
  const link = actionButton(visit, {
    action: `/console/merchants/${merchant.id}/connect-link`,
    label: translate(TEXTS.createConnectLink),
  });
  return {
    kind: "page",
    title: merchant.name,
    content: html`<section class="stack">${termList([
      [translate(TEXTS.status), merchant.archived && badge(translate, "archived")],
      [translate(TEXTS.externalId), merchant.external_id],
      [translate(TEXTS.taxNumber), merchant.tax_id],
      [translate(TEXTS.branch), branchName(visit, merchant.branch)],
      [translate(TEXTS.created), timeOf(language, merchant.created)],
      ["id", html`<code>${merchant.id}</code>`],
      ...Object.entries(merchant.metadata),
    ])}
<div class="actions"><a class="button" href="/console/documents?merchant=${merchant.id}">${translate(TEXTS.itsDocuments)}</a></div></section>
${live("connections", html`<section><h2>${translate(TEXTS.connections)}</h2>${list}</section>`)}
<section class="stack"><p class="hint">${translate(TEXTS.createConnectLinkHint)}</p>${link}</section>`,
  };
}

/** Shows the link directly: it is stored nowhere, so a redirect would have to carry it. */
async function makeLink(visit: Visit): Promise<Reply> {
  const { appliance, translate, language, params } = visit;
  const merchant = await getMerchant(appliance, params["id"] ?? "");
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
  get("/merchants", merchantsPage),
  get("/merchants/:id", merchantPage),
  post("/merchants/:id/connect-link", makeLink),
];
