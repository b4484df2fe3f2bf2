/** Queues a delivery of each new event to every endpoint that subscribes to its type, in the same write. */
import type { EventType, Mode } from "../../storage/stored-values.ts";
import { insertDelivery } from "../../storage/webhooks/deliveries.ts";
import { type EndpointInterest, findEndpointInterests } from "../../storage/webhooks/webhooks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { readJson } from "../foundation/json.ts";

/** Subscribes to all types, including future ones. */
export const EVERY_EVENT = "*";

/** An event to deliver. */
export interface EventToDeliver {
  id: string;
  type: EventType;
  mode: Mode;
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

/** Deliveries to a disabled endpoint are held (docs/contract.md#failing-endpoints). */
export async function fanOut(trx: Transaction, event: EventToDeliver): Promise<void> {
  for (const endpoint of await findEndpointInterests(trx, event.mode)) {
    if (subscribesTo(endpoint.enabled_events_json, event.type)) await queueDelivery(trx, endpoint, event);
  }
}

/** Inserts a delivery of the event: due now, or held if the endpoint is disabled. */
export async function queueDelivery(
  trx: Transaction,
  endpoint: Pick<EndpointInterest, "id" | "status">,
  event: Pick<EventToDeliver, "id" | "documentId">,
): Promise<void> {
  const isEnabled = endpoint.status === "enabled";
  await insertDelivery(trx, {
    id: trx.newId("whd"),
    endpoint_id: endpoint.id,
    event_id: event.id,
    document_id: event.documentId,
    status: isEnabled ? "pending" : "held",
    due_at: isEnabled ? new Date(trx.clockMs).toISOString() : null,
    created_at: trx.now,
  });
  if (isEnabled) trx.announce("deliveries");
}
