/**
 * Takes over claims whose lease has run out, because their worker died. A claimed send may have arrived, so its document is
 * reconciled and never sent again without a query. The row of the call, which nobody wrote, is `unknown`. Leases and due times are
 * corrected after jumps of the clock (docs/contract.md#clock-jumps).
 */
import { type DocumentRow, findDocumentRows } from "../../storage/documents/documents.ts";
import {
  findExpiredClaims,
  hasLeaseAfter,
  releaseLease,
  rescheduleDocuments,
  restartStages,
  shortenLeases,
} from "../../storage/documents/document-queue.ts";
import type { ItemResult, Kind, Transaction } from "../../storage/database/write.ts";
import { decideRescue } from "../domain/decide-after-call.ts";
import { longestDelayMs } from "../domain/decision.ts";
import { isFinal } from "../domain/lifecycle.ts";
import { buildErrorObject } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { createCallRows, createEvidence, subjectOf } from "./call-evidence.ts";
import { operationOf } from "./claimed-group.ts";
import { settleAll, type Settlement } from "./settle-document.ts";
import { repeatInPortions } from "../foundation/turns.ts";
import { isHeld } from "../journal/held.ts";
import { pausesOf } from "../work/kinds.ts";
import { WAITING_PHASES } from "./claim-groups.ts";

/** Claims per round, so that a large crash is taken over in several short writes. */
const RESCUE_BATCH = 100;

const PROCESS_DIED = buildErrorObject(
  "internal_error",
  {
    en: "The process that made this call ended before it could record the response",
    el: "Η διεργασία που έκανε την κλήση τερματίστηκε πριν καταγράψει την απάντηση",
  },
  { retryable: true },
);

/** Takes over expired claims, except those whose owners are `alive` in this process. Returns how many. */
export async function rescueExpired(context: Context, alive: ReadonlySet<string>): Promise<number> {
  const { store, clock, log } = context;
  let rescued = 0;
  await shortenFutureLeases(context, 2);
  for (;;) {
    const found = await findExpiredClaims(store.read, { now: clock.now(), limit: RESCUE_BATCH });
    const expired = found.filter(({ lease_owner: owner }) => owner === null || !alive.has(owner));
    if (expired.length === 0) return rescued;
    const outcomes = await Promise.allSettled(expired.map(({ id }) => store.add(RESCUES, { context, id })));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") rescued += outcome.value ? 1 : 0;
      else if (!isReportedAlready(outcome.reason))
        log.error({ document: expired[index]!.id, error: String(outcome.reason) }, "claim not rescued");
    }
    const isLast = found.length < RESCUE_BATCH || expired.length < found.length;
    if (isLast || outcomes.some(({ status }) => status === "rejected")) return rescued;
  }
}

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
async function shortenFutureLeases({ store, clock, config, log }: Context, factor: number): Promise<void> {
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

interface Rescue {
  context: Context;
  id: string;
}

/** Takes over claims whose leases have run out. Returns for each whether it did: another process may have, or the worker is back. */
const RESCUES: Kind<Rescue, boolean> = {
  async commit(trx, rescues) {
    const rows = await findDocumentRows(
      trx,
      rescues.map(({ id }) => id),
    );
    const now = new Date(trx.clockMs).toISOString();
    const settlements: Settlement[] = [];
    const outcomes: ItemResult<boolean>[] = [];
    for (const { context, id } of rescues) {
      const row = rows.get(id);
      const isExpired = row !== undefined && row.lease_until !== null && row.lease_until < now;
      if (isExpired && isFinal(row.phase)) await endCancellation(trx, row);
      else if (isExpired) {
        const decide = () => decideRescue(row.phase, trx.clockMs);
        settlements.push({ context, claimed: row, decide, call: deadCall(trx, row) });
      }
      outcomes.push({ value: isExpired });
    }
    await settleAll(trx, settlements);
    return outcomes;
  },
};

/** The next cancellation first checks whether this one succeeded. */
async function endCancellation(trx: Transaction, row: DocumentRow): Promise<void> {
  const { rows, add } = createCallRows(trx);
  add({ ...deadCall(trx, row), operation: "cancel", outcome: "unknown" });
  await trx.insertRows(rows);
  await releaseLease(trx, { id: row.id, owner: row.lease_owner ?? "" });
}

function deadCall(trx: Transaction, row: DocumentRow): NonNullable<Settlement["call"]> {
  // A claim for a query leaves no trace of when it began.
  const started_at = row.phase === "submitting" ? row.updated_at : trx.now;
  return {
    ...subjectOf(row),
    operation: operationOf(row),
    purpose: "operation",
    error: PROCESS_DIED,
    started_at,
    duration_ms: Math.max(0, trx.nowMs - Date.parse(started_at)),
    evidence: createEvidence(),
    redactor: undefined,
  };
}
