/**
 * Shares the slots of the issuing queue (`issuing.concurrency`), so that calls which hang do not hold up others: some slots are
 * reserved for sends, one account never takes them all, and accounts that do not answer get few.
 */
import { type Mode, MODES, type Provider } from "../../storage/stored-values.ts";
import type { Group } from "./claimed-group.ts";
import type { Availability, CallKind } from "./provider-availability.ts";

export interface Slots {
  /** How many more groups of this kind may start, beside those in progress and `claimed`. */
  free(kind: CallKind, claimed: readonly Group[]): number;
  /** Whether this process is sending to the provider, or has `claimed` a group for it. */
  isSending(provider: Provider, claimed: readonly Group[]): boolean;
  /**
   * The connections and modes that may not start another group of this kind now; undefined if nothing more should be claimed
   * in this round.
   */
  excluded(
    kind: CallKind,
    provider: Provider,
    claimed: readonly Group[],
    nowMs: number,
  ): readonly string[] | undefined;
}

export function kindOf({ phase }: Pick<Group, "phase">): CallKind {
  return phase === "submitting" ? "send" : "query";
}

/** The connection that a group's documents were claimed under; its availability is tracked. Null for the sandbox. */
export function accountOf({ claimed, connectionId }: Group): string | null {
  return claimed[0]?.row.connection_id ?? connectionId;
}

export function createSlots(
  concurrency: number,
  availability: Availability,
  inProgress: () => Iterable<Group>,
): Slots {
  const quarter = Math.max(1, Math.floor(concurrency / 4));
  /** With a single slot, a query gets one of its own, or a hanging query would stop all sends. */
  const total = Math.max(2, concurrency);
  const kindMax: Record<CallKind, number> = {
    send: concurrency,
    query: Math.max(1, concurrency - quarter),
  };

  function countBy<Key>(groups: readonly Group[], keyOf: (group: Group) => Key): Map<Key, number> {
    const counts = new Map<Key, number>();
    for (const group of groups) counts.set(keyOf(group), (counts.get(keyOf(group)) ?? 0) + 1);
    return counts;
  }

  /** The modes of a provider in an outage: its calls leave half of the slots to other providers. */
  function crowdedModes(kind: CallKind, provider: Provider, groups: readonly Group[]): Mode[] {
    const outages = availability.outages(kind, provider);
    if (outages.length === 0) return [];
    const counts = countBy(
      groups.filter((group) => group.adapter.provider === provider),
      ({ mode }) => mode,
    );
    const max = Math.max(1, Math.floor(kindMax[kind] / 2));
    return MODES.filter((mode) => outages.includes(mode) && (counts.get(mode) ?? 0) >= max);
  }

  return {
    free(kind, claimed) {
      const all = [...inProgress(), ...claimed];
      const own = all.filter((group) => kindOf(group) === kind).length;
      return Math.max(0, Math.min(total - all.length, kindMax[kind] - own));
    },
    isSending: (provider, claimed) =>
      [...inProgress(), ...claimed].some(
        (group) => kindOf(group) === "send" && group.adapter.provider === provider,
      ),
    excluded(kind, provider, claimed, nowMs) {
      const groups = [...inProgress(), ...claimed].filter((group) => kindOf(group) === kind);
      const counts = countBy(groups, accountOf);
      counts.delete(null);
      const failing = availability.failing(kind, provider);
      const failingGroups = failing.reduce((sum, id) => sum + (counts.get(id) ?? 0), 0);
      const busyFailing = failing.filter((id) => counts.has(id) || failingGroups >= quarter);
      const accountMax = Math.max(1, kindMax[kind] - 1);
      const atLimit = [...counts].flatMap(([id, count]) => (count >= accountMax && id !== null ? [id] : []));
      // Passing over an account reads all its due documents, so it is not done after every send of a busy one.
      const hasClaimed = claimed.some(
        (group) => kindOf(group) === kind && group.adapter.provider === provider,
      );
      if (atLimit.length > 0 && hasClaimed) return undefined;
      return [
        ...new Set<string>([
          ...availability.paused(kind, provider, nowMs),
          ...busyFailing,
          ...atLimit,
          ...crowdedModes(kind, provider, groups),
        ]),
      ];
    },
  };
}
