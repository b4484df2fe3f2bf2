/** The only place that reads the time. Instants are UTC ISO strings, which sort as text; the legal day of a document is that of Athens. */
import { dayText } from "./days.ts";
import type { Text } from "./text.ts";

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
let athensFormat: Intl.DateTimeFormat | undefined;

/** How long a formatted day is reused, so the day may change up to a second late. */
const DAY_CACHE_MS = 1000;

/** Whether the instant has passed. One that cannot be read has, so that a damaged expiry never extends access. */
export function hasPassed(instant: string, nowMs: number): boolean {
  const atMs = Date.parse(instant);
  return Number.isNaN(atMs) || atMs <= nowMs;
}

/** The calendar day in Athens at `ms`, `YYYY-MM-DD`. */
export function athensDay(ms: number): string {
  return athensTime(ms).day;
}

/** The day, `2026-11-22`, and the time of day, `14:40:38`, in Athens at `ms`. */
export function athensTime(ms: number): { day: string; time: string } {
  // Of all locales, the Swedish one writes a date as ISO 8601 does.
  athensFormat ??= new Intl.DateTimeFormat("sv-SE", {
    timeZone: "Europe/Athens",
    dateStyle: "short",
    timeStyle: "medium",
  });
  const [day, time] = athensFormat.format(ms).split(" ") as [string, string];
  return { day, time };
}

/** An instant on the clock of Athens: `2025-11-22 14:40:38`, in Greek `22/11/2025 14:40:38`. Unreadable text is returned as it is. */
export function instantText(instant: string): Text {
  const ms = Date.parse(instant);
  if (Number.isNaN(ms)) return { en: instant, el: instant };
  const { day, time } = athensTime(ms);
  const { en, el } = dayText(day);
  return { en: `${en} ${time}`, el: `${el} ${time}` };
}

/** The possible UTC offsets of Athens at midnight. */
const ATHENS_HOURS = [3, 2];

/** The first instant of a day in Athens, in milliseconds. */
export function startOfAthensDay(day: string): number {
  const midnights = ATHENS_HOURS.map((hours) => Date.parse(`${day}T00:00:00.000Z`) - hours * 3_600_000);
  return midnights.find((ms) => athensDay(ms) === day)!;
}

/** `readMs` is the system's time, or a value that a test sets; so is `readElapsedMs`. */
export function createClock(readMs: () => number = Date.now, readElapsedMs = () => performance.now()): Clock {
  let cachedDay = "";
  let cachedFor = Number.NaN;
  return {
    nowMs: readMs,
    elapsedMs: readElapsedMs,
    now: () => new Date(readMs()).toISOString(),
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
