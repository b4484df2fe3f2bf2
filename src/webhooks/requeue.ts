/** One event for one endpoint once more: by a replay that names it, or a resend. */
import { findDeliveryOfEvent, requeueDelivery } from "../../storage/deliveries.ts";
import type { EndpointRow } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
import { queueDelivery } from "../journal/fan-out.ts";

/**
 * Queues the event as if it had just happened. A delivery that has not reached the endpoint goes on, so that there is never
 * more than one of them on its way; one that was delivered, or never was to be, becomes a new one. False where it is
 * on its way already.
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
  // It waits for its first attempt already.
  if (known.status === "pending" && known.tries === 0) return false;
  trx.tell("deliveries");
  return requeueDelivery(trx, known.id, new Date(trx.clockMs).toISOString());
}
