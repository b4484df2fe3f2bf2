/** Decides what this process may claim now: by due times, held state, disk space, circuit breaker and account pauses. */
import { findNextDue } from "../../storage/due-times.ts";
import { type Mode, MODES } from "../../storage/stored-values.ts";
import { decideUnsendable } from "../domain/decide-send.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { isHeld } from "../journal/held.ts";
import type { AccountPauses } from "./account-pauses.ts";
import type { ClaimOptions, Group } from "./claimed-group.ts";
import { claimGroups } from "./claims.ts";
import type { Breaker } from "./provider-breaker.ts";
import { settle } from "./settle-document.ts";

export interface Claimer {
  /** Checks through the reader's connection, so that an idle appliance takes no write lock. */
  isAnythingDue(): Promise<boolean>;
  /** Claims at most `groupsMax` groups. */
  claim(groupsMax: number): Promise<Group[]>;
}

/** The phases in which documents wait for the queue. */
export const WAITING_PHASES = ["queued", "awaiting_mark", "reconciling"] as const;

export function createClaimer(context: Context, breaker: Breaker, pauses: AccountPauses): Claimer {
  const { clock, config, log, providers, store } = context;

  /** On a full disk nothing is sent, because the outcome must fit. Queries continue for longer. */
  const maySend = () => context.space.level() !== "full";

  /** The sandbox only simulates outages, which must not stop its other documents. */
  const usesBreaker = ({ provider }: ProviderAdapter) => provider !== "sandbox";

  function openModesOf(adapter: ProviderAdapter): readonly Mode[] {
    return usesBreaker(adapter) ? breaker.openModes(adapter.provider, clock.nowMs()) : MODES;
  }

  /** One claim for both modes; while the breaker restricts a mode, one claim per usable mode, of a single group if it is a test. */
  function splitByMode(
    adapter: ProviderAdapter,
    groupsMax: number,
  ): Pick<ClaimOptions, "mode" | "groupsMax">[] {
    const open = openModesOf(adapter);
    const isProbe = (mode: Mode) => usesBreaker(adapter) && breaker.isProbe(adapter.provider, mode);
    if (open.length === MODES.length && !open.some(isProbe)) return [{ groupsMax }];
    return open.map((mode) => ({ mode, groupsMax: isProbe(mode) ? 1 : groupsMax }));
  }

  function optionsFor(part: Pick<ClaimOptions, "mode" | "groupsMax">): ClaimOptions {
    return {
      ...part,
      leaseMs: config.issuing.leaseSeconds * 1000,
      maySend: maySend(),
      pausedUntil: (connectionId) => pauses.pausedUntil(connectionId),
      onUnreadable: (document, reason) =>
        log.error({ document, reason }, "a document was taken out of the queue; it must be examined"),
      onUnsendable: async (trx, row, reason) => {
        await settle(trx, context, row, decideUnsendable(reason), undefined);
      },
    };
  }

  async function claimFrom(adapter: ProviderAdapter, groupsMax: number, groups: Group[]): Promise<void> {
    for (const part of splitByMode(adapter, groupsMax)) {
      const claimed = await store.write((trx) => claimGroups(trx, adapter, optionsFor(part)));
      for (const { mode } of claimed) breaker.began(adapter.provider, mode);
      groups.push(...claimed);
    }
  }

  return {
    async isAnythingDue() {
      if (await isHeld(store.read)) return false;
      const now = clock.now();
      for (const adapter of providers.all()) {
        if (openModesOf(adapter).length === 0) continue;
        for (const phase of WAITING_PHASES) {
          if (phase === "queued" && !maySend()) continue;
          const due = await findNextDue(store.read, adapter.provider, phase);
          if (due !== undefined && due <= now) return true;
        }
      }
      return false;
    },
    /** Each provider has its own write, so that a failure of one does not stop the others. */
    async claim(groupsMax) {
      const groups: Group[] = [];
      for (const adapter of providers.all()) {
        const left = groupsMax - groups.length;
        if (left <= 0) break;
        try {
          await claimFrom(adapter, left, groups);
        } catch (error) {
          if (isReportedAlready(error)) continue;
          const fields = { provider: adapter.provider, error: String(error) };
          log.error(fields, "documents could not be claimed; trying again");
        }
      }
      return groups;
    },
  };
}
