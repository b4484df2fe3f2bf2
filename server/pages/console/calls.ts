/** Pages of the provider call log: the list, and one call with its bodies. */
import { TEXTS } from "./messages.ts";
import { getProviderCall, listProviderCalls } from "../../../src/logs/list-calls.ts";
import { idField } from "../../../src/operations/field.ts";
import { bodySections } from "./bodies.ts";
import { callColumns, outcomeBadge } from "./call-parts.ts";
import { filterForm, readListQuery } from "./filters.ts";
import { timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { errorText, termList, live, pager, tableOrEmpty } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

async function callsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate } = visit;
  const query = readListQuery(visit, { document: idField("doc", "Only calls about this document.") });
  const page = await listProviderCalls(appliance, mode, query);
  const form = filterForm(visit, [{ name: "document", label: translate(TEXTS.document) }]);
  const list = tableOrEmpty(
    translate(TEXTS.nothingFound),
    translate(TEXTS.calls),
    callColumns(visit),
    page.data,
  );
  return {
    kind: "page",
    title: translate(TEXTS.calls),
    content: html`${form}${live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`)}`,
  };
}

async function callPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, language, params } = visit;
  const call = await getProviderCall(appliance, mode, params["id"] ?? "");
  return {
    kind: "page",
    title: `${translate(TEXTS.call)} · ${call.provider} ${call.operation}`,
    content: html`${call.error !== null && html`<div class="problem"><p>${errorText(translate, call.error)}</p></div>`}
<section>${termList([
      [translate(TEXTS.outcome), outcomeBadge(translate, call.outcome)],
      [translate(TEXTS.when), timeOf(language, call.started_at)],
      [translate(TEXTS.httpStatus), call.http_status],
      [translate(TEXTS.duration), translate(TEXTS.milliseconds(call.duration_ms))],
      [translate(TEXTS.url), call.url],
      [
        translate(TEXTS.document),
        call.document !== null &&
          html`<a href="/console/documents/${call.document}"><code>${call.document}</code></a>`,
      ],
      [
        translate(TEXTS.merchant),
        html`<a href="/console/merchants/${call.merchant}"><code>${call.merchant}</code></a>`,
      ],
      [translate(TEXTS.connection), call.connection !== null && html`<code>${call.connection}</code>`],
      ["id", html`<code>${call.id}</code>`],
    ])}</section>
${bodySections(visit, call)}`,
  };
}

export const CALL_ROUTES: readonly Route[] = [get("/calls", callsPage), get("/calls/:id", callPage)];
