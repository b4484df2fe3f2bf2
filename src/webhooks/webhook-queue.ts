/**
 * The delivery queue of one process: claims due deliveries, sends them, and records the results. Several processes may share a
 * database: a claim is a guarded statement with a lease, and an attempt whose process died is repeated.
 */
import { createPoke } from "../foundation/poke.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { type Claimed, deliver } from "./deliver.ts";
import { createDeliveryClaimer, createSlots } from "./delivery-claims.ts";
import { holdPending } from "./endpoints.ts";
import { createSender, type Sender } from "./sender.ts";
import { createWebhookGuard } from "./endpoint-input.ts";

export interface WebhookQueue {
  /** Looks for work now, without waiting. */
  poke(): void;
  /** Works until nothing is due or in progress. */
  settleAll(): Promise<void>;
  /** The claims of the attempts in progress. */
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
