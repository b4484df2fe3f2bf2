/** Claims due deliveries for one process, as many as it has free slots for. */
import { type DueEndpoint, findDueEndpoints } from "../../storage/webhooks/delivery-queue.ts";
import { sortById } from "../../storage/database/lists.ts";
import { findEndpointRow } from "../../storage/webhooks/webhooks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Context } from "../journal/context.ts";
import { claimWork, dueIn } from "../work/claim.ts";
import { deliveriesOf } from "../work/kinds.ts";
import type { Claimed } from "./deliver.ts";
import type { Slots } from "./delivery-slots.ts";

/** The slots taken for an endpoint that has due deliveries. */
interface Reservation {
  endpointId: string;
  count: number;
}

/**
 * Returns a function that claims due deliveries. Each of them has a slot, which the caller frees once the attempt has ended.
 * Calls must not overlap.
 */
export function createDeliveryClaimer(
  context: Context,
  slots: Slots,
  alive: () => Iterable<string>,
): () => Promise<Claimed[]> {
  const kind = deliveriesOf(context.config);
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
        claimed = await context.store.write((trx) => claimReserved(trx, kind, reservations, alive()));
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
  kind: ReturnType<typeof deliveriesOf>,
  reservations: readonly Reservation[],
  alive: Iterable<string>,
): Promise<Claimed[]> {
  const [firstDelaySeconds = 0] = kind.delaysSeconds;
  const firstDue = dueIn(trx, -firstDelaySeconds * 1000);
  const claimed: Claimed[] = [];
  for (const { endpointId, count: limit } of reservations) {
    // Read again inside the write: it may have been disabled, or have a new address or secret.
    const endpoint = await findEndpointRow(trx, endpointId);
    if (endpoint?.status !== "enabled") continue;
    const rows = await claimWork(trx, kind, { endpointId, firstDue }, { limit, alive });
    // In the order of their events.
    for (const delivery of sortById(rows)) claimed.push({ delivery, endpoint });
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
