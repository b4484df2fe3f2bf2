/** One delivery: its event signed and posted, and what came of it written down. */
import type { DeliveryRow } from "../../storage/deliveries.ts";
import { closeDelivery, releaseDelivery } from "../../storage/delivery-queue.ts";
import { findEvent } from "../../storage/events.ts";
import type { EndpointRow } from "../../storage/webhooks.ts";
import type { Context } from "../journal/context.ts";
import { eventText } from "../journal/event-object.ts";
import { API_VERSION } from "../foundation/version.ts";
import { signingSecrets } from "./secrets.ts";
import type { Sender } from "./sender.ts";
import { disableEndpoint, type Settled, settleAttempt } from "./settle-delivery.ts";
import { signatureHeaders } from "./signature.ts";

const HEADERS = { "content-type": "application/json", "user-agent": `fiscal/${API_VERSION}` };

/** A delivery, and the claim that it is held by. */
export interface Claimed {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
  owner: string;
}

export interface Delivered {
  settled: Settled;
  /** How long the receiver took; undefined where it was not asked, or cut off by us. */
  exchangeMs: number | undefined;
}

/** Never throws for what a network or a receiver can do; throws what storage does, and leaves the claim to the rescuer. */
export async function deliver(context: Context, sender: Sender, claimed: Claimed): Promise<Delivered> {
  const { store, clock } = context;
  const { delivery, endpoint, owner } = claimed;
  const event = await findEvent(store.read, delivery.event_id);
  if (event === undefined) {
    // Events may be kept for a shorter time than deliveries: then there is nothing left to send.
    await store.write((trx) => closeDelivery(trx, { id: delivery.id, owner, status: "failed" }));
    context.log.warn(
      { delivery: delivery.id },
      "the event of a delivery is no longer kept; it cannot be sent",
    );
    return { settled: "done", exchangeMs: undefined };
  }
  const body = eventText(event);
  const nowMs = clock.nowMs();
  const secrets = signingSecrets(store.cipher, endpoint.id, endpoint.secrets, nowMs);
  if (secrets === undefined) return { settled: await giveUp(context, claimed), exchangeMs: undefined };
  const signed = signatureHeaders(secrets, { id: event.id, body, atSeconds: Math.floor(nowMs / 1000) });
  const started = performance.now();
  const post = { mode: endpoint.mode, url: endpoint.url, headers: { ...HEADERS, ...signed }, body };
  const answer = await sender.post(post, context.cut);
  if (answer.kind === "stopped") {
    await store.write((trx) => releaseDelivery(trx, { id: delivery.id, owner, due: clock.now() }));
    return { settled: "done", exchangeMs: undefined };
  }
  const exchangeMs = Math.round(performance.now() - started);
  const at = new Date(nowMs).toISOString();
  const settled = await settleAttempt(context, { delivery, owner, at, durationMs: exchangeMs, answer });
  return { settled, exchangeMs };
}

/** An endpoint whose secrets cannot be opened can be sent nothing: a new secret and a replay mend it. */
async function giveUp(context: Context, { delivery, endpoint, owner }: Claimed): Promise<Settled> {
  context.log.error(
    { endpoint: endpoint.id },
    "the secrets of a webhook endpoint cannot be opened; it is disabled: rotate its secret, enable it and replay",
  );
  return context.store.write(async (trx) => {
    await closeDelivery(trx, { id: delivery.id, owner, status: "held" });
    return disableEndpoint(trx, endpoint.id, "secret_unreadable");
  });
}
