/**
 * The only place that reads the time. Instants are UTC ISO strings with milliseconds, which sort as text. The legal date of a
 * Greek document is the calendar day in Athens.
 */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** `2026-11-21T10:00:00.000Z`. */
  now(): string;
  /** The day in Athens now, `2026-11-21`. */
  today(): string;
  /** Milliseconds since some moment. Setting the clock does not change it. */
  elapsedMs(): number;
}

/** A clock that goes by another one, which several machines share, from the first comparison on. */
export interface FollowingClock extends Clock {
  /** The other clock said `theirMs` between `sentMs`, by this one, and now. */
  follow(theirMs: number, sentMs: number): void;
}

/** Created on first use: loading time zones takes 17 ms, which most commands do not need. */
let athensDayFormat: Intl.DateTimeFormat | undefined;

/** How long a formatted day is reused, so the day may change up to a second late. */
const DAY_CACHE_MS = 1000;

function isoInstant(ms: number): string {
  return new Date(ms).toISOString();
}

/** Whether the instant has passed. One that cannot be read has, so that a damaged expiry never extends access. */
export function hasPassed(instant: string, nowMs: number): boolean {
  const atMs = Date.parse(instant);
  return Number.isNaN(atMs) || atMs <= nowMs;
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

/** `readMs` is the system's time, or a value that a test sets; so is `readElapsedMs`. */
export function createClock(readMs: () => number = Date.now, readElapsedMs = () => performance.now()): Clock {
  let cachedDay = "";
  let cachedFor = Number.NaN;
  return {
    nowMs: readMs,
    elapsedMs: readElapsedMs,
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

/** Both clocks leave out the parts of a millisecond. */
const ROUNDING_MS = 1;

/** The system's clock while nothing is compared with it. A comparison corrects only what the time it took leaves certain. */
export function createFollowingClock(readMs: () => number = Date.now): FollowingClock {
  let aheadMs = 0;
  const nowMs = () => readMs() + aheadMs;
  return {
    ...createClock(nowMs),
    follow(theirMs, sentMs) {
      const atLeastMs = theirMs - nowMs() - ROUNDING_MS;
      const atMostMs = theirMs - sentMs + ROUNDING_MS;
      aheadMs += Math.max(atLeastMs, Math.min(0, atMostMs));
    },
  };
}
