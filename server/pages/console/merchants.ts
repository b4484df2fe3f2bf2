/** Merchants: the list, and one with its connections and a link to make another. */
import { listConnections } from "../../../src/connections/connections.ts";
import { createConnectSession } from "../../../src/connect-sessions/connect-sessions.ts";
import { getMerchant, listMerchants } from "../../../src/merchants/merchants.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { connectionColumns } from "./connection-parts.ts";
import { PAGE_SIZE, readListQuery } from "./filters.ts";
import { formatInstant, timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { actionButton, badge, type Column, facts, live, pager, tableOr } from "./parts.ts";
import { causeOf, get, post, type Reply, type Route, type Visit } from "./visit.ts";

function branchName({ say }: Visit, branch: number): string {
  return branch === 0 ? say("head office") : String(branch);
}

function columns(visit: Visit): Column<MerchantObject>[] {
  const { say, language } = visit;
  return [
    {
      head: say("name"),
      cell: ({ id, name, archived }) =>
        html`<a href="/console/merchants/${id}">${name}</a> ${archived && badge(say, "archived")}`,
    },
    { head: say("external id"), cell: ({ external_id: externalId }) => externalId },
    { head: say("tax number"), cell: ({ tax_id: taxId }) => taxId },
    { head: say("branch"), cell: ({ branch }) => branchName(visit, branch) },
    { head: say("created"), cell: ({ created }) => timeOf(language, created) },
  ];
}

async function merchantsPage(visit: Visit): Promise<Reply> {
  const { appliance, say } = visit;
  const page = await listMerchants(appliance, readListQuery(visit, {}));
  const list = tableOr(say("none yet"), say("merchants"), columns(visit), page.data);
  return {
    kind: "page",
    title: say("merchants"),
    content: live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`),
  };
}

async function merchantPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, language, params } = visit;
  const merchant = await getMerchant(appliance, params["id"] ?? "");
  const connections = await listConnections(appliance, mode, merchant.id, { limit: PAGE_SIZE });
  const list = tableOr(
    say("none yet"),
    say("connections"),
    connectionColumns(visit, undefined),
    connections.data,
  );
  const link = actionButton(visit, {
    action: `/console/merchants/${merchant.id}/connect-link`,
    label: say("make link"),
  });
  return {
    kind: "page",
    title: merchant.name,
    content: html`<section class="stack">${facts([
      [say("status"), merchant.archived && badge(say, "archived")],
      [say("external id"), merchant.external_id],
      [say("tax number"), merchant.tax_id],
      [say("branch"), branchName(visit, merchant.branch)],
      [say("created"), timeOf(language, merchant.created)],
      ["id", html`<code>${merchant.id}</code>`],
      ...Object.entries(merchant.metadata),
    ])}
<div class="actions"><a class="button" href="/console/documents?merchant=${merchant.id}">${say("its documents")}</a></div></section>
${live("connections", html`<section><h2>${say("connections")}</h2>${list}</section>`)}
<section class="stack"><p class="hint">${say("make link hint")}</p>${link}</section>`,
  };
}

/** The link is in this answer alone: it is kept nowhere, and a redirect would have to carry it. */
async function makeLink(visit: Visit): Promise<Reply> {
  const { appliance, say, language, params } = visit;
  const merchant = await getMerchant(appliance, params["id"] ?? "");
  const { json } = await createConnectSession(appliance, merchant.id, {}, causeOf(visit));
  const session = JSON.parse(json) as { url: string; expires_at: string };
  const until = formatInstant(language, session.expires_at);
  return {
    kind: "page",
    title: `${say("the link")} · ${merchant.name}`,
    content: html`<section class="stack"><p>${say("link once", { until })}</p><code class="address" tabindex="0">${session.url}</code>
<p><a class="button" href="/console/merchants/${merchant.id}">${say("back")}</a></p></section>`,
  };
}

export const MERCHANT_ROUTES: readonly Route[] = [
  get("/merchants", merchantsPage),
  get("/merchants/:id", merchantPage),
  post("/merchants/:id/connect-link", makeLink),
];
