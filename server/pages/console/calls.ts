/** Pages of the provider call log: the list, and one call with its bodies. */
import { providerName } from "../../../src/domain/code-words.ts";
import { TEXTS } from "./messages.ts";
import { getProviderCall, listProviderCalls } from "../../../src/logs/list-calls.ts";
import * as operations from "../../../src/operations/calls.ts";
import { bodySections } from "./bodies.ts";
import { callColumns, outcomeBadge } from "./call-parts.ts";
import { listPage } from "./list-page.ts";
import { timeOf } from "./format.ts";
import { html } from "../markup.ts";
import { errorText, idLink, termList } from "./parts.ts";
import { get, type Reply, type Route, type Visit } from "./visit.ts";

const callsPage = listPage({
  title: TEXTS.calls,
  fields: operations.listProviderCalls.query,
  find: ({ appliance, mode }, query) => listProviderCalls(appliance, mode, query),
  columns: callColumns,
});

async function callPage(visit: Visit): Promise<Reply> {
  const { appliance, mode, translate, language, params } = visit;
  const call = await getProviderCall(appliance, mode, params["id"] ?? "");
  return {
    kind: "page",
    title: `${translate(TEXTS.call)} · ${providerName(call.provider)} ${call.operation}`,
    content: html`${call.error !== null && html`<div class="problem"><p>${errorText(translate, call.error)}</p></div>`}
<section>${termList([
      [translate(TEXTS.outcome), outcomeBadge(translate, call.outcome)],
      [translate(TEXTS.when), timeOf(language, call.started_at)],
      [translate(TEXTS.httpStatus), call.http_status],
      [translate(TEXTS.duration), translate(TEXTS.milliseconds(call.duration_ms))],
      [translate(TEXTS.url), call.url],
      [translate(TEXTS.document), idLink("documents", call.document)],
      [translate(TEXTS.merchant), idLink("merchants", call.merchant)],
      [translate(TEXTS.connection), call.connection !== null && html`<code>${call.connection}</code>`],
      ["id", html`<code>${call.id}</code>`],
    ])}</section>
${bodySections(visit, call)}`,
  };
}

export const CALL_ROUTES: readonly Route[] = [get("/calls", callsPage), get("/calls/:id", callPage)];
