/**
 * The delivery queue of one process: claims due deliveries, sends them, and records the results. Several processes may share a
 * database: a claim is a guarded statement with a lease, and an attempt whose process died is repeated.
 */
import { randomUUID } from "node:crypto";
import {
  claimDeliveries,
  findExpiredDeliveryClaims,
  hasDueDelivery,
  rescheduleDeliveries,
  releaseDelivery,
} from "../../storage/delivery-queue.ts";
import { findEnabledEndpoints, findEndpointRow } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { createPoke } from "../foundation/poke.ts";
import { repeatInPortions } from "../foundation/in-portions.ts";
import { type Claimed, deliver } from "./deliver.ts";
import { holdPending, holdRemaining } from "./endpoints.ts";
import { createNetworkGuard } from "./network-guard.ts";
import { createSlots } from "./delivery-slots.ts";
import { createSender } from "./sender.ts";

export interface WebhookQueue {
  /** Looks for work now, without waiting. */
  poke(): void;
  /** Works until nothing is due or in progress. */
  settleAll(): Promise<void>;
  /** Releases the expired claims of dead processes; returns how many. */
  rescue(): Promise<number>;
  /** Reschedules deliveries that were put off while the clock ran ahead; all if this process saw it being set back. */
  rescheduleAfterClockJump(wasSetBack?: boolean): Promise<void>;
  /** Stops claiming, and resolves once all attempts in progress have ended; `context.cut` cuts them off. */
  stop(): Promise<void>;
}

/** What an attempt may take beyond its timeout: the claim, recording the result, a busy machine. */
const LEASE_MARGIN_MS = 10_000;
const RESCUED_MAX = 500;
/** Rows per write, which takes a few milliseconds. */
const BATCH = 1000;

/** An endpoint with due deliveries, and the slots taken for it. */
interface Wanted {
  id: string;
  limit: number;
}

export function createWebhookQueue(context: Context): WebhookQueue {
  const { config, store, log, clock } = context;
  const timeoutMs = config.webhooks.timeoutSeconds * 1000;
  const [firstDelaySeconds = 0] = config.webhooks.delaysSeconds;
  const firstDelayMs = firstDelaySeconds * 1000;
  const slots = createSlots(config.webhooks.concurrency);
  const sender = createSender({
    guard: createNetworkGuard(config.webhooks.allowNetworks),
    timeoutMs,
    connections: config.webhooks.concurrency,
  });
  /** The attempts in progress, with the owners of their claims. */
  const inProgress = new Map<Promise<void>, string>();
  let looks = 0;
  const { poke, running, stop } = createPoke(look);

  async function look(): Promise<void> {
    if (!slots.isAnyFree()) return;
    try {
      if (await isHeld(store.read)) return;
      for (const claimed of await claim()) start(claimed);
    } catch (error) {
      if (!isReportedAlready(error))
        log.error({ error: String(error) }, "could not read the delivery queue; trying again");
    }
  }

  async function claim(): Promise<Claimed[]> {
    const wanted: Wanted[] = [];
    let claimed: Claimed[] = [];
    try {
      await findDue(wanted);
      if (wanted.length > 0) claimed = await store.write((trx) => claimAll(trx, wanted));
      return claimed;
    } finally {
      for (const { id, limit } of wanted) {
        const begun = claimed.filter(({ endpoint }) => endpoint.id === id).length;
        slots.giveBack(id, limit - begun);
      }
    }
  }

  /**
   * Finds endpoints with due deliveries and free slots, and takes the slots. It uses the read connection, so that an
   * idle queue takes no write lock, and starts with a different endpoint each time, so that none is always last.
   */
  async function findDue(wanted: Wanted[]): Promise<void> {
    const endpoints = await findEnabledEndpoints(store.read);
    looks += 1;
    for (let step = 0; step < endpoints.length; step += 1) {
      const { id, failures } = endpoints[(looks + step) % endpoints.length]!;
      if (slots.free(id, failures > 0) === 0) continue;
      if (!(await hasDueDelivery(store.read, id, clock.now()))) continue;
      const limit = slots.free(id, failures > 0);
      slots.take(id, limit);
      wanted.push({ id, limit });
    }
  }

  async function claimAll(trx: Transaction, wanted: readonly Wanted[]): Promise<Claimed[]> {
    const owner = randomUUID();
    const leaseUntil = new Date(trx.clockMs + timeoutMs + LEASE_MARGIN_MS).toISOString();
    const due = new Date(trx.clockMs).toISOString();
    const firstDue = new Date(trx.clockMs - firstDelayMs).toISOString();
    const found: Claimed[] = [];
    for (const { id, limit } of wanted) {
      // Read again inside the write: it may have been disabled, or have a new address or secret.
      const endpoint = await findEndpointRow(trx, id);
      if (endpoint?.status !== "enabled") continue;
      const rows = await claimDeliveries(trx, { endpointId: id, due, firstDue, limit, owner, leaseUntil });
      for (const delivery of rows) found.push({ delivery, endpoint, owner });
    }
    return found;
  }

  /** Returns the receiver's response time. After a storage error, `rescue` releases the claim once it has expired. */
  async function work(claimed: Claimed): Promise<number | undefined> {
    try {
      const { settled, exchangeMs } = await deliver(context, sender, claimed);
      if (settled === "endpoint_disabled") await holdPending(context, claimed.endpoint.id);
      return exchangeMs;
    } catch (error) {
      const delivery = claimed.delivery.id;
      log.error(
        { delivery, error: String(error) },
        "could not record a delivery attempt; the delivery is retried once its claim expires",
      );
      return undefined;
    }
  }

  function start(claimed: Claimed): void {
    const working: Promise<void> = work(claimed).then((exchangeMs) => {
      inProgress.delete(working);
      slots.ended(claimed.endpoint.id, exchangeMs);
      return poke();
    });
    inProgress.set(working, claimed.owner);
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
    async rescue() {
      // The claims of this process are alive, regardless of the clock.
      const alive = new Set(inProgress.values());
      const far = new Date(clock.nowMs() + 2 * (timeoutMs + LEASE_MARGIN_MS)).toISOString();
      const expired = await findExpiredDeliveryClaims(store.read, {
        now: clock.now(),
        far,
        limit: RESCUED_MAX,
      });
      const dead = expired.filter(({ owner }) => !alive.has(owner));
      if (dead.length > 0) {
        await store.write(async (trx) => {
          const due = new Date(trx.clockMs).toISOString();
          for (const lost of dead) await releaseDelivery(trx, { ...lost, due });
        });
      }
      await holdRemaining(context);
      return dead.length;
    },
    async rescheduleAfterClockJump(wasSetBack = false) {
      const delayMsMax = wasSetBack ? 0 : 2 * Math.max(...config.webhooks.delaysSeconds) * 1000;
      const far = new Date(clock.nowMs() + delayMsMax);
      for (const { id } of await findEnabledEndpoints(store.read)) {
        const by = { endpointId: id, far: far.toISOString(), limit: BATCH };
        await repeatInPortions(store, BATCH, (trx) =>
          rescheduleDeliveries(trx, { ...by, now: new Date(trx.clockMs).toISOString() }),
        );
      }
    },
    async stop() {
      await stop();
      await Promise.all(inProgress.keys());
      await sender.close();
    },
  };
}
