/**
 * Limits the concurrent attempts per endpoint. A fast endpoint gets at most half of all slots. Slow or silent endpoints share
 * the other half, however many there are; an unknown endpoint starts with a single slot. So a slow endpoint cannot delay the
 * others.
 */

/** A receiver that takes longer counts as slow. */
const SLOW_MS = 1_000;

export interface Slots {
  /** How many more attempts the endpoint may start now. `isFailing` is the stored state of an endpoint unknown to this process. */
  free(endpointId: string, isFailing?: boolean): number;
  /** Whether there is any free slot. */
  isAnyFree(): boolean;
  /** Takes `count` slots; each ends with `ended` or is given back. */
  take(endpointId: string, count: number): void;
  giveBack(endpointId: string, count: number): void;
  /** Frees a slot. `exchangeMs` is the receiver's response time, regardless of its status; undefined if it was not contacted. */
  ended(endpointId: string, exchangeMs: number | undefined): void;
}

/** `total` is the number of slots, at least one. */
export function createSlots(total: number): Slots {
  const half = Math.max(1, Math.ceil(total / 2));
  const inProgress = new Map<string, number>();
  const quick = new Set<string>();
  const slow = new Set<string>();

  function add(endpointId: string, count: number): void {
    const own = (inProgress.get(endpointId) ?? 0) + count;
    if (own === 0) inProgress.delete(endpointId);
    else inProgress.set(endpointId, own);
  }

  function sum(counts: (endpointId: string) => boolean): number {
    let slots = 0;
    for (const [endpointId, count] of inProgress) if (counts(endpointId)) slots += count;
    return slots;
  }

  /** An equal share of the half for slow endpoints. */
  function slowShare(endpointId: string): number {
    let sharing = 1;
    for (const other of inProgress.keys()) if (slow.has(other) && other !== endpointId) sharing += 1;
    return Math.max(1, Math.floor(half / sharing));
  }

  return {
    free(endpointId, isFailing = false) {
      const own = inProgress.get(endpointId) ?? 0;
      const left = total - sum(() => true);
      if (quick.has(endpointId)) return Math.max(0, Math.min(left, half - own));
      if (isFailing && !slow.has(endpointId)) slow.add(endpointId);
      if (!slow.has(endpointId)) return Math.max(0, Math.min(left, 1 - own));
      const slowLeft = half - sum((other) => slow.has(other));
      return Math.max(0, Math.min(left, slowLeft, slowShare(endpointId) - own));
    },
    isAnyFree: () => sum(() => true) < total,
    take: add,
    giveBack: (endpointId, count) => add(endpointId, -count),
    ended(endpointId, exchangeMs) {
      add(endpointId, -1);
      if (exchangeMs === undefined) return;
      const [now, before] = exchangeMs < SLOW_MS ? [quick, slow] : [slow, quick];
      now.add(endpointId);
      before.delete(endpointId);
    },
  };
}
