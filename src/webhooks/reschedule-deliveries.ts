/** Makes deliveries due that a clock running ahead has put off, once it is set back (docs/contract.md#clock-jumps). */
import { rescheduleDeliveries } from "../../storage/webhooks/delivery-queue.ts";
import { findEnabledEndpoints } from "../../storage/webhooks/webhooks.ts";
import { repeatInPortions } from "../foundation/in-portions.ts";
import type { Context } from "../journal/context.ts";
import { longestDelayMs } from "./retry-schedule.ts";

/** Rows per write, which takes a few milliseconds. */
const BATCH = 1000;

/**
 * Makes first attempts due, and retries that are later than any delay of the schedule. `wasSetBack`: the clock was seen to be
 * set back, so every delivery that waits becomes due.
 */
export async function rescheduleAfterClockJump(
  { config, store, clock }: Pick<Context, "config" | "store" | "clock">,
  wasSetBack = false,
): Promise<void> {
  const delayMsMax = wasSetBack ? 0 : longestDelayMs(config.webhooks.delaysSeconds);
  const far = new Date(clock.nowMs() + delayMsMax).toISOString();
  for (const { id: endpointId } of await findEnabledEndpoints(store.read)) {
    await repeatInPortions(store, BATCH, (trx) =>
      rescheduleDeliveries(trx, {
        endpointId,
        far,
        limit: BATCH,
        now: new Date(trx.clockMs).toISOString(),
      }),
    );
  }
}
