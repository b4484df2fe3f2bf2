/**
 * Corrects due times and claims after a jump of the clock (docs/contract.md#clock-jumps): shortens what a clock running ahead has put
 * off, and starts again the waits that one jumping ahead has cut short.
 */
import { repeatInPortions } from "../foundation/turns.ts";
import type { Context } from "../journal/context.ts";
import { dueIn } from "./work-off.ts";
import { allKinds, longestDelayMs, pausesOf, type WorkKind } from "./kinds.ts";

type Schedule = Pick<WorkKind<never, never>, "delaysSeconds" | "safetyMs" | "personMs">;

/** Rows per write, which takes a few milliseconds. */
const PORTION = 1000;

/**
 * Lets nothing wait or be claimed for longer than its schedule allows. `wasSetBack`: the clock was seen to be set back, so
 * everything that waits begins its pause again. It is not made due at once: each of several jumps, and each server, would use up an
 * attempt. `alive`: the claims that this process is working on.
 */
export async function rescheduleWork(
  { config, store }: Pick<Context, "config" | "store">,
  wasSetBack: boolean,
  alive: Iterable<string> = [],
): Promise<void> {
  const owners = [...alive];
  for (const kind of allKinds(config)) {
    for (const { pauseMs, longestMs, ...attempts } of limitsOf(kind)) {
      await repeatInPortions(store, PORTION, async (trx) => {
        if (trx.isHeld) return 0;
        const [due, latest] = [dueIn(trx, pauseMs), dueIn(trx, wasSetBack ? pauseMs : longestMs)];
        return kind.table.reschedule(trx, { due, latest, ...attempts, limit: PORTION });
      });
    }
    await store.write(async (trx) => {
      if (trx.isHeld) return;
      const [due, latest] = [dueIn(trx, 0), dueIn(trx, 2 * kind.leaseMs)];
      await kind.table.endClaims(trx, { due, latest, alive: owners });
    });
  }
}

/** The pause after each number of attempts, and the longest that a row may have. */
function limitsOf({ delaysSeconds, safetyMs, personMs }: Schedule) {
  const retryMs = longestDelayMs(delaysSeconds);
  return pausesOf(delaysSeconds).map(({ pauseMs: scheduledMs, ...attempts }) => {
    const pauseMs = Math.max(safetyMs, scheduledMs);
    const longestMs = Math.max(pauseMs, personMs, attempts.attemptsMin === 0 ? 0 : retryMs);
    return { ...attempts, pauseMs, longestMs };
  });
}

/** Makes what must wait for a while wait for that long from now on. */
export async function restartSafetyPauses({
  config,
  store,
}: Pick<Context, "config" | "store">): Promise<void> {
  for (const { table, safetyMs } of allKinds(config))
    if (safetyMs > 0) await store.write((trx) => table.postpone(trx, { due: dueIn(trx, safetyMs) }));
}
