/** Pages of merchants: the list, one merchant with its connections, to archive or to make a connect link for. */
import * as operations from "../../../src/operations/merchants.ts";
import { TEXTS } from "./messages.ts";
import { createConnectSession, listConnections } from "../../../src/operations/connections.ts";
import { CHECKLIST_COLUMNS, LABELS } from "../../../src/operations/view.ts";
import { checkLiveReadiness } from "../../../src/upkeep/live-checklist.ts";
import { connectLinks } from "./connections.ts";
import { MERCHANT_SETTINGS_ROUTES } from "./merchant-settings.ts";
import { PAGE_SIZE } from "./list-page.ts";
import { html, type Markup } from "../markup.ts";
import { operationList, operationPage, readFacts, runList, viewColumns } from "./operation-pages.ts";
import { actionButton, formLink, live, table, tableOrEmpty } from "./parts.ts";
import { get, pathTo, type Route, type Visit } from "./visit.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { operationAction } from "./operation-form.ts";

const ONE = "/merchants/:id";

/** Of pages that only offer a form. */
const FORMS = [
  ["details", TEXTS.changeDetails],
  ["paper", TEXTS.paper],
  ["issuing", TEXTS.issuingSettings],
] as const;

function actions(visit: Visit, { id, archived }: MerchantObject): Markup {
  const path = pathTo(visit, ONE);
  const choose =
    !archived &&
    id !== visit.merchant?.id &&
    actionButton(visit, { action: "/console/merchant", label: TEXTS.workForMerchant, fields: { shop: id } });
  const forms = FORMS.map(([name, label]) => formLink(visit, `${path}/${name}`, label));
  const archive = archived
    ? actionButton(visit, { action: `${path}/unarchive`, label: TEXTS.unarchive })
    : formLink(visit, `${path}/archive`, TEXTS.archive, "button danger");
  return html`<div class="actions"><a class="button" href="/console/documents?merchant=${id}">${TEXTS.itsDocuments}</a>${choose}${forms}${archive}</div>`;
}

async function merchantSections(visit: Visit, merchant: MerchantObject): Promise<Markup> {
  const { data } = await runList(visit, listConnections, { limit: PAGE_SIZE });
  const { none, columns } = listConnections.table!;
  const shown = viewColumns(visit, columns, { pages: "connections", without: [LABELS.merchant] });
  const list = tableOrEmpty(none, TEXTS.connections, shown, data);
  const checklist = table(
    TEXTS.readyForLive,
    viewColumns(visit, CHECKLIST_COLUMNS),
    await checkLiveReadiness(visit.appliance, merchant),
  );
  const link = actionButton(visit, {
    action: `${pathTo(visit, ONE)}/connect-link`,
    label: TEXTS.createConnectLink,
  });
  return html`${live("connections", html`<section><h2>${TEXTS.connections}</h2>${list}<div class="actions">${connectLinks(visit, merchant.id)}</div></section>`)}
<section class="stack"><p class="hint">${TEXTS.createConnectLinkHint}</p>${link}</section>
<section><h2>${TEXTS.readyForLive}</h2>${checklist}</section>`;
}

export const MERCHANT_ROUTES: readonly Route[] = [
  get(
    "/merchants",
    operationList({
      title: TEXTS.merchants,
      operation: operations.listMerchants,
      pages: "merchants",
      actions: (visit) => formLink(visit, "/console/merchants/new", TEXTS.newMerchant, "button primary"),
    }),
  ),
  ...MERCHANT_SETTINGS_ROUTES,
  operationPage({
    path: ONE,
    operation: operations.getMerchant,
    title: ({ name }) => name,
    actions,
    below: merchantSections,
  }),
  ...operationAction({
    path: `${ONE}/archive`,
    operation: operations.archiveMerchant,
    question: {
      title: TEXTS.archiveQuestion,
      note: TEXTS.archiveNote,
      button: TEXTS.archive,
      about: (visit) => readFacts(visit, operations.getMerchant),
    },
    done: "saved",
  }),
  ...operationAction({
    path: `${ONE}/unarchive`,
    operation: operations.unarchiveMerchant,
    done: "saved",
  }),
  ...operationAction({
    path: `${ONE}/connect-link`,
    operation: createConnectSession,
    done: (_visit, { url }) => ({ code: "newLink", secret: url }),
  }),
];
