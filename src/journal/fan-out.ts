/** One delivery of an event for each endpoint that asks for its type, in the write that appends the event. */
import type { EventType, Mode } from "../../storage/stored-values.ts";
import { insertDelivery } from "../../storage/deliveries.ts";
import { type EndpointInterest, findEndpointInterests } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
import { readJson } from "../foundation/json.ts";

/** All types, those of the future among them. */
export const EVERY_EVENT = "*";

/** What is to be told. */
export interface EventToTell {
  id: string;
  type: EventType;
  mode: Mode;
  documentId: string | null;
}

/** The parsed types of an endpoint, by their text: the same few texts come with every event. */
const parsed = new Map<string, ReadonlySet<string>>();
const PARSED_MAX = 1000;

/** Whether an endpoint asks for the type. */
export function asksFor(enabledEventsJson: string, type: EventType): boolean {
  let types = parsed.get(enabledEventsJson);
  if (types === undefined) {
    if (parsed.size >= PARSED_MAX) parsed.clear();
    types = new Set(readJson<string[]>(enabledEventsJson));
    parsed.set(enabledEventsJson, types);
  }
  return types.has(EVERY_EVENT) || types.has(type);
}

/** What is for a disabled endpoint is held (decisions 10). */
export async function fanOut(trx: Transaction, event: EventToTell): Promise<void> {
  for (const endpoint of await findEndpointInterests(trx, event.mode)) {
    if (asksFor(endpoint.enabled_events_json, event.type)) await queueDelivery(trx, endpoint, event);
  }
}

/** A new delivery of the event, due now or held. */
export async function queueDelivery(
  trx: Transaction,
  endpoint: Pick<EndpointInterest, "id" | "status">,
  event: Pick<EventToTell, "id" | "documentId">,
): Promise<void> {
  const isEnabled = endpoint.status === "enabled";
  await insertDelivery(trx, {
    id: trx.newId("whd"),
    endpoint_id: endpoint.id,
    event_id: event.id,
    document_id: event.documentId,
    status: isEnabled ? "pending" : "held",
    next_at: isEnabled ? new Date(trx.clockMs).toISOString() : null,
    created_at: trx.now,
  });
  if (isEnabled) trx.tell("deliveries");
}
