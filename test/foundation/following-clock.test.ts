import { expect, test } from "vitest";
import { createFollowingClock } from "../../src/foundation/clock.ts";

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
