/** Rate limits: fixed windows, one counter per key, in memory or in the database (docs/contract.md#rate-limits). */
import type { Config } from "../src/config/config.ts";
import type { Context } from "../src/journal/context.ts";

type Counters = Pick<NonNullable<Context["store"]["counters"]>, "count">;

export interface Window {
  limit: number;
  remaining: number;
  /** Seconds until the window resets, rounded up. */
  resetSeconds: number;
  /** Seconds to wait, at least one; undefined for a request that is within the limit. */
  retryAfterSeconds: number | undefined;
}

/** The windows of a server (docs/contract.md#rate-limits). The last three are of the pages. */
const WINDOW_NAMES = ["requests", "lookups", "failed_auth", "visits", "failed_sign_ins", "pages"] as const;
export type WindowName = (typeof WINDOW_NAMES)[number];

const LOOKUP_WINDOW_SECONDS = 60;
const FAILED_AUTH_WINDOW_SECONDS = 60;
const PAGES_WINDOW_SECONDS = 60;

export interface Windows {
  /** Counts a request of `key` in the window. Undefined when the limit is off. */
  count(name: WindowName, key: string): Promise<Window | undefined>;
}

/** Requests and seconds of each window; 0 requests switch the limit off. */
function limitsOf({ rateLimit }: Pick<Config, "rateLimit">): Readonly<Record<WindowName, [number, number]>> {
  const { requests, windowSeconds, lookups, failedAuth, pages } = rateLimit;
  return {
    requests: [requests, windowSeconds],
    lookups: [lookups, LOOKUP_WINDOW_SECONDS],
    failed_auth: [failedAuth, FAILED_AUTH_WINDOW_SECONDS],
    // Open pages refresh every few seconds; the limit of an API key is more than enough for a person.
    visits: [requests, windowSeconds],
    failed_sign_ins: [failedAuth, FAILED_AUTH_WINDOW_SECONDS],
    pages: [pages, PAGES_WINDOW_SECONDS],
  };
}

/** The windows of the servers that count in one database; without such counters, those of this process. */
export function createWindows({
  config,
  clock,
  store,
}: {
  config: Pick<Config, "rateLimit">;
  clock: Pick<Context["clock"], "nowMs">;
  store: { counters?: Counters };
}): Windows {
  const limits = limitsOf(config);
  // Each has counters of its own, so that a flood of strangers drops none of a key.
  const countersOf = new Map(
    WINDOW_NAMES.map((name) => [name, store.counters ?? createCounters(clock.nowMs)]),
  );
  return {
    async count(name, key) {
      const [limit, seconds] = limits[name];
      if (limit === 0) return undefined;
      const { used, resetSeconds } = await countersOf.get(name)!.count(`${name} ${key}`, seconds);
      return {
        limit,
        remaining: Math.max(0, limit - used),
        resetSeconds,
        retryAfterSeconds: used > limit ? Math.max(1, resetSeconds) : undefined,
      };
    },
  };
}

/** The oldest counters are dropped beyond this, so that an attacker with many addresses cannot fill the memory. */
const COUNTERS_MAX = 10_000;

function createCounters(nowMs: () => number): Counters {
  /** In the order of their start. */
  const counters = new Map<string, { startedMs: number; used: number }>();
  return {
    async count(key, windowSeconds) {
      const now = nowMs();
      const windowMs = windowSeconds * 1000;
      let counter = counters.get(key);
      // The clock may have been set back.
      if (counter === undefined || now - counter.startedMs >= windowMs || now < counter.startedMs) {
        counters.delete(key);
        const [oldest] = counters.keys();
        if (counters.size >= COUNTERS_MAX) counters.delete(oldest!);
        counter = { startedMs: now, used: 0 };
        counters.set(key, counter);
      }
      counter.used += 1;
      return { used: counter.used, resetSeconds: Math.ceil((counter.startedMs + windowMs - now) / 1000) };
    },
  };
}
