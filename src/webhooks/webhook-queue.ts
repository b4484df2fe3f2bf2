/**
 * The delivery queue of one process: claims due deliveries, sends them, and records the results. Several processes may share a
 * database: a claim is a guarded statement with a lease, and an attempt whose process died is repeated.
 */
import { createPoke } from "../foundation/turns.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { type Claimed, createDeliveryClaimer, createSlots } from "./delivery-claims.ts";
import { holdPending } from "./endpoints.ts";
import { createSender, type Sender } from "./sender.ts";
import { createWebhookGuard } from "./endpoint-input.ts";
import { deliveryWork } from "../../storage/webhooks/deliveries.ts";
import { findEvent } from "../../storage/journal/events.ts";
import { buildEventObject } from "../journal/event-object.ts";
import { signingSecrets, signatureHeaders } from "./signature.ts";
import { closeDelivery, disableEndpoint, settleAttempt, type Settled } from "./deliveries.ts";

export interface WebhookQueue {
  /** Looks for work now, without waiting. */
  poke(): void;
  settleAll(): Promise<void>;
  alive(): Iterable<string>;
  /** Stops claiming, and resolves once all attempts in progress have ended; `context.cut` cuts them off. */
  stop(): Promise<void>;
}

export function createWebhookQueue(context: Context): WebhookQueue {
  const { config, log } = context;
  const slots = createSlots(config.webhooks.concurrency);
  const sender = createSender({
    guard: createWebhookGuard(config.webhooks.allowNetworks),
    timeoutMs: config.webhooks.timeoutSeconds * 1000,
    connections: config.webhooks.concurrency,
  });
  /** The attempts in progress, with the owners of their claims. */
  const inProgress = new Map<Promise<void>, string>();
  const alive = () => new Set(inProgress.values());
  const claim = createDeliveryClaimer(context, slots, alive);
  const { poke, running, stop } = createPoke(look);

  async function look(): Promise<void> {
    if (!slots.isAnyFree()) return;
    try {
      for (const claimed of await claim()) start(claimed);
    } catch (error) {
      if (!isReportedAlready(error))
        log.error({ error: String(error) }, "could not read the delivery queue; trying again");
    }
  }

  function start(claimed: Claimed): void {
    const { delivery, endpoint } = claimed;
    let hasSlot = true;
    const freeSlot = (exchangeMs?: number) => {
      if (hasSlot) slots.ended(endpoint.id, exchangeMs);
      hasSlot = false;
    };
    // The next claim is made now, so that it shares the commit of this result.
    const onExchanged = (exchangeMs: number) => {
      freeSlot(exchangeMs);
      poke();
    };
    const attempt: Promise<void> = makeAttempt(context, sender, claimed, onExchanged).then(() => {
      inProgress.delete(attempt);
      freeSlot();
      return poke();
    });
    inProgress.set(attempt, delivery.lease_owner ?? "");
  }

  return {
    poke,
    async settleAll() {
      poke();
      while (running() !== undefined || inProgress.size > 0) {
        await running();
        await Promise.all(inProgress.keys());
      }
    },
    alive,
    async stop() {
      await stop();
      await Promise.all(inProgress.keys());
      await sender.close();
    },
  };
}

/** If the result cannot be recorded, the claim expires and is rescued. */
async function makeAttempt(
  context: Context,
  sender: Sender,
  claimed: Claimed,
  onExchanged: (exchangeMs: number) => void,
): Promise<void> {
  try {
    const settled = await deliver(context, sender, claimed, onExchanged);
    if (settled === "endpoint_disabled") await holdPending(context, claimed.endpoint.id);
  } catch (error) {
    context.log.error(
      { delivery: claimed.delivery.id, error: String(error) },
      "could not record a delivery attempt; the delivery is retried once its claim expires",
    );
  }
}

/**
 * Never throws because of the network or the receiver. Storage errors are thrown, and the expired claim is rescued later.
 * Calls `onExchanged` with the receiver's response time, when the write of the result is queued but not finished. It is not
 * called if the receiver was not contacted or we cut it off.
 */
async function deliver(
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
  const body = JSON.stringify(buildEventObject(event));
  const nowMs = clock.nowMs();
  const secrets = signingSecrets(store.cipher, endpoint.id, endpoint.secrets, nowMs);
  if (secrets === undefined) return disableUnreadable(context, claimed);
  const headers = signatureHeaders(secrets, { id: event.id, body, atSeconds: Math.floor(nowMs / 1000) });
  const started = performance.now();
  const { mode, url } = endpoint;
  const outcome = await sender.post({ mode, url, headers, body }, context.cut);
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
