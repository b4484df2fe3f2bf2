/** Rate limits: fixed windows, one counter per key, in memory or in the database (docs/contract.md#rate-limits). */
import type { Config } from "../src/config/config.ts";
import type { Context } from "../src/journal/context.ts";

type SharedCounters = NonNullable<Context["store"]["counters"]>;
type Counted = Awaited<ReturnType<SharedCounters["count"]>>;

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
      const resetSeconds = Math.max(0, Math.ceil((counter.startedMs + windowMs - nowMs) / 1000));
      return windowOf(limit, { used: counter.used, resetSeconds });
    },
  };
}

function windowOf(limit: number, { used, resetSeconds }: Counted): Window {
  return { limit, remaining: Math.max(0, limit - used), resetSeconds, isExceeded: used > limit };
}

/** The windows of a server (docs/contract.md#rate-limits). The last three are of the pages. */
const WINDOW_NAMES = ["requests", "lookups", "failed_auth", "visits", "failed_sign_ins", "pages"] as const;
export type WindowName = (typeof WINDOW_NAMES)[number];

const LOOKUP_WINDOW_SECONDS = 60;
const FAILED_AUTH_WINDOW_SECONDS = 60;
const PAGES_WINDOW_SECONDS = 60;

export interface Windows {
  /** Counts a request of `key` in the window. Undefined when the limit is off. */
  count(name: WindowName, key: string): Window | undefined | Promise<Window | undefined>;
}

type Limit = Parameters<typeof createFixedWindow>;

/** Requests and seconds of each window. */
function limitsOf({ rateLimit }: Pick<Config, "rateLimit">): Readonly<Record<WindowName, Limit>> {
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
}: Pick<Context, "config" | "clock" | "store">): Windows {
  const limits = limitsOf(config);
  if (store.counters !== undefined) return countingIn(store.counters, limits);
  const windows = new Map(WINDOW_NAMES.map((name) => [name, createFixedWindow(...limits[name])]));
  return { count: (name, key) => windows.get(name)!.count(key, clock.nowMs()) };
}

function countingIn(counters: SharedCounters, limits: Readonly<Record<WindowName, Limit>>): Windows {
  return {
    async count(name, key) {
      const [limit, seconds] = limits[name];
      return limit === 0 ? undefined : windowOf(limit, await counters.count(`${name} ${key}`, seconds));
    },
  };
}
