/** What was sent and what came back, as a log keeps it. */
import type { ApiRequestDetail, ProviderCallDetail } from "../../../src/logs/log-objects.ts";
import { formatInstant } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { source } from "./parts.ts";
import type { Visit } from "./visit.ts";

type Detail = ApiRequestDetail | ProviderCallDetail;

/** Why there is nothing to show; undefined where there is something. */
function absence({ say, language }: Visit, detail: Detail): string | undefined {
  if (detail.request !== null || detail.response !== null) return undefined;
  if (detail.bodies_purged_at !== null)
    return say("bodies purged", { when: formatInstant(language, detail.bodies_purged_at) });
  if (detail.bodies_unreadable) return say("bodies unreadable");
  if ("bodies_withheld" in detail && detail.bodies_withheld) return say("bodies withheld");
  return say("nothing kept");
}

/** Both sides, or why they are not there. */
export function bodySections(visit: Visit, detail: Detail): Markup {
  const why = absence(visit, detail);
  if (why !== undefined) return html`<section><p class="empty">${why}</p></section>`;
  const { say } = visit;
  const side = (heading: string, value: unknown) =>
    value !== null && html`<section><h2>${heading}</h2>${source(value)}</section>`;
  return html`${side(say("request"), detail.request)}${side(say("answer"), detail.response)}`;
}
