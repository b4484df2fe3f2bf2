/** Table columns for provider calls. */
import { providerName } from "../../../src/domain/code-words.ts";
import { TEXTS } from "./messages.ts";
import type { ProviderCallObject } from "../../../src/logs/log-objects.ts";
import { timeOf } from "./format.ts";
import type { Translate } from "./messages.ts";
import { html, type Markup } from "../markup.ts";
import { badge, type Column } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** Shows `rejected` as "refused": for documents it means something else. */
export function outcomeBadge(translate: Translate, outcome: ProviderCallObject["outcome"]): Markup {
  return badge(translate, outcome === "rejected" ? "refused" : outcome);
}

export function callColumns({ translate, language }: Visit): Column<ProviderCallObject>[] {
  return [
    {
      head: translate(TEXTS.when),
      cell: ({ id, started_at: at }) => html`<a href="/console/calls/${id}">${timeOf(language, at)}</a>`,
    },
    { head: translate(TEXTS.provider), cell: ({ provider }) => providerName(provider), isFirm: true },
    {
      head: translate(TEXTS.operation),
      cell: ({ operation, purpose }) => (purpose === "auth" ? `${operation} (auth)` : operation),
    },
    { head: translate(TEXTS.outcome), cell: ({ outcome }) => outcomeBadge(translate, outcome) },
    { head: translate(TEXTS.httpStatus), cell: ({ http_status: status }) => status, isNumber: true },
    {
      head: translate(TEXTS.duration),
      cell: ({ duration_ms: count }) => translate(TEXTS.milliseconds(count)),
      isNumber: true,
    },
  ];
}
