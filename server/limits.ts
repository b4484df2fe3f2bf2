/** Rate limits: fixed windows in memory, one counter per key (docs/contract.md#rate-limits). */

export interface Window {
  limit: number;
  remaining: number;
  /** Seconds until the window resets, rounded up. */
  resetSeconds: number;
  /** Whether this request is over the limit. */
  isExceeded: boolean;
}

export interface FixedWindow {
  /** Counts a request of `key`. Undefined when the limit is off. */
  count(key: string, nowMs: number): Window | undefined;
}

interface Counter {
  startedMs: number;
  used: number;
}

/** The oldest counters are dropped beyond this, so that an attacker with many addresses cannot fill the memory. */
const COUNTERS_MAX = 10_000;

/** Allows `limit` requests per `windowSeconds`; 0 switches the limit off. */
export function createFixedWindow(limit: number, windowSeconds: number): FixedWindow {
  const windowMs = windowSeconds * 1000;
  const counters = new Map<string, Counter>();

  function current(key: string, nowMs: number): Counter {
    const known = counters.get(key);
    if (known !== undefined && nowMs - known.startedMs < windowMs && nowMs >= known.startedMs) return known;
    if (counters.size >= COUNTERS_MAX) dropOld(nowMs);
    const fresh = { startedMs: nowMs, used: 0 };
    counters.delete(key);
    counters.set(key, fresh);
    return fresh;
  }

  /** The map is ordered by start, so this stops after a step or two instead of walking over all counters. */
  function dropOld(nowMs: number): void {
    for (const [key, { startedMs }] of counters) {
      if (counters.size < COUNTERS_MAX && nowMs - startedMs < windowMs) return;
      counters.delete(key);
    }
  }

  return {
    count(key, nowMs) {
      if (limit === 0) return undefined;
      const counter = current(key, nowMs);
      counter.used += 1;
      return {
        limit,
        remaining: Math.max(0, limit - counter.used),
        resetSeconds: Math.max(0, Math.ceil((counter.startedMs + windowMs - nowMs) / 1000)),
        isExceeded: counter.used > limit,
      };
    },
  };
}
