/**
 * Makes documents due that a clock running ahead has put off, once it is set back, and starts again the waits that a clock
 * jumping ahead has cut short (docs/contract.md#clock-jumps).
 */
import {
  hasLeaseAfter,
  shortenLeases,
  rescheduleDocuments,
  restartStages,
} from "../../storage/documents/document-queue.ts";
import { longestDelayMs } from "../domain/decision.ts";
import { repeatInPortions } from "../foundation/turns.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { pausesOf } from "../work/kinds.ts";
import { WAITING_PHASES } from "./claim-groups.ts";

/** Rows per write, which takes a few milliseconds. */
const PORTION = 1000;
/** The lease of a cancellation, the longest. */
const LEASE_MS_MAX = 180_000;

/**
 * Lets no document wait for longer than its schedule allows. `wasSetBack`: the clock was seen to be set back, so queries are due now,
 * and each document that was sent begins its pause again: sending at once would use up an attempt for each of several jumps.
 */
export async function rescheduleAfterClockJump(context: Context, wasSetBack = false): Promise<void> {
  const { config, providers, store } = context;
  if (await isHeld(store.read)) return;
  const { delaysSeconds } = config.issuing;
  const longestMs = longestDelayMs(delaysSeconds);
  for (const { provider } of providers.all()) {
    for (const phase of WAITING_PHASES) {
      // Queries are due at once.
      for (const { pauseMs, ...attempts } of pausesOf(phase === "queued" ? delaysSeconds : [0])) {
        const isPauseLonger = !wasSetBack && (phase !== "queued" || attempts.attemptsMin > 0);
        await repeatInPortions(store, PORTION, (trx) => {
          const at = (ms: number) => new Date(trx.clockMs + ms).toISOString();
          const times = { now: at(0), due: at(pauseMs), latest: at(isPauseLonger ? longestMs : pauseMs) };
          return rescheduleDocuments(trx, { provider, phase, ...attempts, ...times, limit: PORTION });
        });
      }
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
  if (!(await hasLeaseAfter(store.read, { far: farAt(clock.nowMs()) }))) return;
  await store.write((trx) =>
    shortenLeases(trx, {
      far: farAt(trx.clockMs),
      until: new Date(trx.clockMs + leaseMs).toISOString(),
    }),
  );
  log.warn({}, "shortened the leases of documents: the clock ran ahead and was set back");
}
