/** Table columns for provider calls. */
import { TEXTS } from "./messages.ts";
import type { ProviderCallObject } from "../../../src/logs/log-objects.ts";
import { timeOf } from "./format.ts";
import type { Say } from "./messages.ts";
import { html, type Markup } from "../markup.ts";
import { badge, type Column } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** Shows `rejected` as "refused": for documents it means something else. */
export function outcomeBadge(say: Say, outcome: ProviderCallObject["outcome"]): Markup {
  return badge(say, outcome === "rejected" ? "refused" : outcome);
}

export function callColumns({ say, language }: Visit): Column<ProviderCallObject>[] {
  return [
    {
      head: say(TEXTS.when),
      cell: ({ id, started_at: at }) => html`<a href="/console/calls/${id}">${timeOf(language, at)}</a>`,
    },
    { head: say(TEXTS.provider), cell: ({ provider }) => provider, isFirm: true },
    {
      head: say(TEXTS.operation),
      cell: ({ operation, purpose }) => (purpose === "auth" ? `${operation} (auth)` : operation),
    },
    { head: say(TEXTS.outcome), cell: ({ outcome }) => outcomeBadge(say, outcome) },
    { head: say(TEXTS.httpStatus), cell: ({ http_status: status }) => status, isNumber: true },
    {
      head: say(TEXTS.duration),
      cell: ({ duration_ms: count }) => say(TEXTS.milliseconds(count)),
      isNumber: true,
    },
  ];
}
