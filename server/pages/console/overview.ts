/** The overview page: today's documents, what needs attention, and the last thirty days. */
import { providerName } from "../../../src/domain/document-codes.ts";
import { TEXTS } from "./messages.ts";
import {
  countToday,
  type Day,
  listInvalidConnections,
  listMarkProblems,
  listUnansweredRejections,
  sumDays,
} from "../../../src/console/overview.ts";
import { parseQuery } from "../../../src/operations/field.ts";
import { MONTH_FIELD, merchantMonths } from "./merchant-months.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { listWebhookEndpoints } from "../../../src/webhooks/endpoints.ts";
import { barChart } from "./chart.ts";
import { verifyButton } from "./connections.ts";
import { documentLink, merchantLink, merchantNames, retryButton } from "./document-parts.ts";
import { formatCount, formatDay, formatMoney } from "./format.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { html, type Markup } from "../markup.ts";
import { errorText, live, statusName } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";
import { enableButton } from "./webhooks.ts";

/** Limits each kind of problem; the lists show the rest. */
const ITEMS_SHOWN_MAX = 5;

async function today(visit: Visit): Promise<Markup> {
  const { appliance, mode } = visit;
  const items = (await countToday(appliance, mode)).map(
    ({ status, count, isMore }) =>
      html`<li><a href="/console/documents?status=${status}"><strong>${formatCount(count)}${isMore && "+"}</strong>${statusName(status)}</a></li>`,
  );
  return html`<section><h2>${TEXTS.acceptedToday}</h2><ul class="counts">${items}</ul></section>`;
}

function group(heading: Text, items: readonly Markup[], more?: Markup | false): Markup | undefined {
  if (items.length === 0) return undefined;
  return html`<h3>${heading}</h3><ul class="todo">${items.map((item) => html`<li>${item}</li>`)}</ul>${more}`;
}

/** Each document with its merchant, amount and error. */
async function describeProblems(visit: Visit, documents: readonly DocumentObject[]): Promise<Markup[]> {
  const names = await merchantNames(visit, documents);
  return documents.map(
    (document) =>
      html`<div>${documentLink(document)} · ${merchantLink(document.merchant, names)} · ${formatMoney(document.gross)}${
        document.error !== null && html`<br>${errorText(document.error)}`
      }</div>${document.status === "failed" && retryButton(visit, document)}`,
  );
}

async function failedDocuments(visit: Visit): Promise<Markup | undefined> {
  const { appliance, mode } = visit;
  const failed = await listDocuments(appliance, mode, { limit: ITEMS_SHOWN_MAX, status: "failed" });
  const more =
    failed.has_more && html`<p><a href="/console/documents?status=failed">${TEXTS.moreFailed}</a></p>`;
  return group(TEXTS.failedDocuments, await describeProblems(visit, failed.data), more);
}

/** A rejected document needs attention until a corrected one with the same reference is issued. */
async function rejectedDocuments(visit: Visit): Promise<Markup | undefined> {
  const { appliance, mode } = visit;
  const found = await listUnansweredRejections(appliance, mode, ITEMS_SHOWN_MAX + 1);
  const more =
    found.length > ITEMS_SHOWN_MAX &&
    html`<p><a href="/console/documents?status=rejected">${TEXTS.moreRejected}</a></p>`;
  return group(TEXTS.rejectedDocuments, await describeProblems(visit, found.slice(0, ITEMS_SHOWN_MAX)), more);
}

/** Documents that the authority registered several times, or with a MARK of another one. */
async function markProblems(visit: Visit): Promise<Markup | undefined> {
  const { appliance, mode } = visit;
  const found = await listMarkProblems(appliance, mode, ITEMS_SHOWN_MAX);
  const items = found.map(
    ({ document, problem, remedy }) =>
      html`<div>${documentLink(document)} · ${problem}<br><span class="soft">${remedy}</span></div>`,
  );
  return group(TEXTS.documentsWithSeveralMarks, items);
}

async function invalidConnections(visit: Visit): Promise<Markup | undefined> {
  const connections = await listInvalidConnections(visit.appliance, visit.mode);
  const names = await merchantNames(visit, connections);
  const items = connections.map(
    (connection) =>
      html`<div>${merchantLink(connection.merchant, names)} · ${providerName(connection.provider)}${
        connection.last_error !== null && html`<br>${errorText(connection.last_error)}`
      }</div>${verifyButton(visit, connection)}`,
  );
  return group(TEXTS.invalidConnections, items);
}

/** Only endpoints that the service disabled, not those that a person disabled on purpose. */
async function failingEndpoints(visit: Visit): Promise<Markup | undefined> {
  const { appliance, mode } = visit;
  // A mode has at most a hundred endpoints.
  const { data } = await listWebhookEndpoints(appliance, mode, { limit: 100, status: "disabled" });
  const items = data
    .filter(({ disabled_reason: reason }) => reason !== null)
    .map(
      (endpoint) =>
        html`<div><a href="/console/webhooks/${endpoint.id}">${endpoint.url}</a><br><span class="soft">${TEXTS.disabledBecauseFailing}</span></div>${enableButton(visit, endpoint)}`,
    );
  return group(TEXTS.disabledEndpoints, items);
}

async function attention(visit: Visit): Promise<Markup> {
  const groups = [
    await failedDocuments(visit),
    await rejectedDocuments(visit),
    await markProblems(visit),
    await invalidConnections(visit),
    await failingEndpoints(visit),
  ].filter((found) => found !== undefined);
  const content = groups.length === 0 ? html`<p class="empty">${TEXTS.nothingNeedsAttention}</p>` : groups;
  return html`<section><h2>${TEXTS.needsAttention}</h2>${content}</section>`;
}

async function lastDays(visit: Visit): Promise<Markup> {
  const { appliance, mode } = visit;
  const days = await sumDays(appliance, mode);
  const chart = (id: string, heading: Text, valueOf: (day: Day) => bigint, format: (value: bigint) => Text) =>
    html`<div><h3>${heading}</h3>${barChart({
      id,
      heading,
      items: days,
      head: TEXTS.issueDate,
      nameOf: ({ day }) => formatDay(day),
      series: [{ valueOf }],
      format,
    })}</div>`;
  const issued = chart("issued-days", TEXTS.issuedByDay, ({ issued: count }) => BigInt(count), formatCount);
  const vat = chart("vat-days", TEXTS.vatByDay, ({ vat: cents }) => cents, formatMoney);
  return html`<section><h2>${TEXTS.lastDays}</h2><p class="hint">${TEXTS.byIssueDate}</p><div class="columns">${issued}${vat}</div></section>`;
}

async function overviewPage(visit: Visit): Promise<Reply> {
  const { month } = parseQuery({ month: MONTH_FIELD }, visit.query);
  // Test documents are no one's books.
  const months = visit.mode === "live" && live("months", await merchantMonths(visit, month));
  const content = html`${months}${live("today", await today(visit))}${live("attention", await attention(visit))}${live("days", await lastDays(visit))}`;
  return { kind: "page", title: TEXTS.overview, content };
}

export const OVERVIEW_ROUTES: readonly Route[] = [get("", overviewPage)];
