/** One delivery: its event signed and posted, and what came of it written down. */
import type { DeliveryRow } from "../../storage/deliveries.ts";
import { releaseDelivery, settleDelivery } from "../../storage/delivery-queue.ts";
import { findEvent } from "../../storage/events.ts";
import type { EndpointRow } from "../../storage/webhooks.ts";
import type { Context } from "../context.ts";
import { eventText } from "../events/object.ts";
import { API_VERSION } from "../version.ts";
import { signingSecrets } from "./secrets.ts";
import type { Sender } from "./sender.ts";
import { type Settled, settleAttempt } from "./settle.ts";
import { signatureHeaders } from "./signature.ts";

const HEADERS = { "content-type": "application/json", "user-agent": `fiscal/${API_VERSION}` };

export interface Delivered {
  settled: Settled;
  /** An answer came, whatever it said. */
  isAnswered: boolean;
}

/** Never throws for what a network or a receiver can do; throws what storage does, and leaves the claim to the rescuer. */
export async function deliver(
  context: Context,
  sender: Sender,
  { delivery, endpoint, owner }: { delivery: DeliveryRow; endpoint: EndpointRow; owner: string },
): Promise<Delivered> {
  const { store, clock } = context;
  const event = await findEvent(store.read, delivery.event_id);
  if (event === undefined) {
    // Events may be kept for a shorter time than deliveries: then there is nothing left to send.
    const { id, tries, attempts } = delivery;
    await store.write((trx) =>
      settleDelivery(trx, { id, owner, status: "failed", tries, attempts, nextAt: null }),
    );
    context.log.warn({ delivery: id }, "the event of a delivery is no longer kept; it cannot be sent");
    return { settled: "done", isAnswered: false };
  }
  const body = eventText(event);
  const nowMs = clock.nowMs();
  const secrets = signingSecrets(store.cipher, endpoint.id, endpoint.secrets, nowMs);
  const signed = signatureHeaders(secrets, { id: event.id, body, atSeconds: Math.floor(nowMs / 1000) });
  const started = performance.now();
  const post = { mode: endpoint.mode, url: endpoint.url, headers: { ...HEADERS, ...signed }, body };
  const answer = await sender.post(post, context.cut);
  if (answer.kind === "stopped") {
    await store.write((trx) => releaseDelivery(trx, { id: delivery.id, owner, due: clock.now() }));
    return { settled: "done", isAnswered: false };
  }
  const durationMs = Math.round(performance.now() - started);
  const at = new Date(nowMs).toISOString();
  const settled = await settleAttempt(context, { delivery, owner, at, durationMs, answer });
  return { settled, isAnswered: answer.kind === "answered" };
}
