/** One document: what it says, what became of it, and what can be done. */
import { cancelDocument } from "../../../src/documents/cancel.ts";
import { retryDocument } from "../../../src/documents/retry.ts";
import { getDocumentContents } from "../../../src/documents/contents.ts";
import { getDocument } from "../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { getDocumentPdf } from "../../../src/paper/document-pdf.ts";
import { getMerchant } from "../../../src/merchants/merchants.ts";
import { listProviderCalls } from "../../../src/logs/list-calls.ts";
import { listDocumentDeliveries } from "../../../src/webhooks/deliveries.ts";
import { callColumns } from "./call-parts.ts";
import { contentsSections } from "./document-contents.ts";
import { documentName, retryButton, statusOf, typeName } from "./document-parts.ts";
import { deliveryColumns } from "./delivery-parts.ts";
import { dayOf, formatMoney, timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { actionButton, errorText, facts, live, tableOr, wordFor } from "./parts.ts";
import { causeOf, get, post, type Reply, returnPath, type Route, type Visit } from "./visit.ts";

/** The newest of what happened to a document; the lists of calls and deliveries have the rest. */
const SHOWN_MAX = 25;

function pathOf(id: string): string {
  return `/console/documents/${id}`;
}

/** What can be done about the document as it is. */
function actions(visit: Visit, document: DocumentObject): Markup {
  const { say, appliance } = visit;
  const canCancel =
    document.status === "issued" &&
    document.cancellation_mark === null &&
    appliance.providers.find(document.provider)?.canCancel === true;
  return html`<div class="actions">${document.status === "failed" && retryButton(visit, document)}${
    document.status === "issued" &&
    html`<a class="button" href="${pathOf(document.id)}/pdf">${say("PDF")}</a>`
  }${
    document.qr_url !== null &&
    html`<a class="button" href="${document.qr_url}" rel="noreferrer">${say("QR page")}</a>`
  }${canCancel && html`<a class="button danger" href="${pathOf(document.id)}/cancel">${say("cancel")}</a>`}</div>`;
}

function factsOf(visit: Visit, document: DocumentObject, merchantName: string): Markup {
  const { say, language } = visit;
  return facts([
    [say("status"), statusOf(say, document)],
    [say("type"), typeName(say, document.type)],
    [say("merchant"), html`<a href="/console/merchants/${document.merchant}">${merchantName}</a>`],
    [say("issue date"), dayOf(language, document.issue_date)],
    [say("net"), formatMoney(language, document.net)],
    [say("vat"), formatMoney(language, document.vat)],
    [say("gross"), html`<strong>${formatMoney(language, document.gross)}</strong>`],
    [say("mark"), document.mark],
    [say("cancellation mark"), document.cancellation_mark],
    [say("reference"), document.external_reference],
    [say("provider"), document.provider],
    [say("uid"), document.uid],
    [say("created"), timeOf(language, document.created)],
    [say("changed"), timeOf(language, document.updated)],
    ["id", html`<code>${document.id}</code>`],
  ]);
}

function warnings({ say }: Visit, { classification }: DocumentObject): Markup {
  if (classification.warnings.length === 0) return html``;
  const items = classification.warnings.map((text) => html`<li lang="en">${text}</li>`);
  return html`<section><h2>${say("warnings")}</h2><ul>${items}</ul></section>`;
}

function timeline({ say, language }: Visit, { timeline: entries }: DocumentObject): Markup {
  const items = entries.map(
    ({ id, type, created }) =>
      html`<li><a href="/console/events/${id}">${wordFor(say, type)}</a><br><span class="soft">${timeOf(language, created)}</span></li>`,
  );
  return html`<section><h2>${say("timeline")}</h2><ol class="timeline">${items}</ol></section>`;
}

async function documentPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, params } = visit;
  const document = await getDocument(appliance, mode, params["id"] ?? "");
  const contents = await getDocumentContents(appliance, mode, document.id);
  const { name } = await getMerchant(appliance, document.merchant);
  const calls = await listProviderCalls(appliance, mode, { limit: SHOWN_MAX, document: document.id });
  const deliveries = await listDocumentDeliveries(appliance, mode, document.id, SHOWN_MAX);
  const why =
    document.error !== null &&
    html`<div class="problem"><p><strong>${say("why")}</strong></p><p>${errorText(say, document.error)}</p></div>`;
  const story = html`${timeline(visit, document)}
<section><h2>${say("calls")}</h2>${tableOr(say("none yet"), say("calls"), callColumns(visit), calls.data)}</section>
<section><h2>${say("deliveries")}</h2>${tableOr(say("none yet"), say("deliveries"), deliveryColumns(visit, false), deliveries)}</section>`;
  return {
    kind: "page",
    title: `${typeName(say, document.type)} · ${documentName(say, document)}`,
    content: html`${live("now", html`${why}<section><h2 class="unseen">${say("facts")}</h2><div class="stack">${factsOf(visit, document, name)}${actions(visit, document)}</div></section>`)}
${contentsSections(visit, contents)}${warnings(visit, document)}${live("story", story)}`,
  };
}

async function pdf({ appliance, mode, params }: Visit): Promise<Reply> {
  const { bytes, fileName } = await getDocumentPdf(appliance, mode, params["id"] ?? "");
  return { kind: "file", type: "application/pdf", name: fileName, body: bytes };
}

async function retry(visit: Visit): Promise<Reply> {
  const id = visit.params["id"] ?? "";
  await retryDocument(visit.appliance, id, causeOf(visit));
  return { kind: "redirect", to: returnPath(visit, pathOf(id)), flash: { word: "flash retried" } };
}

async function cancelPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, language, params } = visit;
  const document = await getDocument(appliance, mode, params["id"] ?? "");
  const path = pathOf(document.id);
  const button = actionButton(visit, {
    action: `${path}/cancel`,
    label: say("cancel"),
    fields: { next: path },
    isDangerous: true,
  });
  return {
    kind: "page",
    title: say("cancel sure"),
    content: html`<section class="narrow stack">
${facts([
  [say("number"), documentName(say, document)],
  [say("gross"), formatMoney(language, document.gross)],
  [say("mark"), document.mark],
])}<p>${say("cancel lead")}</p>
<div class="actions">${button}<a class="button" href="${path}">${say("go back")}</a></div></section>`,
  };
}

async function cancel(visit: Visit): Promise<Reply> {
  const id = visit.params["id"] ?? "";
  await cancelDocument(visit.appliance, id, causeOf(visit));
  return { kind: "redirect", to: pathOf(id), flash: { word: "flash cancelled" } };
}

export const DOCUMENT_PAGE_ROUTES: readonly Route[] = [
  get("/documents/:id", documentPage),
  get("/documents/:id/pdf", pdf),
  post("/documents/:id/retry", retry),
  get("/documents/:id/cancel", cancelPage),
  post("/documents/:id/cancel", cancel),
];
