/**
 * Who may have how many attempts under way. An endpoint that answers quickly has at the most half of all places. Those
 * that are slow or silent share the other half, however many they are; one that nothing is known of begins with a single
 * place. So a slow one holds up no other, and one that is alone is held up by nobody.
 */

/** A receiver that takes longer works before it answers, and keeps a place from those that do not. */
const SLOW_MS = 1_000;

export interface Places {
  /** How many more attempts the endpoint may begin now. `isFailing`: what is known of one that this process has not met. */
  free(endpointId: string, isFailing?: boolean): number;
  /** Whether any endpoint may begin anything. */
  isAnyFree(): boolean;
  /** Takes `count` places, each of which ends or is given back. */
  take(endpointId: string, count: number): void;
  giveBack(endpointId: string, count: number): void;
  /** An attempt ended; `exchangeMs` is what the receiver took, whatever it said. Undefined where it was not asked. */
  ended(endpointId: string, exchangeMs: number | undefined): void;
}

/** `total` places in all, at least one. */
export function createPlaces(total: number): Places {
  const half = Math.max(1, Math.ceil(total / 2));
  const underWay = new Map<string, number>();
  const quick = new Set<string>();
  const slow = new Set<string>();

  function add(endpointId: string, count: number): void {
    const own = (underWay.get(endpointId) ?? 0) + count;
    if (own === 0) underWay.delete(endpointId);
    else underWay.set(endpointId, own);
  }

  function sum(counts: (endpointId: string) => boolean): number {
    let places = 0;
    for (const [endpointId, count] of underWay) if (counts(endpointId)) places += count;
    return places;
  }

  /** An equal share of the slow ones' half. */
  function slowShare(endpointId: string): number {
    let sharing = 1;
    for (const other of underWay.keys()) if (slow.has(other) && other !== endpointId) sharing += 1;
    return Math.max(1, Math.floor(half / sharing));
  }

  return {
    free(endpointId, isFailing = false) {
      const own = underWay.get(endpointId) ?? 0;
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
