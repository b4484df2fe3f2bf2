/** Makes one delivery attempt: signs and sends the event, and records the result. */
import type { DeliveryRow } from "../../storage/webhooks/deliveries.ts";
import { deliveryWork } from "../../storage/webhooks/delivery-queue.ts";
import { findEvent } from "../../storage/journal/events.ts";
import type { EndpointRow } from "../../storage/webhooks/webhooks.ts";
import type { Context } from "../journal/context.ts";
import { eventText } from "../journal/event-object.ts";
import { API_VERSION } from "../foundation/version.ts";
import { signingSecrets, signatureHeaders } from "./signature.ts";
import type { Sender } from "./sender.ts";
import { closeDelivery, disableEndpoint, type Settled, settleAttempt } from "./settle-delivery.ts";

const HEADERS = { "content-type": "application/json", "user-agent": `fiscal/${API_VERSION}` };

/** A claimed delivery. */
export interface Claimed {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
}

/**
 * Never throws because of the network or the receiver. Storage errors are thrown, and the expired claim is rescued later.
 * Calls `onExchanged` with the receiver's response time, when the write of the result is queued but not finished. It is not
 * called if the receiver was not contacted or we cut it off.
 */
export async function deliver(
  context: Context,
  sender: Sender,
  claimed: Claimed,
  onExchanged: (exchangeMs: number) => void,
): Promise<Settled> {
  const { store, clock } = context;
  const { delivery, endpoint } = claimed;
  const event = await findEvent(store.read, { id: delivery.event_id });
  if (event === undefined) {
    // Retention may delete events before their deliveries.
    await store.write((trx) => closeDelivery(trx, delivery, "failed"));
    context.log.warn({ delivery: delivery.id }, "a delivery failed because its event has been deleted");
    return "done";
  }
  const body = eventText(event);
  const nowMs = clock.nowMs();
  const secrets = signingSecrets(store.cipher, endpoint.id, endpoint.secrets, nowMs);
  if (secrets === undefined) return disableUnreadable(context, claimed);
  const signed = signatureHeaders(secrets, { id: event.id, body, atSeconds: Math.floor(nowMs / 1000) });
  const started = performance.now();
  const post = { mode: endpoint.mode, url: endpoint.url, headers: { ...HEADERS, ...signed }, body };
  const outcome = await sender.post(post, context.cut);
  if (outcome.kind === "stopped") {
    const unchanged = { due_at: clock.now(), tries: delivery.tries };
    await store.write((trx) => deliveryWork.settle(trx, delivery, unchanged));
    return "done";
  }
  const exchangeMs = Math.round(performance.now() - started);
  const at = new Date(nowMs).toISOString();
  const settled = settleAttempt(context, { delivery, at, durationMs: exchangeMs, outcome });
  onExchanged(exchangeMs);
  return settled;
}

/** Disables an endpoint whose secrets cannot be decrypted. A new secret and a replay repair it. */
async function disableUnreadable(context: Context, { delivery, endpoint }: Claimed): Promise<Settled> {
  context.log.error(
    { endpoint: endpoint.id },
    "the secrets of a webhook endpoint cannot be decrypted, so it was disabled; rotate its secret, enable it and replay",
  );
  return context.store.write(async (trx) => {
    await closeDelivery(trx, delivery, "held");
    return disableEndpoint(trx, endpoint.id, "secret_unreadable");
  });
}
