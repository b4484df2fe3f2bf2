/** The overview page: in live mode the month of each merchant, then today's documents, what needs attention, and the last thirty days. */
import { type MerchantMonth, type Overview, reportOverview } from "../../../src/books/overview.ts";
import {
  countToday,
  type Day,
  listInvalidConnections,
  listMarkProblems,
  listUnansweredRejections,
  sumDays,
} from "../../../src/console/overview.ts";
import { listDocuments } from "../../../src/documents/list-documents.ts";
import { providerName } from "../../../src/domain/document-codes.ts";
import { endOfMonth, startOfMonth } from "../../../src/foundation/days.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { patternField } from "../../../src/operations/field.ts";
import { overviewColumns } from "../../../src/operations/report-view.ts";
import { listWebhookEndpoints } from "../../../src/webhooks/endpoints.ts";
import { html, type Markup } from "../markup.ts";
import { barChart } from "./chart.ts";
import { verifyButton } from "./connections.ts";
import { documentLink, merchantLink, merchantNames, retryButton } from "./document-parts.ts";
import { formatCount, formatDay, formatMoney, formatMonth } from "./format.ts";
import { readQuery } from "./list-page.ts";
import { TEXTS } from "./messages.ts";
import { viewColumns } from "./operation-pages.ts";
import { type Column, errorText, live, statusName, statusWord, tableOrEmpty } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";
import { enableButton } from "./webhooks.ts";

/** The rows of a page. The report of the command line has all. */
const SHOWN_MAX = 200;

const MONTH_FORM = /^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])$/;
const MONTH_MESSAGE = { en: "must be a month like 2026-11", el: "πρέπει να είναι μήνας, όπως 2026-11" };
const QUERY = { month: { ...patternField(MONTH_FORM, "The month.", MONTH_MESSAGE), label: TEXTS.month } };

/** `asked` is `2026-11`; the current month without it. */
async function merchantMonths(visit: Visit, asked: string | undefined): Promise<Markup> {
  const { appliance, mode, merchant } = visit;
  const month = asked ?? appliance.clock.today().slice(0, 7);
  const overview = await reportOverview(appliance, { mode, month, merchantId: merchant?.id });
  const shown = overview.merchants.slice(0, SHOWN_MAX);
  const other = (offset: number) => {
    const name = startOfMonth(`${month}-01`, offset).slice(0, 7);
    return html`<a class="button" href="/console?month=${name}">${formatMonth(name)}</a>`;
  };
  const list = tableOrEmpty(TEXTS.noneYet, formatMonth(month), columnsOf(visit, overview), shown);
  return html`<section><h2>${formatMonth(month)}</h2>${list}${shown.length < overview.merchants.length && html`<p class="hint">${TEXTS.moreMerchants}</p>`}<p class="actions">${other(-1)}${other(1)}</p></section>`;
}

/** The column that counts two statuses. */
const WAITING = 2;

function columnsOf(visit: Visit, overview: Overview): Column<MerchantMonth>[] {
  const [from, to] = [`${overview.month}-01`, endOfMonth(`${overview.month}-01`)];
  const documents = (status: string) => (id: string) =>
    `/console/documents?${new URLSearchParams({ merchant: id, status, "issue_date[gte]": from, "issue_date[lte]": to })}`;
  const reports = (id: string) => `/console/reports?${new URLSearchParams({ merchant: id, from, to })}`;
  const links = [
    (id: string) => `/console/merchants/${id}`,
    documents("issued"),
    documents("pending"),
    documents("rejected"),
    reports,
    undefined,
    reports,
    undefined,
    reports,
  ];
  return viewColumns({ ...visit, merchant: undefined }, overviewColumns(overview)).map((column, index) => ({
    ...column,
    cell(month) {
      const { id } = month.merchant;
      const link = links[index];
      if (link === undefined) return column.cell(month);
      if (index !== WAITING) return html`<a href="${link(id)}">${column.cell(month)}</a>`;
      const failed = html` + <a href="${documents("failed")(id)}">${formatCount(month.failed)} (${statusWord("failed")})</a>`;
      return html`<a href="${link(id)}">${formatCount(month.pending)}</a>${month.failed > 0 && failed}`;
    },
  }));
}

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

const STOPPED = {
  failed: { heading: TEXTS.failedDocuments, more: TEXTS.moreFailed },
  rejected: { heading: TEXTS.rejectedDocuments, more: TEXTS.moreRejected },
} as const;

/** Each document with its merchant, amount and error. */
async function stoppedDocuments(
  visit: Visit,
  status: keyof typeof STOPPED,
  found: readonly DocumentObject[],
): Promise<Markup | undefined> {
  const documents = found.slice(0, ITEMS_SHOWN_MAX);
  const names = await merchantNames(visit, documents);
  const items = documents.map(
    (document) =>
      html`<div>${documentLink(document)} · ${merchantLink(document.merchant, names)} · ${formatMoney(document.gross)}${
        document.error !== null && html`<br>${errorText(document.error)}`
      }</div>${status === "failed" && retryButton(visit, document)}`,
  );
  const { heading, more } = STOPPED[status];
  const rest =
    found.length > ITEMS_SHOWN_MAX && html`<p><a href="/console/documents?status=${status}">${more}</a></p>`;
  return group(heading, items, rest);
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
  const { appliance, mode } = visit;
  const limit = ITEMS_SHOWN_MAX + 1;
  const failed = await listDocuments(appliance, mode, { limit, status: "failed" });
  // A rejected one needs attention until a corrected one with the same reference is issued.
  const rejected = await listUnansweredRejections(appliance, mode, limit);
  const groups = [
    await stoppedDocuments(visit, "failed", failed.data),
    await stoppedDocuments(visit, "rejected", rejected),
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
  const { month } = readQuery(visit, QUERY);
  // Test documents are no one's books.
  const months = visit.mode === "live" && live("months", await merchantMonths(visit, month));
  const content = html`${months}${live("today", await today(visit))}${live("attention", await attention(visit))}${live("days", await lastDays(visit))}`;
  return { kind: "page", title: TEXTS.overview, content };
}

export const OVERVIEW_ROUTES: readonly Route[] = [get("", overviewPage)];
