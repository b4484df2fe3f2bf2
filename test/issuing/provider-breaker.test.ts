import { beforeEach, describe, expect, test } from "vitest";
import { type Breaker, createBreaker } from "../../src/issuing/provider-breaker.ts";

let breaker: Breaker;
beforeEach(() => {
  breaker = createBreaker(["test", "live"]);
});

const open = (nowMs: number) => breaker.openModes("provider_a", nowMs);
const fail = (nowMs: number, retryAfterMs?: number) => {
  breaker.began("provider_a", "live");
  breaker.failed("provider_a", "live", nowMs, retryAfterMs);
};

test("five failures in a row open the breaker of that provider and mode; four do not", () => {
  for (let times = 0; times < 4; times += 1) fail(0);
  expect(open(0)).toEqual(["test", "live"]);
  fail(0);
  expect(open(0)).toEqual(["test"]);
  expect(breaker.openModes("registry_direct", 0)).toEqual(["test", "live"]);
});

test("any response restarts the count", () => {
  for (let times = 0; times < 4; times += 1) fail(0);
  breaker.answered("provider_a", "live");
  for (let times = 0; times < 4; times += 1) fail(0);
  expect(open(0)).toEqual(["test", "live"]);
});

describe("an open breaker", () => {
  beforeEach(() => {
    for (let times = 0; times < 5; times += 1) fail(0);
  });

  test("lets one group through after its pause, and no second one", () => {
    expect(open(4_999)).toEqual(["test"]);
    expect(open(5_000)).toEqual(["test", "live"]);
    expect(breaker.isProbe("provider_a", "live")).toBe(true);
    breaker.began("provider_a", "live");
    expect(open(5_000)).toEqual(["test"]);
  });

  test("closes on a response, and doubles its pause on a failure, up to a minute", () => {
    const times: number[] = [];
    let now = 5_000;
    for (let round = 0; round < 6; round += 1) {
      fail(now);
      let until = now;
      while (!open(until).includes("live")) until += 1_000;
      times.push(until - now);
      now = until;
    }
    expect(times).toEqual([10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
    breaker.answered("provider_a", "live");
    expect(breaker.isProbe("provider_a", "live")).toBe(false);
    expect(open(now)).toEqual(["test", "live"]);
  });
});

test("a requested pause opens the breaker at once, for at most an hour", () => {
  fail(0, 30_000);
  expect(open(29_999)).toEqual(["test"]);
  expect(open(30_000)).toEqual(["test", "live"]);
  breaker.answered("provider_a", "live");
  fail(0, 999_999_999);
  expect(open(3_600_000)).toEqual(["test", "live"]);
});
