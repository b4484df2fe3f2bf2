/** Pages of the API request log: the list, and one request with its bodies. */
import { TEXTS } from "./messages.ts";
import type { ApiRequestObject } from "../../../src/logs/log-objects.ts";
import { getRequest, listRequests } from "../../../src/logs/list-requests.ts";
import { idField, integerField, patternField } from "../../../src/operations/field.ts";
import { REQUEST_ID_FORM } from "../../../src/foundation/request-id.ts";
import { bodySections } from "./bodies.ts";
import { filterForm, readListQuery } from "./filters.ts";
import { timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { type Column, termList, live, pager, tableOrEmpty } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const FIELDS = {
  status: integerField(100, 599, "Only requests with this HTTP status."),
  operation_id: patternField(/^[A-Za-z][A-Za-z0-9]{0,63}$/, "Only requests to this operation.", {
    en: "must be 1 to 64 letters and digits, starting with a letter",
    el: "πρέπει να έχει 1 έως 64 λατινικά γράμματα και ψηφία και να αρχίζει με γράμμα",
  }),
  request_id: patternField(REQUEST_ID_FORM, "Only requests with this x-request-id.", {
    en: "must be an x-request-id: req_…, client:… or a platform's id",
    el: "πρέπει να είναι x-request-id: req_…, client:… ή το αναγνωριστικό μιας πλατφόρμας",
  }),
  document: idField("doc", "Only requests that returned this document."),
};

function columns({ translate, language }: Visit): Column<ApiRequestObject>[] {
  return [
    {
      head: translate(TEXTS.when),
      cell: ({ id, created }) => html`<a href="/console/requests/${id}">${timeOf(language, created)}</a>`,
    },
    { head: translate(TEXTS.httpStatus), cell: ({ status }) => status, isNumber: true },
    { head: translate(TEXTS.operation), cell: ({ operation_id: operation }) => operation },
    {
      head: translate(TEXTS.methodAndPath),
      cell: ({ method, path }) => html`<code>${method} ${path}</code>`,
    },
    { head: translate(TEXTS.origin), cell: ({ source }) => source },
    {
      head: translate(TEXTS.duration),
      cell: ({ duration_ms: count }) => translate(TEXTS.milliseconds(count)),
      isNumber: true,
    },
  ];
}

async function requestsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate } = visit;
  const page = await listRequests(appliance, mode, readListQuery(visit, FIELDS));
  const form = filterForm(visit, [
    { name: "status", label: translate(TEXTS.httpStatus) },
    { name: "operation_id", label: translate(TEXTS.operation) },
    { name: "request_id", label: translate(TEXTS.requestId) },
  ]);
  const list = tableOrEmpty(
    translate(TEXTS.nothingFound),
    translate(TEXTS.requests),
    columns(visit),
    page.data,
  );
  return {
    kind: "page",
    title: translate(TEXTS.requests),
    content: html`${form}${live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`)}`,
  };
}

async function requestPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, language, params } = visit;
  const request = await getRequest(appliance, mode, params["id"] ?? "");
  const { document, merchant } = request;
  return {
    kind: "page",
    title: `${request.method} ${request.path}`,
    content: html`<section>${termList([
      [translate(TEXTS.httpStatus), request.status],
      [translate(TEXTS.when), timeOf(language, request.created)],
      [translate(TEXTS.operation), request.operation_id],
      [translate(TEXTS.origin), request.source],
      [translate(TEXTS.duration), translate(TEXTS.milliseconds(request.duration_ms))],
      [translate(TEXTS.requestId), html`<code>${request.request_id}</code>`],
      [translate(TEXTS.idempotencyKey), request.idempotency_key],
      [
        translate(TEXTS.document),
        document !== null && html`<a href="/console/documents/${document}"><code>${document}</code></a>`,
      ],
      [
        translate(TEXTS.merchant),
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
