import { beforeEach, describe, expect, test } from "vitest";
import { type Availability, createAvailability, type Route } from "../../src/issuing/issuing-slots.ts";

let availability: Availability;
beforeEach(() => {
  availability = createAvailability();
});

const route = (connectionId: string, kind: Route["kind"] = "send"): Route => ({
  kind,
  provider: "provider_a",
  mode: "live",
  connectionId,
});
const paused = (nowMs: number, kind: Route["kind"] = "send") =>
  availability.paused(kind, "provider_a", nowMs);
const fail = (connectionId: string, nowMs: number, times = 1, kind: Route["kind"] = "send") => {
  for (let time = 0; time < times; time += 1)
    availability.failed(route(connectionId, kind), nowMs, undefined);
};
const answer = (connectionId: string) => availability.answered(route(connectionId), 0, undefined);

test("five failures in a row pause that account; four do not", () => {
  fail("a", 0, 4);
  expect(paused(0)).toEqual([]);
  expect(availability.failing("send", "provider_a")).toEqual(["a"]);
  fail("a", 0);
  expect(paused(0)).toEqual(["a"]);
  expect(availability.paused("send", "registry_direct", 0)).toEqual([]);
});

test("queries without an answer pause no send", () => {
  fail("a", 0, 9, "query");
  expect(paused(0, "query")).toEqual(["a"]);
  expect(paused(0)).toEqual([]);
  expect(availability.failing("send", "provider_a")).toEqual([]);
});

test("any answer restarts the count", () => {
  fail("a", 0, 4);
  answer("a");
  fail("a", 0, 4);
  expect(paused(0)).toEqual([]);
});

test("a pause doubles with each failed test of the account, up to a minute", () => {
  fail("a", 0, 5);
  const lengths: number[] = [];
  let nowMs = 0;
  for (let round = 0; round < 6; round += 1) {
    let untilMs = nowMs;
    while (paused(untilMs).length > 0) untilMs += 1_000;
    lengths.push(untilMs - nowMs);
    nowMs = untilMs;
    // The failure of a group that began before the pause changes nothing.
    fail("a", nowMs, 2);
  }
  expect(lengths).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  answer("a");
  expect(paused(nowMs)).toEqual([]);
});

describe("an outage of the provider", () => {
  beforeEach(() => {
    for (const account of ["a", "b", "c"]) fail(account, 0);
  });

  test("pauses an account after its first failure, and no account that has not failed", () => {
    expect(availability.outages("send", "provider_a")).toEqual(["live"]);
    fail("d", 0);
    expect(paused(0)).toEqual(["c", "d"]);
    expect(paused(5_000)).toEqual([]);
  });

  test("ends with the answer to any account", () => {
    answer("e");
    expect(availability.outages("send", "provider_a")).toEqual([]);
    expect(paused(0)).toEqual([]);
  });

  test("is not declared while one account fails and others get answers", () => {
    answer("e");
    fail("a", 0, 20);
    fail("b", 0);
    expect(availability.outages("send", "provider_a")).toEqual([]);
  });
});

test("a requested pause starts at once, for that account and kind, and lasts at most an hour", () => {
  availability.failed(route("a"), 0, 30_000);
  expect(paused(29_999)).toEqual(["a"]);
  expect(paused(29_999, "query")).toEqual([]);
  expect(paused(30_000)).toEqual([]);
  availability.answered(route("a"), 0, 999_999_999);
  expect(paused(3_599_999)).toEqual(["a"]);
  expect(paused(3_600_000)).toEqual([]);
});

test("a clock that is set back ends a pause that could not be that long", () => {
  availability.answered(route("a"), 7_200_000, 3_600_000);
  expect(paused(0)).toEqual([]);
});
