/** Pages of merchants: the list, one merchant with its connections, its remembered customers, and new connect links. */
import * as operations from "../../../src/operations/merchants.ts";
import { TEXTS } from "./messages.ts";
import { createConnectSession, listConnections } from "../../../src/operations/connections.ts";
import { CHECKLIST_COLUMNS, LABELS } from "../../../src/operations/view.ts";
import { checkLiveReadiness } from "../../../src/upkeep/live-checklist.ts";
import { MERCHANT_SETTINGS_ROUTES } from "./merchant-settings.ts";
import { PAGE_SIZE } from "./list-page.ts";
import { formatInstant } from "./format.ts";
import { html } from "../markup.ts";
import { factsOf, operationList, run, runList, viewColumns } from "./operation-pages.ts";
import { actionButton, type Column, formLink, live, secretPage, table, tableOrEmpty } from "./parts.ts";
import { get, post, type Reply, type Route, type Visit } from "./visit.ts";
import { customerNumber } from "./new/customer.ts";
import { listCustomers as listRemembered } from "../../../src/merchants/customers.ts";
import { listCustomers } from "../../../src/operations/remembered.ts";

async function merchantPage(visit: Visit): Promise<Reply> {
  const { translate } = visit;
  const merchant = await run(visit, operations.getMerchant);
  const page = `/console/merchants/${merchant.id}`;
  const checklist = table(
    translate(TEXTS.readyForLive),
    viewColumns(visit, CHECKLIST_COLUMNS),
    await checkLiveReadiness(visit.appliance, merchant),
  );
  const connections = await runList(visit, listConnections, { limit: PAGE_SIZE });
  const { none, columns } = listConnections.table!;
  const list = tableOrEmpty(
    translate(none),
    translate(TEXTS.connections),
    viewColumns(visit, columns, { pages: "connections", without: [LABELS.merchant] }),
    connections.data,
  );
  const link = actionButton(visit, {
    action: `${page}/connect-link`,
    label: translate(TEXTS.createConnectLink),
  });
  return {
    kind: "page",
    title: merchant.name,
    content: html`<section class="stack">${await factsOf(visit, operations.getMerchant, merchant)}
<div class="actions"><a class="button" href="/console/documents?merchant=${merchant.id}">${translate(TEXTS.itsDocuments)}</a>${formLink(visit, `${page}/details`, translate(TEXTS.changeDetails))}${formLink(visit, `${page}/paper`, translate(TEXTS.paper))}${formLink(visit, `${page}/issuing`, translate(TEXTS.issuingSettings))}</div></section>
${live("connections", html`<section><h2>${translate(TEXTS.connections)}</h2>${list}</section>`)}
<section class="stack"><p class="hint">${translate(TEXTS.createConnectLinkHint)}</p>${link}</section>
<section><h2>${translate(TEXTS.readyForLive)}</h2>${checklist}</section>`,
  };
}

async function makeLink(visit: Visit): Promise<Reply> {
  const { translate, language } = visit;
  const { id, name } = await run(visit, operations.getMerchant);
  const { url, expires_at: until } = await run(visit, createConnectSession, { body: {} });
  return secretPage(visit, {
    title: `${translate(TEXTS.connectLink)} · ${name}`,
    note: TEXTS.connectLinkNote(formatInstant(language, until)),
    secret: url,
    back: `/console/merchants/${id}`,
  });
}

export const MERCHANT_ROUTES: readonly Route[] = [
  get(
    "/merchants",
    operationList({
      title: TEXTS.merchants,
      operation: operations.listMerchants,
      pages: "merchants",
      actions: (visit) =>
        formLink(visit, "/console/merchants/new", visit.translate(TEXTS.newMerchant), "button primary"),
    }),
  ),
  ...MERCHANT_SETTINGS_ROUTES,
  get("/merchants/:id", merchantPage),
  post("/merchants/:id/connect-link", makeLink),
];

const SHOWN_MAX = 500;

type Customer = Awaited<ReturnType<typeof listRemembered>>[number];

async function customersPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, merchant } = visit;
  const title = translate(TEXTS.customers);
  if (merchant === undefined)
    return { kind: "page", title, content: html`<p class="empty">${translate(TEXTS.chooseAbove)}</p>` };
  const { columns: shown, none } = listCustomers.table!;
  const customers = await listRemembered(appliance, { merchantId: merchant.id, mode, limit: SHOWN_MAX });
  const documents: Column<Customer> = {
    head: translate(TEXTS.documents),
    cell: (customer) =>
      html`<a href="/console/documents?customer_tax_id=${customerNumber(customer)}">${translate(TEXTS.documents)}<span class="unseen"> ${customer.name}</span></a>`,
  };
  const columns = [...viewColumns<Customer>(visit, shown), documents];
  const list = tableOrEmpty(translate(none), title, columns, customers);
  const note = customers.length === SHOWN_MAX && html`<p class="hint">${translate(TEXTS.customersShown)}</p>`;
  return { kind: "page", title, content: html`${note}<section class="listing">${list}</section>` };
}

export const CUSTOMER_ROUTES: readonly Route[] = [get("/customers", customersPage)];
