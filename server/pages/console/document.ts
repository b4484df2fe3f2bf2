/** The page of one document: contents, state, history and actions. */
import { providerName } from "../../../src/domain/document-codes.ts";
import { VIES, viesText } from "../../../src/operations/document-view.ts";
import { TEXTS } from "./messages.ts";
import { EVENT_NAMES } from "./messages/resource-messages.ts";
import { isCreditable } from "../../../src/documents/credit-original.ts";
import { cancelDocument, retryDocument } from "../../../src/operations/withdraw-documents.ts";
import { NEW_TYPES } from "../../../src/documents/new-document.ts";
import { explainCode } from "../../../src/domain/authority-codes.ts";
import { findCorrection, isRepeatable } from "../../../src/documents/repeat.ts";
import { type ReadContents, readContents } from "../../../src/documents/contents.ts";
import { getDocument } from "../../../src/documents/list-documents.ts";
import { textsOfWarnings } from "../../../src/foundation/stored-texts.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { getDocumentPdf } from "../../../src/paper/document-pdf.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import { listProviderCalls } from "../../../src/logs/read-logs.ts";
import { listDocumentDeliveries } from "../../../src/webhooks/deliveries.ts";
import { listProviderCalls as listCalls } from "../../../src/operations/logs.ts";
import { LABELS } from "../../../src/operations/view.ts";
import { listWebhookDeliveries } from "../../../src/operations/webhooks.ts";
import { idLink, viewColumns } from "./operation-pages.ts";
import { CREDIT_ROUTES } from "./credit.ts";
import { creditPathOf } from "./credit-source.ts";
import { contentsSections, warningsSection } from "./document-contents.ts";
import { documentName, documentPath, retryButton, statusOf, typeName } from "./document-parts.ts";
import { dayOf, formatMoney, timeOf } from "./format.ts";
import { MAIL_ROUTES, mailSection } from "./mail.ts";
import { stepLink } from "./problems.ts";
import { html, type Markup } from "../markup.ts";
import { type Column, errorText, formLink, termList, live, tableOrEmpty } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";
import { operationAction } from "./operation-form.ts";

/** Limits calls and deliveries to the newest; their own lists show the rest. */
const ITEMS_SHOWN_MAX = 25;

async function actions(visit: Visit, document: DocumentObject): Promise<Markup> {
  const { appliance, mode } = visit;
  const correction =
    document.status === "rejected" ? await findCorrection(appliance, mode, document.id) : undefined;
  const canCancel =
    document.status === "issued" &&
    document.cancellation_mark === null &&
    appliance.providers.find(document.provider)?.canCancel === true;
  return html`<div class="actions">${document.status === "failed" && retryButton(visit, document)}${
    document.status === "issued" &&
    html`<a class="button" href="${documentPath(document.id)}/pdf">${TEXTS.pdf}</a>`
  }${
    document.qr_url !== null &&
    html`<a class="button" href="${document.qr_url}" rel="noreferrer">${TEXTS.verificationPage}</a>`
  }${isCreditable(document) && formLink(visit, creditPathOf(document.id), TEXTS.issueCreditNote)}${
    isRepeatable(document) && formLink(visit, `${documentPath(document.id)}/repeat`, TEXTS.repeatDocument)
  }${
    correction !== undefined &&
    html`<a class="button" href="${documentPath(correction.id)}">${TEXTS.correction}</a>`
  }${
    correction === undefined &&
    isCorrectable(document) &&
    formLink(visit, `${documentPath(document.id)}/correct`, TEXTS.correctDocument, "button primary")
  }${canCancel && formLink(visit, `${documentPath(document.id)}/cancel`, TEXTS.cancel, "button danger")}</div>`;
}

function factsOf(document: DocumentObject, merchantName: string, vies: ReadContents["vies"]): Markup {
  return termList([
    [TEXTS.status, statusOf(document)],
    [TEXTS.type, typeName(document.type)],
    [TEXTS.merchant, html`<a href="/console/merchants/${document.merchant}">${merchantName}</a>`],
    [TEXTS.issueDate, dayOf(document.issue_date)],
    [TEXTS.net, formatMoney(document.net)],
    [TEXTS.vat, formatMoney(document.vat)],
    [TEXTS.gross, html`<strong>${formatMoney(document.gross)}</strong>`],
    [TEXTS.mark, document.mark],
    [TEXTS.cancellationMark, document.cancellation_mark],
    [VIES, vies && viesText(vies)],
    [TEXTS.yourReference, document.external_reference],
    [TEXTS.provider, providerName(document.provider)],
    [TEXTS.uid, document.uid],
    [TEXTS.created, timeOf(document.created)],
    [TEXTS.changed, timeOf(document.updated)],
    ["id", html`<code>${document.id}</code>`],
  ]);
}

function timeline({ timeline: entries }: DocumentObject): Markup {
  const items = entries.map(
    ({ id, type, created }) =>
      html`<li><a href="/console/events/${id}">${EVENT_NAMES[type]}</a><br><span class="soft">${timeOf(created)}</span></li>`,
  );
  return html`<section><h2>${TEXTS.timeline}</h2><ol class="timeline">${items}</ol></section>`;
}

/** The form takes every type but the credit note that must name its originals. */
function isCorrectable({ status, type }: DocumentObject): boolean {
  return status === "rejected" && NEW_TYPES.some((candidate) => candidate === type);
}

/** What the authority's code means and what to do. */
function advice({ provider_code: code }: NonNullable<DocumentObject["error"]>): Markup | undefined {
  const explained = code === null ? undefined : explainCode(code);
  if (explained === undefined) return undefined;
  return html`<p>${explained.meaning}</p><p><strong>${TEXTS.whatToDo}</strong> ${explained.next}</p>${stepLink(explained.next)}`;
}

async function documentPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, params } = visit;
  const document = await getDocument(appliance, mode, params["id"] ?? "");
  const contents = await readContents(appliance, mode, document.id);
  const { name } = await getMerchant(appliance, document.merchant);
  const calls = await listProviderCalls(appliance, mode, { limit: ITEMS_SHOWN_MAX, document: document.id });
  const deliveries = await listDocumentDeliveries(appliance, mode, document.id, ITEMS_SHOWN_MAX);
  const warnings = [...textsOfWarnings(document.classification.warnings), ...contents.notes];
  const why =
    document.error !== null &&
    html`<div class="problem"><p><strong>${TEXTS.why}</strong></p><p>${errorText(document.error)}</p>${advice(document.error)}</div>`;
  const endpointColumn: Column<(typeof deliveries)[number]> = {
    head: TEXTS.endpoint,
    cell: ({ endpoint }) => idLink(endpoint),
  };
  const story = html`${timeline(document)}
<section><h2>${TEXTS.calls}</h2>${tableOrEmpty(TEXTS.noneYet, TEXTS.calls, viewColumns(visit, listCalls.table!.columns, { pages: "calls", without: [LABELS.document] }), calls.data)}</section>
<section><h2>${TEXTS.deliveries}</h2>${tableOrEmpty(TEXTS.noneYet, TEXTS.deliveries, [endpointColumn, ...viewColumns(visit, listWebhookDeliveries.table!.columns)], deliveries)}</section>`;
  // Outside the part that the script refreshes: a parsed page has other children in it than one that is shown.
  const waiting =
    document.status === "pending" &&
    html`<noscript><p><a class="button" href="${documentPath(document.id)}">${TEXTS.reload}</a></p></noscript>`;
  return {
    kind: "page",
    title: html`${typeName(document.type)} · ${documentName(document)}`,
    content: html`${waiting}${live("now", html`${why}<section><h2 class="unseen">${TEXTS.details}</h2><div class="stack">${factsOf(document, name, contents.vies)}${await actions(visit, document)}</div></section>`)}
${contentsSections(visit, contents)}${warningsSection(warnings)}${await mailSection(visit, document)}${live("story", story)}`,
  };
}

async function pdf({ appliance, mode, params }: Visit): Promise<Reply> {
  const { bytes, fileName } = await getDocumentPdf(appliance, mode, params["id"] ?? "");
  return { kind: "file", type: "application/pdf", name: fileName, body: bytes };
}

async function cancelTerms(visit: Visit): Promise<Markup> {
  const { appliance, mode, params } = visit;
  const document = await getDocument(appliance, mode, params["id"] ?? "");
  return termList([
    [TEXTS.number, documentName(document)],
    [TEXTS.gross, formatMoney(document.gross)],
    [TEXTS.mark, document.mark],
  ]);
}

export const DOCUMENT_PAGE_ROUTES: readonly Route[] = [
  get("/documents/:id", documentPage),
  get("/documents/:id/pdf", pdf),
  ...operationAction({
    path: "/documents/:id/retry",
    operation: retryDocument,
    done: () => ({ code: "retried", count: 1 }),
  }),
  ...operationAction({
    path: "/documents/:id/cancel",
    operation: cancelDocument,
    question: {
      title: TEXTS.cancelQuestion,
      note: TEXTS.cancelNote,
      button: TEXTS.cancel,
      about: cancelTerms,
    },
    done: "cancelled",
  }),
  ...CREDIT_ROUTES,
  ...MAIL_ROUTES,
];
