/** How provider calls are listed. */
import type { ProviderCallObject } from "../../../src/logs/log-objects.ts";
import { timeOf } from "./format.ts";
import type { Say } from "./language.ts";
import { html, type Markup } from "../markup.ts";
import { badge, type Column } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** `rejected` is a word of documents too, and means more there. */
export function outcomeBadge(say: Say, outcome: ProviderCallObject["outcome"]): Markup {
  return badge(say, outcome === "rejected" ? "refused" : outcome);
}

export function callColumns({ say, language }: Visit): Column<ProviderCallObject>[] {
  return [
    {
      head: say("when"),
      cell: ({ id, started_at: at }) => html`<a href="/console/calls/${id}">${timeOf(language, at)}</a>`,
    },
    { head: say("provider"), cell: ({ provider }) => provider, isFirm: true },
    {
      head: say("operation"),
      cell: ({ operation, purpose }) => (purpose === "auth" ? `${operation} (auth)` : operation),
    },
    { head: say("outcome"), cell: ({ outcome }) => outcomeBadge(say, outcome) },
    { head: say("HTTP status"), cell: ({ http_status: status }) => status, isNumber: true },
    {
      head: say("duration"),
      cell: ({ duration_ms: count }) => say("milliseconds", { count }),
      isNumber: true,
    },
  ];
}
