/**
 * Who may have how many attempts under way. Of all places an endpoint that answers quickly has at the most half, and those
 * that are slow or silent, or have not answered yet, two each and half of all together: so a slow one holds up no other.
 */

/** A receiver that takes longer works before it answers, and keeps a place from those that do not. */
const SLOW_MS = 1_000;

export interface Places {
  /** How many more attempts the endpoint may begin now. */
  free(endpointId: string): number;
  /** Whether any endpoint may begin anything. */
  isAnyFree(): boolean;
  /** Takes `count` places, each of which ends or is given back. */
  take(endpointId: string, count: number): void;
  giveBack(endpointId: string, count: number): void;
  /** `isAnswered` where any answer came, whatever it said. */
  ended(endpointId: string, durationMs: number, isAnswered: boolean): void;
}

/** `total` places in all, at least one. */
export function createPlaces(total: number): Places {
  const quickMax = Math.max(1, Math.ceil(total / 2));
  const slowMax = Math.max(1, Math.floor(total / 8));
  const slowTogetherMax = Math.max(1, Math.floor(total / 2));
  const underWay = new Map<string, number>();
  const quick = new Set<string>();

  function sum(counts: (endpointId: string) => boolean): number {
    let places = 0;
    for (const [endpointId, count] of underWay) if (counts(endpointId)) places += count;
    return places;
  }

  function add(endpointId: string, count: number): void {
    const own = (underWay.get(endpointId) ?? 0) + count;
    if (own === 0) underWay.delete(endpointId);
    else underWay.set(endpointId, own);
  }

  return {
    free(endpointId) {
      const own = underWay.get(endpointId) ?? 0;
      const left = total - sum(() => true);
      if (quick.has(endpointId)) return Math.max(0, Math.min(left, quickMax - own));
      const slowLeft = slowTogetherMax - sum((other) => !quick.has(other));
      return Math.max(0, Math.min(left, slowLeft, slowMax - own));
    },
    isAnyFree: () => sum(() => true) < total,
    take: add,
    giveBack: (endpointId, count) => add(endpointId, -count),
    ended(endpointId, durationMs, isAnswered) {
      add(endpointId, -1);
      if (isAnswered && durationMs < SLOW_MS) quick.add(endpointId);
      else quick.delete(endpointId);
    },
  };
}
