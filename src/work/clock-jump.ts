/**
 * Corrects due times and claims after a jump of the clock (docs/contract.md#clock-jumps): makes due what a clock running ahead has
 * put off, and starts again the waits that one jumping ahead has cut short.
 */
import { repeatInPortions } from "../foundation/yield-to-others.ts";
import type { Context } from "../journal/context.ts";
import { dueIn } from "./claim.ts";
import { allKinds } from "./kinds.ts";
import { longestDelayMs } from "./retry-schedule.ts";

/** Rows per write, which takes a few milliseconds. */
const PORTION = 1000;

/**
 * Makes due what waits or is claimed for longer than its schedule allows. `wasSetBack`: the clock was seen to be set back, so
 * everything that waits becomes due. `alive`: the claims that this process is working on.
 */
export async function rescheduleWork(
  { config, store }: Pick<Context, "config" | "store">,
  wasSetBack: boolean,
  alive: Iterable<string> = [],
): Promise<void> {
  const owners = JSON.stringify([...alive]);
  for (const { table, leaseMs, delaysSeconds, safetyMs, personMs } of allKinds(config)) {
    const [firstSeconds = 0] = delaysSeconds;
    const pausesMs = (scheduledMs: number) => (wasSetBack ? 0 : Math.max(scheduledMs, personMs));
    const firstMs = Math.max(safetyMs, pausesMs(firstSeconds * 1000));
    const retryMs = Math.max(safetyMs, pausesMs(longestDelayMs(delaysSeconds)));
    await repeatInPortions(store, PORTION, async (trx) => {
      if (trx.isHeld) return 0;
      const after = (ms: number) => dueIn(trx, ms);
      return table.reschedule(trx, {
        due: after(safetyMs),
        firstMax: after(firstMs),
        retryMax: after(retryMs),
        leaseMax: after(2 * leaseMs),
        alive: owners,
        limit: PORTION,
      });
    });
  }
}

/** Makes what must wait for a while wait for that long from now on. */
export async function restartSafetyPauses({
  config,
  store,
}: Pick<Context, "config" | "store">): Promise<void> {
  for (const { table, safetyMs } of allKinds(config))
    if (safetyMs > 0) await store.write((trx) => table.postpone(trx, dueIn(trx, safetyMs)));
}
