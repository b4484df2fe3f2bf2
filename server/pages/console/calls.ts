/** Pages of the provider call log: the list, and one call with its bodies. */
import { TEXTS } from "./messages.ts";
import { getProviderCall, listProviderCalls } from "../../../src/logs/list-calls.ts";
import { idField } from "../../query.ts";
import { bodySections } from "./bodies.ts";
import { callColumns, outcomeBadge } from "./call-parts.ts";
import { filterForm, readListQuery } from "./filters.ts";
import { timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { errorText, termList, live, pager, tableOrEmpty } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

async function callsPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say } = visit;
  const query = readListQuery(visit, { document: idField("doc", "Only calls about this document.") });
  const page = await listProviderCalls(appliance, mode, query);
  const form = filterForm(visit, [{ name: "document", label: say(TEXTS.document) }]);
  const list = tableOrEmpty(say(TEXTS.nothingFound), say(TEXTS.calls), callColumns(visit), page.data);
  return {
    kind: "page",
    title: say(TEXTS.calls),
    content: html`${form}${live("list", html`<section class="listing">${list}${pager(visit, page)}</section>`)}`,
  };
}

async function callPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, say, language, params } = visit;
  const call = await getProviderCall(appliance, mode, params["id"] ?? "");
  return {
    kind: "page",
    title: `${say(TEXTS.call)} · ${call.provider} ${call.operation}`,
    content: html`${call.error !== null && html`<div class="problem"><p>${errorText(say, call.error)}</p></div>`}
<section>${termList([
      [say(TEXTS.outcome), outcomeBadge(say, call.outcome)],
      [say(TEXTS.when), timeOf(language, call.started_at)],
      [say(TEXTS.httpStatus), call.http_status],
      [say(TEXTS.duration), say(TEXTS.milliseconds(call.duration_ms))],
      [say(TEXTS.url), call.url],
      [
        say(TEXTS.document),
        call.document !== null &&
          html`<a href="/console/documents/${call.document}"><code>${call.document}</code></a>`,
      ],
      [
        say(TEXTS.merchant),
        html`<a href="/console/merchants/${call.merchant}"><code>${call.merchant}</code></a>`,
      ],
      [say(TEXTS.connection), call.connection !== null && html`<code>${call.connection}</code>`],
      ["id", html`<code>${call.id}</code>`],
    ])}</section>
${bodySections(visit, call)}`,
  };
}

export const CALL_ROUTES: readonly Route[] = [get("/calls", callsPage), get("/calls/:id", callPage)];
