/** The first page: what happened today, what needs somebody, and the last thirty days. */
import { DOCUMENT_STATUSES } from "../../../storage/stored-values.ts";
import {
  type Count,
  countToday,
  listInvalidConnections,
  listUnansweredRejections,
  sumDays,
} from "../../../src/console/overview.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { listWebhookEndpoints } from "../../../src/webhooks/endpoints.ts";
import { chart } from "./chart.ts";
import { verifyButton } from "./connection-parts.ts";
import { documentLink, merchantLink, merchantNames, retryButton } from "./document-parts.ts";
import { formatCount, formatMoney } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { errorText, live } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";
import { enableButton } from "./webhooks.ts";

/** Of each kind of trouble; the lists have the rest. */
const SHOWN_MAX = 5;

function countText({ language }: Visit, { count, isMore }: Count): string {
  return `${formatCount(language, count)}${isMore ? "+" : ""}`;
}

async function today(visit: Visit): Promise<Markup> {
  const { appliance, mode, say } = visit;
  const counts = await countToday(appliance, mode);
  const items = DOCUMENT_STATUSES.map(
    (status) =>
      html`<li><a href="/console/documents?status=${status}"><strong>${countText(visit, counts[status])}</strong>${say(status)}</a></li>`,
  );
  return html`<section><h2>${say("accepted today")}</h2><ul class="counts">${items}</ul></section>`;
}

function group(heading: string, items: readonly Markup[], more?: Markup | false): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<h3>${heading}</h3><ul class="todo">${items.map((item) => html`<li>${item}</li>`)}</ul>${more}`;
}

/** A document, who issues it, for how much, and why it came to nothing. */
async function troubles(visit: Visit, documents: readonly DocumentObject[]): Promise<Markup[]> {
  const { say, language } = visit;
  const names = await merchantNames(visit, documents);
  return documents.map(
    (document) =>
      html`<div>${documentLink(say, document)} · ${merchantLink(document.merchant, names)} · ${formatMoney(language, document.gross)}${
        document.error !== null && html`<br>${errorText(say, document.error)}`
      }</div>${document.status === "failed" && retryButton(visit, document)}`,
  );
}

async function failedDocuments(visit: Visit): Promise<Markup | undefined> {
  const { appliance, mode, say } = visit;
  const failed = await listDocuments(appliance, mode, { limit: SHOWN_MAX, status: "failed" });
  const more =
    failed.has_more && html`<p><a href="/console/documents?status=failed">${say("more failed")}</a></p>`;
  return group(say("failed documents"), await troubles(visit, failed.data), more);
}

/** A rejected document is corrected and sent as a new one: until that is issued, somebody has to see to it. */
async function rejectedDocuments(visit: Visit): Promise<Markup | undefined> {
  const { appliance, mode, say } = visit;
  const found = await listUnansweredRejections(appliance, mode, SHOWN_MAX + 1);
  const more =
    found.length > SHOWN_MAX &&
    html`<p><a href="/console/documents?status=rejected">${say("more rejected")}</a></p>`;
  return group(say("rejected documents"), await troubles(visit, found.slice(0, SHOWN_MAX)), more);
}

async function invalidConnections(visit: Visit): Promise<Markup | undefined> {
  const { say } = visit;
  const connections = await listInvalidConnections(visit.appliance, visit.mode);
  const names = await merchantNames(visit, connections);
  const items = connections.map(
    (connection) =>
      html`<div>${merchantLink(connection.merchant, names)} · ${connection.provider}${
        connection.last_error !== null && html`<br>${errorText(say, connection.last_error)}`
      }</div>${verifyButton(visit, connection)}`,
  );
  return group(say("invalid connections"), items);
}

/** Only those that the service disabled: what a person switched off is off on purpose. */
async function failingEndpoints(visit: Visit): Promise<Markup | undefined> {
  const { appliance, mode, say } = visit;
  // There are a hundred at the most.
  const { data } = await listWebhookEndpoints(appliance, mode, { limit: 100, status: "disabled" });
  const items = data
    .filter(({ disabled_reason: reason }) => reason !== null)
    .map(
      (endpoint) =>
        html`<div><a href="/console/webhooks/${endpoint.id}">${endpoint.url}</a><br><span class="soft">${say("because failing")}</span></div>${enableButton(visit, endpoint)}`,
    );
  return group(say("disabled endpoints"), items);
}

async function attention(visit: Visit): Promise<Markup> {
  const { say } = visit;
  const groups = [
    await failedDocuments(visit),
    await rejectedDocuments(visit),
    await invalidConnections(visit),
    await failingEndpoints(visit),
  ].filter((found) => found !== undefined);
  const content = groups.length === 0 ? html`<p class="empty">${say("nothing needs attention")}</p>` : groups;
  return html`<section><h2>${say("attention")}</h2>${content}</section>`;
}

async function lastDays(visit: Visit): Promise<Markup> {
  const { appliance, mode, say, language } = visit;
  const days = await sumDays(appliance, mode);
  const issued = chart(visit, days, {
    id: "issued-days",
    heading: say("issued by day"),
    valueOf: ({ issued: count }) => BigInt(count),
    format: (count) => formatCount(language, Number(count)),
  });
  const vat = chart(visit, days, {
    id: "vat-days",
    heading: say("VAT by day"),
    valueOf: ({ vat: cents }) => cents,
    format: (cents) => formatMoney(language, cents),
  });
  return html`<section><h2>${say("last days")}</h2><p class="hint">${say("by issue date")}</p><div class="columns">${issued}${vat}</div></section>`;
}

async function overviewPage(visit: Visit): Promise<Reply> {
  const content = html`${live("today", await today(visit))}${live("attention", await attention(visit))}${live("days", await lastDays(visit))}`;
  return { kind: "page", title: visit.say("overview"), content };
}

export const OVERVIEW_ROUTES: readonly Route[] = [get("", overviewPage)];
