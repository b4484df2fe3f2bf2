/** How deliveries to webhook endpoints are listed. */
import type { WebhookDeliveryObject } from "../../../src/webhooks/endpoint-object.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { badge, type Column } from "./parts.ts";
import type { Visit } from "./visit.ts";

/** What came of the last attempt: a status, or why there was none. */
function lastAttempt({ attempts }: WebhookDeliveryObject): Markup | undefined {
  const last = attempts.at(-1);
  if (last === undefined) return undefined;
  const status = last.status === null ? "" : String(last.status);
  return html`${attempts.length}: ${status} ${last.error !== null && html`<span class="soft" lang="en">${last.error.message}</span>`}`;
}

/** `isOfOne`: on the page of an endpoint, which goes without saying there. */
export function deliveryColumns({ say, language }: Visit, isOfOne: boolean): Column<WebhookDeliveryObject>[] {
  const endpointColumn: Column<WebhookDeliveryObject> = {
    head: say("endpoint"),
    cell: ({ endpoint }) => html`<a href="/console/webhooks/${endpoint}"><code>${endpoint}</code></a>`,
  };
  return [
    { head: say("created"), cell: ({ created }) => timeOf(language, created) },
    {
      head: say("event"),
      cell: ({ event }) => html`<a href="/console/events/${event}"><code>${event}</code></a>`,
    },
    ...(isOfOne ? [] : [endpointColumn]),
    { head: say("status"), cell: ({ status }) => badge(say, status) },
    { head: say("attempts"), cell: lastAttempt },
    { head: say("next attempt"), cell: ({ next_attempt_at: at }) => timeOf(language, at) },
  ];
}
