/** Claims due deliveries for one process, as many as it has free slots for. */
import { randomUUID } from "node:crypto";
import {
  claimDeliveries,
  type DueEndpoint,
  findDueEndpoints,
} from "../../storage/webhooks/delivery-queue.ts";
import { findEndpointRow } from "../../storage/webhooks/webhooks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Context } from "../journal/context.ts";
import type { Claimed } from "./deliver.ts";
import type { Slots } from "./delivery-slots.ts";

/** Allows an attempt more than its timeout: for the claim, recording the result, and a busy machine. */
const LEASE_MARGIN_MS = 10_000;

/** How long a claim is valid: longer than its attempt can take, so that only claims of dead processes expire. */
export function deliveryLeaseMs({ webhooks }: Context["config"]): number {
  return webhooks.timeoutSeconds * 1000 + LEASE_MARGIN_MS;
}

/** The slots taken for an endpoint that has due deliveries. */
interface Reservation {
  endpointId: string;
  count: number;
}

/**
 * Returns a function that claims due deliveries. Each of them has a slot, which the caller frees once the attempt has ended.
 * Calls must not overlap.
 */
export function createDeliveryClaimer(context: Context, slots: Slots): () => Promise<Claimed[]> {
  let firstOfRound = "";
  return async () => {
    // With the read connection, so that an idle queue takes no write lock.
    const due = await findDueEndpoints(context.store.read, context.clock.now());
    const endpoints = startingAfter(firstOfRound, due);
    firstOfRound = endpoints[0]?.id ?? firstOfRound;
    const reservations = reserveSlots(slots, endpoints);
    let claimed: Claimed[] = [];
    try {
      if (reservations.length > 0)
        claimed = await context.store.write(
          (trx) => claimReserved(trx, context.config, reservations),
          "after",
        );
      return claimed;
    } finally {
      giveBackUnused(slots, reservations, claimed);
    }
  };
}

/** `endpoints` from the one after `id` on: each round starts with a different one, so that none is always last. */
function startingAfter(id: string, endpoints: readonly DueEndpoint[]): DueEndpoint[] {
  const at = endpoints.findIndex((endpoint) => endpoint.id > id);
  return [...endpoints.slice(Math.max(at, 0)), ...endpoints.slice(0, Math.max(at, 0))];
}

/** Takes slots for `endpoints`, which have due deliveries. */
function reserveSlots(slots: Slots, endpoints: readonly DueEndpoint[]): Reservation[] {
  const reservations: Reservation[] = [];
  for (const { id, failures } of endpoints) {
    const count = slots.free(id, failures > 0);
    if (count === 0) continue;
    slots.take(id, count);
    reservations.push({ endpointId: id, count });
  }
  return reservations;
}

async function claimReserved(
  trx: Transaction,
  config: Context["config"],
  reservations: readonly Reservation[],
): Promise<Claimed[]> {
  // It may have been held since the endpoints were read.
  if (trx.isHeld) return [];
  const [firstDelaySeconds = 0] = config.webhooks.delaysSeconds;
  const owner = randomUUID();
  const leaseUntil = new Date(trx.clockMs + deliveryLeaseMs(config)).toISOString();
  const due = new Date(trx.clockMs).toISOString();
  const firstDue = new Date(trx.clockMs - firstDelaySeconds * 1000).toISOString();
  const claimed: Claimed[] = [];
  for (const { endpointId, count: limit } of reservations) {
    // Read again inside the write: it may have been disabled, or have a new address or secret.
    const endpoint = await findEndpointRow(trx, endpointId);
    if (endpoint?.status !== "enabled") continue;
    const rows = await claimDeliveries(trx, { endpointId, due, firstDue, limit, owner, leaseUntil });
    for (const delivery of rows) claimed.push({ delivery, endpoint, owner });
  }
  return claimed;
}

function giveBackUnused(
  slots: Slots,
  reservations: readonly Reservation[],
  claimed: readonly Claimed[],
): void {
  for (const { endpointId, count } of reservations) {
    const used = claimed.filter(({ endpoint }) => endpoint.id === endpointId).length;
    slots.giveBack(endpointId, count - used);
  }
}
