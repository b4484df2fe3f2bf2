/** Shows the request and response bodies of a log entry. */
import { TEXTS } from "./messages.ts";
import type { ApiRequestDetail, ProviderCallDetail } from "../../../src/logs/log-objects.ts";
import { formatInstant } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { source } from "./parts.ts";
import type { Visit } from "./visit.ts";

type Detail = ApiRequestDetail | ProviderCallDetail;

/** Why there are no bodies; undefined if there are. */
function absence({ translate, language }: Visit, detail: Detail): string | undefined {
  if (detail.request !== null || detail.response !== null) return undefined;
  if (detail.bodies_purged_at !== null)
    return translate(TEXTS.bodiesPurged(formatInstant(language, detail.bodies_purged_at)));
  if (detail.bodies_unreadable) return translate(TEXTS.bodiesUnreadable);
  if ("bodies_withheld" in detail && detail.bodies_withheld) return translate(TEXTS.bodiesWithheld);
  return translate(TEXTS.noBodies);
}

/** Both bodies, or the reason why they are missing. */
export function bodySections(visit: Visit, detail: Detail): Markup {
  const why = absence(visit, detail);
  if (why !== undefined) return html`<section><p class="empty">${why}</p></section>`;
  const { translate } = visit;
  const side = (heading: string, value: unknown) =>
    value !== null && html`<section><h2>${heading}</h2>${source(value)}</section>`;
  return html`${side(translate(TEXTS.request), detail.request)}${side(translate(TEXTS.response), detail.response)}`;
}
