/**
 * The issuing queue of one process: claims what is due, hands it to the providers, settles what they answer. Several
 * processes may work one database: a claim is a guarded statement, and a claim has a lease.
 */
import { findNextDue, pullDocumentsForward, renewLeases } from "../../storage/queue.ts";
import type { Context } from "../journal/context.ts";
import { isToldAlready } from "../journal/disk/disk-space.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import { type Mode, MODES } from "../../storage/stored-values.ts";
import { createPoke } from "../foundation/poke.ts";
import { pullAll } from "../foundation/in-portions.ts";
import { createBreaker } from "./provider-breaker.ts";
import type { ClaimOptions, Group } from "./claimed-group.ts";
import { claimGroups } from "./claims.ts";
import { decideUnsendable } from "../domain/decide-send.ts";
import { isHeld } from "../journal/held.ts";
import { rescueExpired } from "./rescue.ts";
import { settle } from "./settle-document.ts";
import { deliveryPolicy, processGroup } from "./process-group.ts";

export interface IssuingQueue {
  /** Looks for work now. Never waits. */
  poke(): void;
  /** Looks for work until nothing is due and nothing is under way. */
  settleAll(): Promise<void>;
  /** Takes back what dead workers held; answers how many. */
  rescue(): Promise<number>;
  /** Makes due again what was put off while the clock was ahead. */
  putRight(): Promise<void>;
  /** Keeps what this process holds. Called well within the lease. */
  renew(): Promise<void>;
  /** Whether this process has anything under way. */
  isBusy(): boolean;
  /** Claims nothing more, and resolves once everything under way is settled, which `context.cut` hastens. */
  stop(): Promise<void>;
}

/** What a provider asks for counts, but no longer than this. */
const PAUSE_MS_MAX = 3_600_000;

/** Rows in one write: some milliseconds. */
const PORTION = 1000;

const PHASES = ["queued", "awaiting_mark", "reconciling"] as const;

export function createIssuingQueue(context: Context): IssuingQueue {
  const { config, store, log } = context;
  const breaker = createBreaker(MODES);
  /** Until when an account is not sent for, by its connection. */
  const pauses = new Map<string, number>();
  /** What is being worked on, by the work's promise. */
  const underWay = new Map<Promise<void>, Group>();
  const { poke, looking, stop } = createPoke(look);

  async function look(): Promise<void> {
    const places = config.issuing.concurrency - underWay.size;
    try {
      if (places <= 0 || !(await isAnythingDue())) return;
      for (const group of await claim(places)) start(group);
    } catch (error) {
      if (!isToldAlready(error))
        log.error({ error: String(error) }, "the queue could not be read; trying again");
    }
  }

  /** A look through the reader's connection first: an idle appliance takes no write lock. */
  async function isAnythingDue(): Promise<boolean> {
    if (await isHeld(store.read)) return false;
    const now = context.clock.now();
    for (const adapter of context.providers.all()) {
      if (openModesOf(adapter).length === 0) continue;
      for (const phase of PHASES) {
        if (phase === "queued" && !maySend()) continue;
        const due = await findNextDue(store.read, adapter.provider, phase);
        if (due !== undefined && due <= now) return true;
      }
    }
    return false;
  }

  /** Each provider in a write of its own, so that trouble with one keeps no other from its work. */
  async function claim(places: number): Promise<Group[]> {
    const groups: Group[] = [];
    for (const adapter of context.providers.all()) {
      const groupsMax = places - groups.length;
      if (groupsMax <= 0) break;
      try {
        for (const part of partsOf(adapter, groupsMax)) {
          const claimed = await store.write((trx) =>
            claimGroups(trx, adapter, { ...claimOptions(), ...part }),
          );
          for (const { mode } of claimed) breaker.began(adapter.provider, mode);
          groups.push(...claimed);
        }
      } catch (error) {
        if (isToldAlready(error)) continue;
        log.error(
          { provider: adapter.provider, error: String(error) },
          "documents could not be claimed; trying again",
        );
      }
    }
    return groups;
  }

  function openModesOf(adapter: ProviderAdapter): readonly Mode[] {
    // What the sandbox plays is no outage of the others' documents.
    return adapter.provider === "sandbox"
      ? MODES
      : breaker.openModes(adapter.provider, context.clock.nowMs());
  }

  /** One claim for both modes; where the provider was away lately, one for each mode that may go, a single group to see. */
  function partsOf(
    adapter: ProviderAdapter,
    groupsMax: number,
  ): { mode?: Mode | undefined; groupsMax: number }[] {
    const open = openModesOf(adapter);
    const isProbe = (mode: Mode) => adapter.provider !== "sandbox" && breaker.isProbe(adapter.provider, mode);
    if (open.length === MODES.length && !open.some(isProbe)) return [{ groupsMax }];
    return open.map((mode) => ({ mode, groupsMax: isProbe(mode) ? 1 : groupsMax }));
  }

  /** What became of a send must fit on the disk: asking after what was sent goes on for longer. */
  function maySend(): boolean {
    return context.space.level() !== "full";
  }

  function claimOptions(): Omit<ClaimOptions, "groupsMax" | "mode"> {
    return {
      leaseMs: config.issuing.leaseSeconds * 1000,
      maySend: maySend(),
      onUnreadable: (document, reason) =>
        log.error({ document, reason }, "a document was taken out of the queue; it must be examined"),
      pausedUntil,
      onUnsendable: async (trx, row, because) => {
        await settle(trx, context, row, decideUnsendable(because), undefined);
      },
    };
  }

  function pause(connectionId: string | null, retryAfterMs: number): void {
    if (connectionId === null) return;
    pauses.set(connectionId, context.clock.nowMs() + Math.min(retryAfterMs, PAUSE_MS_MAX));
  }

  function pausedUntil(connectionId: string): string | undefined {
    const untilMs = pauses.get(connectionId);
    const nowMs = context.clock.nowMs();
    if (untilMs === undefined) return undefined;
    // Further off than any pause is: the clock was set back.
    if (untilMs > nowMs && untilMs <= nowMs + PAUSE_MS_MAX) return new Date(untilMs).toISOString();
    pauses.delete(connectionId);
    return undefined;
  }

  /** Works the group, and tells the breaker whether anything came back. */
  async function contact(group: Group): Promise<void> {
    const { mode } = group;
    const { provider } = group.adapter;
    try {
      const { isAnswered, retryAfterMs } = await processGroup(context, group);
      // A used-up quota is the account's: others of the provider are not made to wait for it.
      if (isAnswered && retryAfterMs !== undefined) pause(group.connectionId, retryAfterMs);
      if (isAnswered) breaker.answered(provider, mode);
      else breaker.failed(provider, mode, context.clock.nowMs(), retryAfterMs);
    } catch (error) {
      breaker.failed(provider, mode, context.clock.nowMs(), undefined);
      log.error({ provider, error: String(error) }, "a group of documents was left to the rescuer");
    }
  }

  function start(group: Group): void {
    const work: Promise<void> = contact(group).finally(() => {
      underWay.delete(work);
      poke();
    });
    underWay.set(work, group);
  }

  return {
    poke,
    async settleAll() {
      poke();
      while (looking() !== undefined || underWay.size > 0) {
        await looking();
        await Promise.all(underWay.keys());
      }
    },
    async rescue() {
      // What the other appliance held when the backup was taken waits for the resume.
      if (await isHeld(store.read)) return 0;
      // What this process holds is not dead, whatever the clock says: a machine that slept has not lost its workers.
      const alive = new Set([...underWay.values()].map(({ owner }) => owner));
      return rescueExpired(context, deliveryPolicy(context, { askings: 1, seconds: 0 }), alive);
    },
    async putRight() {
      if (await isHeld(store.read)) return;
      // Neither a step of the schedule nor what a provider may ask for is longer; twice that, for the jitter.
      const pauseMs = Math.max(
        PAUSE_MS_MAX,
        ...config.issuing.delaysSeconds.map((seconds) => seconds * 1000),
      );
      const far = new Date(context.clock.nowMs() + 2 * pauseMs).toISOString();
      for (const { provider } of context.providers.all()) {
        for (const phase of PHASES) {
          await pullAll(store, PORTION, (trx) => {
            const now = new Date(trx.clockMs).toISOString();
            return pullDocumentsForward(trx, { provider, phase, now, far, limit: PORTION });
          });
        }
      }
    },
    async renew() {
      if (underWay.size === 0) return;
      await store.write(async (trx) => {
        const until = new Date(trx.clockMs + config.issuing.leaseSeconds * 1000).toISOString();
        for (const { owner } of underWay.values()) await renewLeases(trx, owner, until);
      });
    },
    isBusy: () => looking() !== undefined || underWay.size > 0,
    async stop() {
      await stop();
      await Promise.all(underWay.keys());
    },
  };
}
