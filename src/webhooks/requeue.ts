/** Queues one event for one endpoint again, for replays of given events and for resends. */
import { findDeliveryOfEvent, requeueDelivery } from "../../storage/webhooks/deliveries.ts";
import type { EndpointRow } from "../../storage/webhooks/webhooks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { queueDelivery } from "../journal/fan-out.ts";

/**
 * Queues the event as if it had just happened. An undelivered delivery is queued again, so that there is never more than one
 * in progress; otherwise a new delivery is created. False if the event is already waiting for its first attempt.
 */
export async function requeueEvent(
  trx: Transaction,
  endpoint: Pick<EndpointRow, "id" | "status">,
  event: { id: string; documentId: string | null },
): Promise<boolean> {
  const known = await findDeliveryOfEvent(trx, { endpointId: endpoint.id, eventId: event.id });
  if (known === undefined || known.status === "delivered") {
    await queueDelivery(trx, endpoint, event);
    return true;
  }
  if (known.status === "pending" && known.tries === 0) return false;
  trx.announce("deliveries");
  return requeueDelivery(trx, known.id, new Date(trx.clockMs).toISOString());
}
