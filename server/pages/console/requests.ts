/** Pages of the API request log: the list, and one request with its bodies. */
import { TEXTS } from "./messages.ts";
import type { ApiRequestObject } from "../../../src/logs/log-objects.ts";
import { getRequest, listRequests } from "../../../src/logs/list-requests.ts";
import * as operations from "../../../src/operations/requests.ts";
import { bodySections } from "./bodies.ts";
import { listPage } from "./list-page.ts";
import { timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { type Column, idLink, termList } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

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

const requestsPage = listPage({
  title: TEXTS.requests,
  fields: operations.listRequests.query,
  find: ({ appliance, mode }, query) => listRequests(appliance, mode, query),
  columns,
});

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
      [translate(TEXTS.document), idLink("documents", document)],
      [translate(TEXTS.merchant), idLink("merchants", merchant)],
    ])}</section>
${bodySections(visit, request)}`,
  };
}

export const REQUEST_ROUTES: readonly Route[] = [
  get("/requests", requestsPage),
  get("/requests/:id", requestPage),
];
