/** Claims due deliveries for one process, as many as it has free slots for. */
import { randomUUID } from "node:crypto";
import { claimDeliveries, hasDueDelivery } from "../../storage/delivery-queue.ts";
import { findEnabledEndpoints, findEndpointRow } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
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
  let round = 0;
  return async () => {
    round += 1;
    const reservations: Reservation[] = [];
    let claimed: Claimed[] = [];
    try {
      await reserveSlots(context, slots, round, reservations);
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

/**
 * Takes slots for endpoints with due deliveries, and adds them to `reservations`, which is complete even after an error. It
 * uses the read connection, so that an idle queue takes no write lock, and starts with a different endpoint in each round,
 * so that none is always last.
 */
async function reserveSlots(
  { store, clock }: Context,
  slots: Slots,
  round: number,
  reservations: Reservation[],
): Promise<void> {
  const endpoints = await findEnabledEndpoints(store.read);
  for (let step = 0; step < endpoints.length; step += 1) {
    const { id, failures } = endpoints[(round + step) % endpoints.length]!;
    const isFailing = failures > 0;
    if (slots.free(id, isFailing) === 0) continue;
    if (!(await hasDueDelivery(store.read, id, clock.now()))) continue;
    // Counted again, because attempts may have ended during the query.
    const count = slots.free(id, isFailing);
    slots.take(id, count);
    reservations.push({ endpointId: id, count });
  }
}

async function claimReserved(
  trx: Transaction,
  config: Context["config"],
  reservations: readonly Reservation[],
): Promise<Claimed[]> {
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
