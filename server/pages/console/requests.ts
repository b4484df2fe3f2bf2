/** The log of API requests: the list, and one with its bodies. */
import type { ApiRequestObject } from "../../../src/logs/log-objects.ts";
import { getRequest, listRequests } from "../../../src/logs/list-requests.ts";
import { idField, integerField, patternField } from "../../query.ts";
import { REQUEST_ID_FORM } from "../../../src/foundation/request-id.ts";
import { bodySections } from "./bodies.ts";
import { filterForm, readListQuery } from "./filters.ts";
import { timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { type Column, facts, live, pager, tableOr } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const FIELDS = {
  status: integerField(100, 599, "Only requests answered with this HTTP status."),
  operation_id: patternField(/^[A-Za-z][A-Za-z0-9]{0,63}$/, "Only requests to this operation.", {
    en: "must be letters and digits, beginning with a letter, 64 at the most",
    el: "πρέπει να είναι λατινικά γράμματα και ψηφία, με γράμμα στην αρχή, έως 64",
  }),
  request_id: patternField(REQUEST_ID_FORM, "Only requests with this x-request-id.", {
    en: "must be an x-request-id: req_…, client:… or a platform's",
    el: "πρέπει να είναι x-request-id: req_…, client:… ή της πλατφόρμας",
  }),
  document: idField("doc", "Only requests that answered with this document."),
};

function columns({ say, language }: Visit): Column<ApiRequestObject>[] {
  return [
    {
      head: say("when"),
      cell: ({ id, created }) => html`<a href="/console/requests/${id}">${timeOf(language, created)}</a>`,
    },
    { head: say("HTTP status"), cell: ({ status }) => status, isNumber: true },
    { head: say("operation"), cell: ({ operation_id: operation }) => operation },
    { head: say("method and path"), cell: ({ method, path }) => html`<code>${method} ${path}</code>` },
    { head: say("source"), cell: ({ source }) => source },
    {
      head: say("duration"),
      cell: ({ duration_ms: count }) => say("milliseconds", { count }),
      isNumber: true,
    },
  ];
}

async function requestsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say } = visit;
  const page = await listRequests(appliance, mode, readListQuery(visit, FIELDS));
  const form = filterForm(visit, [
    { name: "status", label: say("HTTP status") },
    { name: "operation_id", label: say("operation") },
    { name: "request_id", label: say("request id") },
  ]);
  const list = tableOr(say("nothing found"), say("requests"), columns(visit), page.data);
  return {
    kind: "page",
    title: say("requests"),
    content: html`${form}${live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`)}`,
  };
}

async function requestPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, language, params } = visit;
  const request = await getRequest(appliance, mode, params["id"] ?? "");
  const { document, merchant } = request;
  return {
    kind: "page",
    title: `${request.method} ${request.path}`,
    content: html`<section>${facts([
      [say("HTTP status"), request.status],
      [say("when"), timeOf(language, request.created)],
      [say("operation"), request.operation_id],
      [say("source"), request.source],
      [say("duration"), say("milliseconds", { count: request.duration_ms })],
      [say("request id"), html`<code>${request.request_id}</code>`],
      [say("idempotency key"), request.idempotency_key],
      [
        say("document"),
        document !== null && html`<a href="/console/documents/${document}"><code>${document}</code></a>`,
      ],
      [
        say("merchant"),
        merchant !== null && html`<a href="/console/merchants/${merchant}"><code>${merchant}</code></a>`,
      ],
    ])}</section>
${bodySections(visit, request)}`,
  };
}

export const REQUEST_ROUTES: readonly Route[] = [
  get("/requests", requestsPage),
  get("/requests/:id", requestPage),
];
