import { expect, test } from "vitest";
import { createFollowingClock, instantText, startOfAthensDay } from "../../src/foundation/clock.ts";
import { readRetryAfterMs } from "../../src/foundation/http-sender.ts";

/** The comparison was sent at 10,000 by the own clock, and took 100 ms. */
test.each([
  { theirMs: 10_000, ahead: 0, why: "the answer may have come from the moment of the question" },
  { theirMs: 10_100, ahead: 0, why: "or from that of the answer" },
  { theirMs: 610_050, ahead: 599_949, why: "the other clock is ahead by at least this" },
  { theirMs: -589_950, ahead: -599_949, why: "the other clock is behind by at least this" },
])("a clock that hears $theirMs goes ahead by $ahead, because $why", ({ theirMs, ahead }) => {
  let ownMs = 10_000;
  const clock = createFollowingClock(() => ownMs);
  ownMs = 10_100;
  clock.follow(theirMs, 10_000);
  expect(clock.nowMs()).toBe(10_100 + ahead);
  expect(clock.now()).toBe(new Date(10_100 + ahead).toISOString());
});

test("comparisons that agree with what is known change nothing", () => {
  let ownMs = 10_000;
  const clock = createFollowingClock(() => ownMs);
  for (const [sent, took] of [
    [0, 2],
    [1000, 500],
    [2000, 2],
  ] as const) {
    ownMs = 10_000 + sent;
    const sentMs = clock.nowMs();
    ownMs += took;
    clock.follow(610_000 + sent + 1, sentMs);
    expect(clock.nowMs() - ownMs).toBe(599_998);
  }
});

test.each([
  ["2025-11-22T12:40:38.123Z", "22/11/2025 14:40:38", "2025-11-22"],
  ["2025-07-01T21:30:00.000Z", "02/07/2025 00:30:00", "2025-07-02"],
  ["2025-12-31T22:00:00Z", "01/01/2026 00:00:00", "2026-01-01"],
  ["not an instant", "not an instant", undefined],
])("people read %s as %s", (instant, el, day) => {
  expect(instantText(instant).el).toBe(el);
  if (day !== undefined) expect(instantText(instant).en).toBe(`${day}${el.slice(10)}`);
});

test.each([
  ["2026-01-15", "2026-01-14T22:00:00.000Z"],
  ["2026-07-15", "2026-07-14T21:00:00.000Z"],
  // On these days the clock is set forward and back, three hours after midnight.
  ["2026-03-29", "2026-03-28T22:00:00.000Z"],
  ["2026-10-25", "2026-10-24T21:00:00.000Z"],
])("%s begins at %s in Athens", (day, instant) => {
  expect(startOfAthensDay(day)).toBe(Date.parse(instant));
});

const NOW_MS = Date.parse("2026-11-02T08:00:00.000Z");

test.each([
  ["7", 7000],
  [" 0 ", 0],
  ["Mon, 02 Nov 2026 08:01:00 GMT", 60_000],
  ["Mon, 02 Nov 2026 07:00:00 GMT", 0],
  ["soon 5", undefined],
  ["2026-11-02T08:01:00Z", undefined],
  ["-1", undefined],
  ["1.5", undefined],
  ["", undefined],
  [undefined, undefined],
])("Retry-After %s is %s ms", (header, ms) => {
  expect(readRetryAfterMs(header, NOW_MS)).toBe(ms);
});
