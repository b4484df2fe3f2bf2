/**
 * The issuing queue of one process: claims due documents, sends or queries them, and settles the outcomes. Several processes
 * can work on one database, because a claim is one guarded statement and has a lease.
 */
import { renewLeases } from "../../storage/claims.ts";
import { MODES } from "../../storage/stored-values.ts";
import { createPoke } from "../foundation/poke.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import { createAccountPauses } from "./account-pauses.ts";
import type { Group } from "./claimed-group.ts";
import { createClaimer } from "./claimer.ts";
import { rescheduleAfterClockJump } from "./clock-jump.ts";
import { deliveryPolicy, processGroup } from "./process-group.ts";
import { createBreaker } from "./provider-breaker.ts";
import { rescueExpired } from "./rescue.ts";

export interface IssuingQueue {
  /** Looks for work now. Never waits. */
  poke(): void;
  /** Looks for work until nothing is due and nothing is in progress. */
  settleAll(): Promise<void>;
  /** Takes over the documents of dead workers; returns how many. */
  rescue(): Promise<number>;
  /** Reschedules what was put off while the clock ran ahead. */
  rescheduleAfterClockJump(): Promise<void>;
  /** Renews the leases of this process. Must be called well within a lease. */
  renew(): Promise<void>;
  /** Whether this process has anything in progress. */
  isBusy(): boolean;
  /** Claims nothing more, and resolves once everything in progress is settled. `context.cut` hastens it. */
  stop(): Promise<void>;
}

export function createIssuingQueue(context: Context): IssuingQueue {
  const { config, log, store } = context;
  const breaker = createBreaker(MODES);
  const pauses = createAccountPauses(context.clock);
  const claimer = createClaimer(context, breaker, pauses);
  const inProgress = new Map<Promise<void>, Group>();
  const { poke, running, stop } = createPoke(look);

  async function look(): Promise<void> {
    const places = config.issuing.concurrency - inProgress.size;
    try {
      if (places <= 0 || !(await claimer.isAnythingDue())) return;
      for (const group of await claimer.claim(places)) start(group);
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

  /** Processes the group, and reports to the breaker whether the provider answered. */
  async function process(group: Group): Promise<void> {
    const { mode, connectionId } = group;
    const { provider } = group.adapter;
    try {
      const { isAnswered, retryAfterMs } = await processGroup(context, group);
      // With an answer, the requested pause concerns this account's quota and not the provider's other accounts.
      if (isAnswered && retryAfterMs !== undefined) pauses.pause(connectionId, retryAfterMs);
      if (isAnswered) breaker.answered(provider, mode);
      else breaker.failed(provider, mode, context.clock.nowMs(), retryAfterMs);
    } catch (error) {
      breaker.failed(provider, mode, context.clock.nowMs(), undefined);
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
    rescheduleAfterClockJump: () => rescheduleAfterClockJump(context),
    async renew() {
      if (inProgress.size === 0) return;
      await store.write(async (trx) => {
        const until = new Date(trx.clockMs + config.issuing.leaseSeconds * 1000).toISOString();
        for (const { owner } of inProgress.values()) await renewLeases(trx, owner, until);
      });
    },
    isBusy: () => running() !== undefined || inProgress.size > 0,
    async stop() {
      await stop();
      await Promise.all(inProgress.keys());
    },
  };
}
