/** Reschedules documents that a clock running ahead had put off, once it is set back (docs/contract.md#clock-jumps). */
import { rescheduleDocuments } from "../../storage/due-times.ts";
import { repeatInPortions } from "../foundation/in-portions.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { WAITING_PHASES } from "./claimer.ts";
import { REQUESTED_PAUSE_MS_MAX } from "./provider-availability.ts";

/** Rows per write, which takes a few milliseconds. */
const PORTION = 1000;

/**
 * Makes due what was never tried, what was scheduled while the clock ran ahead as far as the row shows it, and what is scheduled
 * later than any pause can end. `wasSetBack`: this process saw the clock being set back, so everything that waits becomes due.
 */
export async function rescheduleAfterClockJump(context: Context, wasSetBack = false): Promise<void> {
  const { config, providers, store } = context;
  if (await isHeld(store.read)) return;
  const delaysMs = config.issuing.delaysSeconds.map((seconds) => seconds * 1000);
  // Twice the longest pause, to allow for the jitter.
  const pauseMsMax = wasSetBack ? 0 : 2 * Math.max(REQUESTED_PAUSE_MS_MAX, ...delaysMs);
  for (const { provider } of providers.all()) {
    for (const phase of WAITING_PHASES) {
      await repeatInPortions(store, PORTION, (trx) => {
        const now = new Date(trx.clockMs).toISOString();
        const latest = new Date(trx.clockMs + pauseMsMax).toISOString();
        return rescheduleDocuments(trx, { provider, phase, now, latest, limit: PORTION });
      });
    }
  }
}
