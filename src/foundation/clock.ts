/**
 * The only place that reads the time. Instants are UTC ISO strings with milliseconds, which sort as text; the legal
 * day of a Greek document is a calendar day in Athens.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** `2026-11-21T10:00:00.000Z`. */
  now(): string;
  /** The day in Athens now, `2026-11-21`. */
  today(): string;
}

/** Made at the first asking: loading the time zones costs 17 ms, which a command that needs no day should not pay. */
let athensDayFormat: Intl.DateTimeFormat | undefined;

/** How long a formatted day is reused: Athens changes its day on a full minute, so a second late is the worst case. */
const DAY_CACHE_MS = 1000;

/** The instant `ms` as text. */
function isoInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** The calendar day in Athens at `ms`, `YYYY-MM-DD`. */
export function athensDay(ms: number): string {
  athensDayFormat ??= new Intl.DateTimeFormat("en-CA", {
    timeZone: "Europe/Athens",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return athensDayFormat.format(ms);
}

/** A clock over `readMs`: the system's time in the product, a value that tests move by hand in tests. */
export function createClock(readMs: () => number = Date.now): Clock {
  let cachedDay = "";
  let cachedFor = Number.NaN;
  return {
    nowMs: readMs,
    now: () => isoInstant(readMs()),
    today: () => {
      const slot = Math.floor(readMs() / DAY_CACHE_MS);
      if (slot !== cachedFor) {
        cachedDay = athensDay(slot * DAY_CACHE_MS);
        cachedFor = slot;
      }
      return cachedDay;
    },
  };
}
