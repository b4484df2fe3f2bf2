/**
 * The issuing queue of one process: claims due documents, sends or queries them, and settles the outcomes. Several processes
 * can work on one database, because a claim is one guarded statement and has a lease.
 */
import { renewLeases } from "../../storage/documents/document-queue.ts";
import { createPoke } from "../foundation/turns.ts";
import type { Contact } from "../domain/outcome-rules.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import type { Group } from "./claimed-group.ts";
import { createClaimer } from "./claimer.ts";
import { rescheduleAfterClockJump } from "./clock-jump.ts";
import { deliveryPolicy } from "./decide-outcome.ts";
import { accountOf, createSlots, kindOf } from "./issuing-slots.ts";
import { processGroup } from "./process-group.ts";
import { type Availability, createAvailability } from "./provider-availability.ts";
import { rescueExpired } from "./rescue.ts";

export interface IssuingQueue {
  /** Looks for work now. Never waits. */
  poke(): void;
  /** Looks for work until nothing is due and nothing is in progress. */
  settleAll(): Promise<void>;
  /** Takes over the documents of dead workers; returns how many. */
  rescue(): Promise<number>;
  /** Reschedules what was put off while the clock ran ahead; everything if this process saw it being set back. */
  rescheduleAfterClockJump(wasSetBack?: boolean): Promise<void>;
  /** Renews the leases of this process. Must be called well within a lease. */
  renew(): Promise<void>;
  /** Whether this process has anything in progress. */
  isBusy(): boolean;
  /** Claims nothing more, and resolves once everything in progress is settled. `context.cut` hastens it. */
  stop(): Promise<void>;
}

export function createIssuingQueue(context: Context): IssuingQueue {
  const { config, log, store } = context;
  const inProgress = new Map<Promise<void>, Group>();
  const availability = createAvailability();
  const slots = createSlots(config.issuing.concurrency, availability, () => inProgress.values());
  const claimer = createClaimer(context, slots);
  const { poke, running, stop } = createPoke(look);

  async function look(): Promise<void> {
    try {
      const due = await claimer.findDue();
      for (const group of await claimer.claim(due)) start(group);
    } catch (error) {
      if (!isReportedAlready(error))
        log.error({ error: String(error) }, "the queue could not be read; trying again");
    }
  }

  function start(group: Group): void {
    const work: Promise<void> = process(group).finally(() => {
      inProgress.delete(work);
      poke();
    });
    inProgress.set(work, group);
  }

  /** Processes the group, and records whether the provider answered. */
  async function process(group: Group): Promise<void> {
    const { provider } = group.adapter;
    try {
      recordContact(context, availability, group, await processGroup(context, group));
    } catch (error) {
      recordContact(context, availability, group, { isAnswered: false, retryAfterMs: undefined });
      log.error({ provider, error: String(error) }, "a group of documents was left to the rescuer");
    }
  }

  return {
    poke,
    async settleAll() {
      poke();
      while (running() !== undefined || inProgress.size > 0) {
        await running();
        await Promise.all(inProgress.keys());
      }
    },
    async rescue() {
      // What the other appliance held at the time of the backup waits for `fiscal resume`.
      if (await isHeld(store.read)) return 0;
      // This process's own claims are alive even if their leases have run out: the machine may have slept.
      const alive = new Set([...inProgress.values()].map(({ owner }) => owner));
      return rescueExpired(context, deliveryPolicy(context, { askings: 1, seconds: 0 }), alive);
    },
    rescheduleAfterClockJump(wasSetBack) {
      if (wasSetBack === true) availability.endPauses();
      return rescheduleAfterClockJump(context, wasSetBack);
    },
    async renew() {
      if (inProgress.size === 0) return;
      await store.write(async (trx) => {
        const until = new Date(trx.clockMs + config.issuing.leaseSeconds * 1000).toISOString();
        for (const { owner } of inProgress.values()) await renewLeases(trx, { owner, until });
      });
    },
    isBusy: () => running() !== undefined || inProgress.size > 0,
    async stop() {
      await stop();
      await Promise.all(inProgress.keys());
    },
  };
}

function recordContact(
  { clock }: Context,
  availability: Availability,
  group: Group,
  { isAnswered, retryAfterMs }: Contact,
): void {
  const { mode } = group;
  const { provider } = group.adapter;
  const connectionId = accountOf(group);
  // The sandbox only simulates outages, which must not stop its other documents.
  if (connectionId === null || provider === "sandbox") return;
  const record = isAnswered ? availability.answered : availability.failed;
  record({ kind: kindOf(group), provider, mode, connectionId }, clock.nowMs(), retryAfterMs);
}
