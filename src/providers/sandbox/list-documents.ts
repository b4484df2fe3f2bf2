/** Lists the sandbox's ledger, so that `documents reconcile` can be tried in test mode. */
import type { ListedDocument } from "../../domain/listed-document.ts";
import type { CallContext, ListOutcome, ListQuery } from "../../domain/provider-adapter.ts";
import { assertTest } from "./simulated-exchange.ts";
import type { SandboxOptions } from "./simulated-exchange.ts";
import { recordBodilessRequest, recordResponse, urlOf } from "./simulated-exchange.ts";

const PAGE_SIZE = 500;

export async function listDocuments(
  options: SandboxOptions,
  call: CallContext,
  { from, through, page }: ListQuery,
): Promise<ListOutcome<ListedDocument>> {
  assertTest(call);
  const after = Number(page ?? 0);
  const url = `${urlOf(options, "RequestTransmittedDocs")}?dateFrom=${from}&dateTo=${through}&after=${after}`;
  recordBodilessRequest(call.evidence, "GET", url);
  const now = new Date(call.nowMs()).toISOString();
  const filings = await options.ledger.list({ from, through, now, after, limit: PAGE_SIZE });
  recordResponse(call.evidence, 200, { marks: filings.map(({ mark }) => mark) });
  const last = filings.length === PAGE_SIZE ? filings.at(-1) : undefined;
  return {
    kind: "page",
    items: filings.map(({ place: _place, ...listed }) => listed),
    next: last === undefined ? null : String(last.place),
  };
}
