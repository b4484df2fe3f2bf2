/**
 * Makes documents due that a clock running ahead has put off, once it is set back, and starts again the waits that a clock
 * jumping ahead has cut short (docs/contract.md#clock-jumps).
 */
import { hasLeaseAfter, shortenLeases } from "../../storage/documents/claims.ts";
import { rescheduleDocuments, restartStages } from "../../storage/documents/due-times.ts";
import { longestDelayMs } from "../domain/delivery-delays.ts";
import { repeatInPortions } from "../foundation/yield-to-others.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { WAITING_PHASES } from "./claimer.ts";

/** Rows per write, which takes a few milliseconds. */
const PORTION = 1000;
/** The lease of a cancellation, the longest. */
const LEASE_MS_MAX = 180_000;

/**
 * Makes due what was never tried, what was scheduled while the clock ran ahead as far as the row shows it, and what is scheduled
 * later than any pause can end. `wasSetBack`: the clock was seen to be set back, so everything that waits becomes due.
 */
export async function rescheduleAfterClockJump(context: Context, wasSetBack = false): Promise<void> {
  const { config, providers, store } = context;
  if (await isHeld(store.read)) return;
  const pauseMsMax = wasSetBack ? 0 : longestDelayMs(config.issuing.delaysSeconds);
  for (const { provider } of providers.all()) {
    for (const phase of WAITING_PHASES) {
      await repeatInPortions(store, PORTION, (trx) => {
        const now = new Date(trx.clockMs).toISOString();
        const latest = new Date(trx.clockMs + pauseMsMax).toISOString();
        return rescheduleDocuments(trx, { provider, phase, now, latest, limit: PORTION });
      });
    }
  }
  await shortenFutureLeases(context, wasSetBack ? 1 : 2);
}

/**
 * A document that was not found is sent again after a while. A jump of the clock is no time in which a late send could have been
 * listed, so that wait starts again.
 */
export async function restartSafetyWaits({ clock, providers, store }: Context): Promise<void> {
  const now = clock.now();
  for (const { provider } of providers.all()) {
    await repeatInPortions(store, PORTION, (trx) =>
      restartStages(trx, { provider, phase: "reconciling", now, limit: PORTION }),
    );
  }
}

/** Makes leases that end later than `factor` times the longest lease end soon. Their owners may be alive, and renew them. */
export async function shortenFutureLeases(
  { store, clock, config, log }: Context,
  factor: number,
): Promise<void> {
  const leaseMs = config.issuing.leaseSeconds * 1000;
  const farAt = (nowMs: number) => new Date(nowMs + factor * Math.max(LEASE_MS_MAX, leaseMs)).toISOString();
  if (!(await hasLeaseAfter(store.read, farAt(clock.nowMs())))) return;
  await store.write((trx) =>
    shortenLeases(trx, {
      far: farAt(trx.clockMs),
      until: new Date(trx.clockMs + leaseMs).toISOString(),
    }),
  );
  log.warn({}, "shortened the leases of documents: the clock ran ahead and was set back");
}
