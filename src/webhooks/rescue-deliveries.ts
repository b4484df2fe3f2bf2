/** Releases deliveries whose process ended before it recorded their result. */
import { findExpiredDeliveryClaims, releaseDelivery } from "../../storage/webhooks/delivery-queue.ts";
import type { Context } from "../journal/context.ts";
import { deliveryLeaseMs } from "./delivery-claims.ts";
import { holdRemaining } from "./endpoints.ts";

/** Claims per call, so that a large crash is repaired in several short writes. */
const RESCUED_MAX = 500;

/**
 * Releases expired claims, so that their deliveries are attempted again. The claims of `aliveOwners` are in progress in this
 * process, regardless of the clock. Returns how many it released.
 */
export async function rescueDeliveries(context: Context, aliveOwners: ReadonlySet<string>): Promise<number> {
  const { store, clock, config } = context;
  const far = new Date(clock.nowMs() + 2 * deliveryLeaseMs(config)).toISOString();
  const expired = await findExpiredDeliveryClaims(store.read, { now: clock.now(), far, limit: RESCUED_MAX });
  const dead = expired.filter(({ owner }) => !aliveOwners.has(owner));
  if (dead.length > 0) {
    await store.write(async (trx) => {
      const due = new Date(trx.clockMs).toISOString();
      for (const claim of dead) await releaseDelivery(trx, { ...claim, due });
    });
  }
  await holdRemaining(context);
  return dead.length;
}
