/**
 * The issuing queue of one process: claims what is due, hands it to the providers, settles what they answer. Several
 * processes may work one database: a claim is a guarded statement, and a claim has a lease.
 */
import { randomUUID } from "node:crypto";
import { findNextDue, renewLeases } from "../../storage/queue.ts";
import type { Context } from "../context.ts";
import { claimGroups, type Group } from "./claims.ts";
import { rescueExpired } from "./rescue.ts";
import { policyOf, workGroup } from "./work.ts";

export interface IssuingQueue {
  /** Looks for work now. Never waits. */
  poke(): void;
  /** Looks for work until nothing is due and nothing is under way. */
  settleAll(): Promise<void>;
  /** Takes back what dead workers held; answers how many. */
  rescue(): Promise<number>;
  /** Keeps what this process holds. Called well within the lease. */
  renew(): Promise<void>;
  /** Whether this process has anything under way. */
  isBusy(): boolean;
  /** Claims nothing more, and resolves once everything under way is settled; cuts what is not done after `deadlineMs`. */
  stop(deadlineMs: number): Promise<void>;
}

const PHASES = ["queued", "awaiting_mark", "reconciling"] as const;
/** A claim that could not be made (the database is locked or full) is tried again by the timer, not in a tight loop. */

export function createIssuingQueue(context: Context): IssuingQueue {
  const { config, store, log } = context;
  const owner = randomUUID();
  const cut = new AbortController();
  const underWay = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let isPoked = false;
  let isStopping = false;

  function poke(): void {
    isPoked = true;
    if (isStopping || looking !== undefined) return;
    looking = look().finally(() => {
      looking = undefined;
      if (isPoked && !isStopping) poke();
    });
  }

  /** Claims until nothing is due or every place is taken. */
  async function look(): Promise<void> {
    while (isPoked && !isStopping) {
      isPoked = false;
      const places = config.issuing.concurrency - underWay.size;
      if (places <= 0 || !(await isAnythingDue())) return;
      for (const group of await claim(places)) start(group);
    }
  }

  /** A look through the reader's connection first: an idle appliance takes no write lock. */
  async function isAnythingDue(): Promise<boolean> {
    const now = context.clock.now();
    for (const adapter of context.providers.all()) {
      for (const phase of PHASES) {
        const due = await findNextDue(store.read, adapter.provider, phase);
        if (due !== undefined && due <= now) return true;
      }
    }
    return false;
  }

  async function claim(places: number): Promise<Group[]> {
    const options = { owner, leaseMs: config.issuing.leaseSeconds * 1000, groupsMax: places };
    try {
      return await store.write(async (trx) => {
        const groups: Group[] = [];
        for (const adapter of context.providers.all()) {
          const groupsMax = places - groups.length;
          if (groupsMax > 0) groups.push(...(await claimGroups(trx, adapter, { ...options, groupsMax })));
        }
        return groups;
      });
    } catch (error) {
      log.error({ error: String(error) }, "documents could not be claimed; trying again");
      return [];
    }
  }

  function start(group: Group): void {
    const work: Promise<void> = workGroup(context, group, cut.signal)
      .catch((error: unknown) => {
        log.error(
          { provider: group.adapter.provider, error: String(error) },
          "a group of documents was left to the rescuer",
        );
      })
      .finally(() => {
        underWay.delete(work);
        poke();
      });
    underWay.add(work);
  }

  return {
    poke,
    async settleAll() {
      poke();
      while (looking !== undefined || underWay.size > 0) {
        await looking;
        await Promise.all(underWay);
      }
    },
    rescue: () => rescueExpired(context, policyOf(context, { askings: 1, seconds: 0 })),
    async renew() {
      if (underWay.size === 0) return;
      await store.write((trx) =>
        renewLeases(trx, owner, new Date(trx.nowMs + config.issuing.leaseSeconds * 1000).toISOString()),
      );
    },
    isBusy: () => looking !== undefined || underWay.size > 0,
    async stop(deadlineMs) {
      isStopping = true;
      const timer = setTimeout(() => cut.abort(), deadlineMs);
      await looking;
      await Promise.all(underWay);
      clearTimeout(timer);
    },
  };
}
