/** Queues a delivery of each new event to every endpoint that subscribes to its type, in the same write. */
import type { EventType } from "../../storage/stored-values.ts";
import type { NewDelivery } from "../../storage/webhooks/deliveries.ts";
import type { EndpointInterest } from "../../storage/webhooks/webhooks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { readJson } from "../foundation/json.ts";

/** Subscribes to all types, including future ones. */
export const EVERY_EVENT = "*";

/** An event to deliver. */
export interface EventToDeliver {
  id: string;
  type: EventType;
  documentId: string | null;
}

/** Parsed subscriptions by their JSON, which is the same few texts for every event. */
const parsed = new Map<string, ReadonlySet<string>>();
const PARSED_MAX = 1000;

/** Whether an endpoint subscribes to the type. */
export function subscribesTo(enabledEventsJson: string, type: EventType): boolean {
  let types = parsed.get(enabledEventsJson);
  if (types === undefined) {
    if (parsed.size >= PARSED_MAX) parsed.clear();
    types = new Set(readJson<string[]>(enabledEventsJson));
    parsed.set(enabledEventsJson, types);
  }
  return types.has(EVERY_EVENT) || types.has(type);
}

/** The deliveries of an event to the endpoints that subscribe to its type. */
export function deliveriesOf(
  trx: Transaction,
  endpoints: readonly EndpointInterest[],
  event: EventToDeliver,
): NewDelivery[] {
  return endpoints
    .filter((endpoint) => subscribesTo(endpoint.enabled_events_json, event.type))
    .map((endpoint) => deliveryTo(trx, endpoint, event));
}

/** A delivery of the event: due now, or held if the endpoint is disabled (docs/contract.md#failing-endpoints). */
export function deliveryTo(
  trx: Transaction,
  endpoint: Pick<EndpointInterest, "id" | "status">,
  event: Pick<EventToDeliver, "id" | "documentId">,
): NewDelivery {
  const isEnabled = endpoint.status === "enabled";
  if (isEnabled) trx.announce("deliveries");
  return {
    id: trx.newId("whd"),
    endpoint_id: endpoint.id,
    event_id: event.id,
    document_id: event.documentId,
    status: isEnabled ? "pending" : "held",
    due_at: isEnabled ? new Date(trx.clockMs).toISOString() : null,
    created_at: trx.now,
  };
}
