/** Pages of merchants: the list, one merchant with its connections, and new connect links. */
import { TEXTS } from "./messages.ts";
import { listConnections } from "../../../src/connections/connections.ts";
import { createConnectSession } from "../../../src/connect-sessions/connect-sessions.ts";
import { getMerchant, listMerchants } from "../../../src/merchants/merchants.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { connectionColumns } from "./connection-parts.ts";
import { PAGE_SIZE, readListQuery } from "./filters.ts";
import { formatInstant, timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { actionButton, badge, type Column, termList, live, pager, tableOrEmpty } from "./parts.ts";
import { causeOf, get, post, type Reply, type Route, type Visit } from "./visit.ts";

function branchName({ say }: Visit, branch: number): string {
  return branch === 0 ? say(TEXTS.headOffice) : String(branch);
}

function columns(visit: Visit): Column<MerchantObject>[] {
  const { say, language } = visit;
  return [
    {
      head: say(TEXTS.name),
      cell: ({ id, name, archived }) =>
        html`<a href="/console/merchants/${id}">${name}</a> ${archived && badge(say, "archived")}`,
    },
    { head: say(TEXTS.externalId), cell: ({ external_id: externalId }) => externalId },
    { head: say(TEXTS.taxNumber), cell: ({ tax_id: taxId }) => taxId },
    { head: say(TEXTS.branch), cell: ({ branch }) => branchName(visit, branch) },
    { head: say(TEXTS.created), cell: ({ created }) => timeOf(language, created) },
  ];
}

async function merchantsPage(visit: Visit): Promise<Reply> {
  const { appliance, say } = visit;
  const page = await listMerchants(appliance, readListQuery(visit, {}));
  const list = tableOrEmpty(say(TEXTS.noneYet), say(TEXTS.merchants), columns(visit), page.data);
  return {
    kind: "page",
    title: say(TEXTS.merchants),
    content: live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`),
  };
}

async function merchantPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, language, params } = visit;
  const merchant = await getMerchant(appliance, params["id"] ?? "");
  const connections = await listConnections(appliance, mode, merchant.id, { limit: PAGE_SIZE });
  const list = tableOrEmpty(
    say(TEXTS.noneYet),
    say(TEXTS.connections),
    connectionColumns(visit, undefined),
    connections.data,
  );
  const link = actionButton(visit, {
    action: `/console/merchants/${merchant.id}/connect-link`,
    label: say(TEXTS.createConnectLink),
  });
  return {
    kind: "page",
    title: merchant.name,
    content: html`<section class="stack">${termList([
      [say(TEXTS.status), merchant.archived && badge(say, "archived")],
      [say(TEXTS.externalId), merchant.external_id],
      [say(TEXTS.taxNumber), merchant.tax_id],
      [say(TEXTS.branch), branchName(visit, merchant.branch)],
      [say(TEXTS.created), timeOf(language, merchant.created)],
      ["id", html`<code>${merchant.id}</code>`],
      ...Object.entries(merchant.metadata),
    ])}
<div class="actions"><a class="button" href="/console/documents?merchant=${merchant.id}">${say(TEXTS.itsDocuments)}</a></div></section>
${live("connections", html`<section><h2>${say(TEXTS.connections)}</h2>${list}</section>`)}
<section class="stack"><p class="hint">${say(TEXTS.createConnectLinkHint)}</p>${link}</section>`,
  };
}

/** Shows the link directly: it is stored nowhere, so a redirect would have to carry it. */
async function makeLink(visit: Visit): Promise<Reply> {
  const { appliance, say, language, params } = visit;
  const merchant = await getMerchant(appliance, params["id"] ?? "");
  const { json } = await createConnectSession(appliance, merchant.id, {}, causeOf(visit));
  const session = JSON.parse(json) as { url: string; expires_at: string };
  const until = formatInstant(language, session.expires_at);
  return {
    kind: "page",
    title: `${say(TEXTS.connectLink)} · ${merchant.name}`,
    content: html`<section class="stack"><p>${say(TEXTS.connectLinkNote(until))}</p><code class="address" tabindex="0">${session.url}</code>
<p><a class="button" href="/console/merchants/${merchant.id}">${say(TEXTS.back)}</a></p></section>`,
  };
}

export const MERCHANT_ROUTES: readonly Route[] = [
  get("/merchants", merchantsPage),
  get("/merchants/:id", merchantPage),
  post("/merchants/:id/connect-link", makeLink),
];
