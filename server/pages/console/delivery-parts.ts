/** Table columns for webhook deliveries. */
import { TEXTS } from "./messages.ts";
import type { WebhookDeliveryObject } from "../../../src/webhooks/endpoint-object.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { badge, type Column, idLink } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** The number of attempts, and the status or error of the last one. */
function lastAttempt({ attempts }: WebhookDeliveryObject): Markup | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const status = last.status === null ? "" : String(last.status);
  return html`${attempts.length}: ${status} ${last.error !== null && html`<span class="soft" lang="en">${last.error.message}</span>`}`;
}

/** `isOfOne` leaves out the endpoint's column, on the page of an endpoint. */
export function deliveryColumns(
  { translate, language }: Visit,
  isOfOne: boolean,
): Column<WebhookDeliveryObject>[] {
  const endpointColumn: Column<WebhookDeliveryObject> = {
    head: translate(TEXTS.endpoint),
    cell: ({ endpoint }) => idLink("webhooks", endpoint),
  };
  return [
    { head: translate(TEXTS.created), cell: ({ created }) => timeOf(language, created) },
    {
      head: translate(TEXTS.event),
      cell: ({ event }) => idLink("events", event),
    },
    ...(isOfOne ? [] : [endpointColumn]),
    { head: translate(TEXTS.status), cell: ({ status }) => badge(translate, status) },
    { head: translate(TEXTS.attempts), cell: lastAttempt },
    { head: translate(TEXTS.nextAttempt), cell: ({ next_attempt_at: at }) => timeOf(language, at) },
  ];
}
