/** Table columns for webhook deliveries. */
import { TEXTS } from "./messages.ts";
import type { WebhookDeliveryObject } from "../../../src/webhooks/endpoint-object.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { badge, type Column } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** The number of attempts, and the status or error of the last one. */
function lastAttempt({ attempts }: WebhookDeliveryObject): Markup | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const status = last.status === null ? "" : String(last.status);
  return html`${attempts.length}: ${status} ${last.error !== null && html`<span class="soft" lang="en">${last.error.message}</span>`}`;
}

/** `isOfOne` leaves out the endpoint's column, on the page of an endpoint. */
export function deliveryColumns({ say, language }: Visit, isOfOne: boolean): Column<WebhookDeliveryObject>[] {
  const endpointColumn: Column<WebhookDeliveryObject> = {
    head: say(TEXTS.endpoint),
    cell: ({ endpoint }) => html`<a href="/console/webhooks/${endpoint}"><code>${endpoint}</code></a>`,
  };
  return [
    { head: say(TEXTS.created), cell: ({ created }) => timeOf(language, created) },
    {
      head: say(TEXTS.event),
      cell: ({ event }) => html`<a href="/console/events/${event}"><code>${event}</code></a>`,
    },
    ...(isOfOne ? [] : [endpointColumn]),
    { head: say(TEXTS.status), cell: ({ status }) => badge(say, status) },
    { head: say(TEXTS.attempts), cell: lastAttempt },
    { head: say(TEXTS.nextAttempt), cell: ({ next_attempt_at: at }) => timeOf(language, at) },
  ];
}
