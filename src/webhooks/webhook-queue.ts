/**
 * The delivery queue of one process: claims what is due, posts it, settles what came of it. Several processes may work one
 * database: a claim is a guarded statement with a lease, and an attempt whose process died is made again.
 */
import { randomUUID } from "node:crypto";
import {
  claimDeliveries,
  findExpiredDeliveries,
  hasDueDelivery,
  pullForward,
  releaseDelivery,
} from "../../storage/delivery-queue.ts";
import { findEnabledEndpoints, findEndpointRow } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { isToldAlready } from "../journal/disk/disk-space.ts";
import { createPoke } from "../foundation/poke.ts";
import { pullAll } from "../foundation/in-portions.ts";
import { type Claimed, deliver } from "./deliver.ts";
import { holdPending, holdStrays } from "./endpoints.ts";
import { createNetworkGuard } from "./network-guard.ts";
import { createPlaces } from "./delivery-slots.ts";
import { createSender } from "./sender.ts";

export interface WebhookQueue {
  /** Looks for work now. Never waits. */
  poke(): void;
  /** Works until nothing is due and nothing is under way. */
  settleAll(): Promise<void>;
  /** Takes back what dead processes held; answers how many. */
  rescue(): Promise<number>;
  /** Makes due again what was put off while the clock was ahead. */
  putRight(): Promise<void>;
  /** Claims nothing more, and resolves once everything under way has ended, which `context.cut` hastens. */
  stop(): Promise<void>;
}

/** How long an attempt may go on beside its timeout: the claim, the write of what came of it, a busy machine. */
const LEASE_MARGIN_MS = 10_000;
const RESCUED_MAX = 500;
/** Rows in one write: some milliseconds. */
const PORTION = 1000;

/** An endpoint with something due, and the places taken for it. */
interface Wanted {
  id: string;
  limit: number;
}

export function createWebhookQueue(context: Context): WebhookQueue {
  const { config, store, log, clock } = context;
  const timeoutMs = config.webhooks.timeoutSeconds * 1000;
  const [firstDelaySeconds = 0] = config.webhooks.delaysSeconds;
  const firstDelayMs = firstDelaySeconds * 1000;
  const places = createPlaces(config.webhooks.concurrency);
  const sender = createSender({
    guard: createNetworkGuard(config.webhooks.allowNetworks),
    timeoutMs,
    connections: config.webhooks.concurrency,
  });
  /** What is being posted, with the claim that it is held by. */
  const underWay = new Map<Promise<void>, string>();
  let looks = 0;
  const { poke, looking, stop } = createPoke(look);

  async function look(): Promise<void> {
    if (!places.isAnyFree()) return;
    try {
      if (await isHeld(store.read)) return;
      for (const claimed of await claim()) start(claimed);
    } catch (error) {
      if (!isToldAlready(error))
        log.error({ error: String(error) }, "the delivery queue could not be read; trying again");
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
        places.giveBack(id, limit - begun);
      }
    }
  }

  /**
   * Endpoints with something due and a free place, which is taken for them. Looks through the reader's connection first: an
   * idle queue takes no write lock. Each look begins with another endpoint, so that none is always the last.
   */
  async function findDue(wanted: Wanted[]): Promise<void> {
    const endpoints = await findEnabledEndpoints(store.read);
    looks += 1;
    for (let step = 0; step < endpoints.length; step += 1) {
      const { id, failures } = endpoints[(looks + step) % endpoints.length]!;
      if (places.free(id, failures > 0) === 0) continue;
      if (!(await hasDueDelivery(store.read, id, clock.now()))) continue;
      const limit = places.free(id, failures > 0);
      places.take(id, limit);
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
      // As it is inside the write: it may have been disabled, or given another address or secret.
      const endpoint = await findEndpointRow(trx, id);
      if (endpoint?.status !== "enabled") continue;
      const rows = await claimDeliveries(trx, { endpointId: id, due, firstDue, limit, owner, leaseUntil });
      for (const delivery of rows) found.push({ delivery, endpoint, owner });
    }
    return found;
  }

  /** Answers how long the receiver took. What storage throws leaves the claim to the rescuer. */
  async function work(claimed: Claimed): Promise<number | undefined> {
    try {
      const { settled, exchangeMs } = await deliver(context, sender, claimed);
      if (settled === "endpoint_disabled") await holdPending(context, claimed.endpoint.id);
      return exchangeMs;
    } catch (error) {
      const delivery = claimed.delivery.id;
      log.error({ delivery, error: String(error) }, "a delivery was left to the rescuer");
      return undefined;
    }
  }

  function start(claimed: Claimed): void {
    const working: Promise<void> = work(claimed).then((exchangeMs) => {
      underWay.delete(working);
      places.ended(claimed.endpoint.id, exchangeMs);
      return poke();
    });
    underWay.set(working, claimed.owner);
  }

  return {
    poke,
    async settleAll() {
      poke();
      while (looking() !== undefined || underWay.size > 0) {
        await looking();
        await Promise.all(underWay.keys());
      }
    },
    async rescue() {
      // What this process holds is not dead, whatever the clock says.
      const alive = new Set(underWay.values());
      const far = new Date(clock.nowMs() + 2 * (timeoutMs + LEASE_MARGIN_MS)).toISOString();
      const expired = await findExpiredDeliveries(store.read, { now: clock.now(), far, limit: RESCUED_MAX });
      const dead = expired.filter(({ owner }) => !alive.has(owner));
      if (dead.length > 0) {
        await store.write(async (trx) => {
          const due = new Date(trx.clockMs).toISOString();
          for (const lost of dead) await releaseDelivery(trx, { ...lost, due });
        });
      }
      await holdStrays(context);
      return dead.length;
    },
    async putRight() {
      const far = new Date(clock.nowMs() + 2 * Math.max(...config.webhooks.delaysSeconds) * 1000);
      for (const { id } of await findEnabledEndpoints(store.read)) {
        const by = { endpointId: id, far: far.toISOString(), limit: PORTION };
        await pullAll(store, PORTION, (trx) =>
          pullForward(trx, { ...by, now: new Date(trx.clockMs).toISOString() }),
        );
      }
    },
    async stop() {
      await stop();
      await Promise.all(underWay.keys());
      await sender.close();
    },
  };
}
