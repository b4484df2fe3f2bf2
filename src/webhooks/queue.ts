/**
 * The delivery queue of one process: claims what is due, posts it, settles what came of it. Several processes may work one
 * database: a claim is a guarded statement with a lease, and an attempt whose process died is made again.
 */
import { randomUUID } from "node:crypto";
import type { DeliveryRow } from "../../storage/deliveries.ts";
import {
  claimDeliveries,
  findExpiredDeliveries,
  hasDueDelivery,
  releaseDelivery,
} from "../../storage/delivery-queue.ts";
import { type EndpointRow, findEnabledEndpoints, findEndpointRow } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../context.ts";
import { isHeld } from "../held.ts";
import { deliver } from "./deliver.ts";
import { holdPending } from "./endpoints.ts";
import { createNetworkGuard } from "./network-guard.ts";
import { createPlaces } from "./places.ts";
import { createSender } from "./sender.ts";

export interface WebhookQueue {
  /** Looks for work now. Never waits. */
  poke(): void;
  /** Works until nothing is due and nothing is under way. */
  settleAll(): Promise<void>;
  /** Takes back what dead processes held; answers how many. */
  rescue(): Promise<number>;
  /** Claims nothing more, and resolves once everything under way has ended, which `context.cut` hastens. */
  stop(): Promise<void>;
}

/** How long an attempt may go on beside its timeout: the claim, the write of what came of it, a busy machine. */
const LEASE_MARGIN_MS = 10_000;
const RESCUED_MAX = 500;

interface Claimed {
  delivery: DeliveryRow;
  endpoint: EndpointRow;
  owner: string;
}

/** An endpoint with something due, and the places taken for it. */
interface Wanted {
  id: string;
  limit: number;
}

export function createWebhookQueue(context: Context): WebhookQueue {
  const { config, store, log, clock } = context;
  const timeoutMs = config.webhooks.timeoutSeconds * 1000;
  const places = createPlaces(config.webhooks.concurrency);
  const sender = createSender({
    guard: createNetworkGuard(config.webhooks.allowNetworks),
    timeoutMs,
    connections: config.webhooks.concurrency,
  });
  /** What is being posted, with the claim that it is held by. */
  const underWay = new Map<Promise<void>, string>();
  let looking: Promise<void> | undefined;
  let looks = 0;
  let isPoked = false;
  let isStopping = false;

  function poke(): void {
    isPoked = true;
    if (isStopping || looking !== undefined) return;
    looking = look().finally(() => {
      looking = undefined;
      if (isPoked && !isStopping) poke();
    });
  }

  async function look(): Promise<void> {
    try {
      while (isPoked && !isStopping) {
        isPoked = false;
        // Whoever frees a place pokes again.
        if (!places.isAnyFree() || (await isHeld(store.read))) return;
        for (const claimed of await claim()) start(claimed);
      }
    } catch (error) {
      log.error({ error: String(error) }, "the delivery queue could not be read; trying again");
    }
  }

  /**
   * Endpoints with something due and a free place, which is taken for them. Looks through the reader's connection first: an
   * idle queue takes no write lock. Each look begins with another endpoint, so that none is always the last.
   */
  async function findDue(): Promise<Wanted[]> {
    const wanted: Wanted[] = [];
    const endpoints = await findEnabledEndpoints(store.read);
    looks += 1;
    for (let step = 0; step < endpoints.length; step += 1) {
      const { id } = endpoints[(looks + step) % endpoints.length]!;
      const limit = places.free(id);
      if (limit === 0 || !(await hasDueDelivery(store.read, id, clock.now()))) continue;
      places.take(id, limit);
      wanted.push({ id, limit });
    }
    return wanted;
  }

  async function claim(): Promise<Claimed[]> {
    const wanted = await findDue();
    if (wanted.length === 0) return [];
    let claimed: Claimed[] = [];
    try {
      claimed = await store.write((trx) => claimAll(trx, wanted));
      return claimed;
    } finally {
      for (const { id, limit } of wanted) {
        const begun = claimed.filter(({ endpoint }) => endpoint.id === id).length;
        places.giveBack(id, limit - begun);
      }
    }
  }

  async function claimAll(trx: Transaction, wanted: readonly Wanted[]): Promise<Claimed[]> {
    const owner = randomUUID();
    const leaseUntil = new Date(trx.clockMs + timeoutMs + LEASE_MARGIN_MS).toISOString();
    const due = new Date(trx.clockMs).toISOString();
    const found: Claimed[] = [];
    for (const { id, limit } of wanted) {
      // As it is inside the write: it may have been disabled, or given another address or secret.
      const endpoint = await findEndpointRow(trx, id);
      if (endpoint?.status !== "enabled") continue;
      const rows = await claimDeliveries(trx, { endpointId: id, due, limit, owner, leaseUntil });
      for (const delivery of rows) found.push({ delivery, endpoint, owner });
    }
    return found;
  }

  /** Answers whether any answer came. What storage throws leaves the claim to the rescuer. */
  async function work(claimed: Claimed): Promise<boolean> {
    try {
      const { settled, isAnswered } = await deliver(context, sender, claimed);
      if (settled === "endpoint_disabled") await holdPending(context, claimed.endpoint.id);
      return isAnswered;
    } catch (error) {
      const delivery = claimed.delivery.id;
      log.error({ delivery, error: String(error) }, "a delivery was left to the rescuer");
      return false;
    }
  }

  function start(claimed: Claimed): void {
    const started = performance.now();
    const working: Promise<void> = work(claimed).then((isAnswered) => {
      underWay.delete(working);
      places.ended(claimed.endpoint.id, performance.now() - started, isAnswered);
      return poke();
    });
    underWay.set(working, claimed.owner);
  }

  return {
    poke,
    async settleAll() {
      poke();
      while (looking !== undefined || underWay.size > 0) {
        await looking;
        await Promise.all(underWay.keys());
      }
    },
    async rescue() {
      // What this process holds is not dead, whatever the clock says.
      const alive = new Set(underWay.values());
      const expired = await findExpiredDeliveries(store.read, clock.now(), RESCUED_MAX);
      const dead = expired.filter(({ owner }) => !alive.has(owner));
      if (dead.length === 0) return 0;
      await store.write(async (trx) => {
        const due = new Date(trx.clockMs).toISOString();
        for (const lost of dead) await releaseDelivery(trx, { ...lost, due });
      });
      return dead.length;
    },
    async stop() {
      isStopping = true;
      await looking;
      await Promise.all(underWay.keys());
      await sender.close();
    },
  };
}
