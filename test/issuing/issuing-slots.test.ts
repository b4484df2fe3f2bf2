/** How many requests each account may have at once, and when an account or a provider that does not answer is paused. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Group } from "../../src/issuing/claimed-group.ts";
import {
  type Availability,
  createAvailability,
  createSlots,
  type Route,
} from "../../src/issuing/issuing-slots.ts";

let availability: Availability;
let inProgress: Group[];
beforeEach(() => {
  availability = createAvailability();
  inProgress = [];
});

function groups(count: number, kind: Route["kind"], connectionId: string | null): Group[] {
  const phase = kind === "send" ? "submitting" : "reconciling";
  const group = { adapter: { provider: "provider_a" }, phase, mode: "test", connectionId, claimed: [] };
  return Array.from({ length: count }, () => group as unknown as Group);
}
const slotsOf = (concurrency: number) => createSlots(concurrency, availability, () => inProgress);
const fail = (kind: Route["kind"], connectionId: string) =>
  availability.failed({ kind, provider: "provider_a", mode: "test", connectionId }, 0, undefined);
const room = (concurrency: number, kind: Route["kind"], claimed: Group[] = []) =>
  slotsOf(concurrency).room(kind, "provider_a", claimed, 0);
const free = (concurrency: number, kind: Route["kind"], claimed: Group[] = []) =>
  room(concurrency, kind, claimed)?.free ?? 0;
const excluded = (concurrency: number, kind: Route["kind"], claimed: Group[] = []) =>
  room(concurrency, kind, claimed)?.excluded;

test.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [8, 6],
])("of %i slots, queries may take %i", (concurrency, queries) => {
  expect(free(concurrency, "query")).toBe(queries);
  inProgress = groups(queries, "query", "a");
  expect(free(concurrency, "query")).toBe(0);
  expect(free(concurrency, "send")).toBeGreaterThan(0);
});

test("sends may take all slots, but not those of one account", () => {
  inProgress = groups(7, "send", "a");
  expect(free(8, "send")).toBe(1);
  expect(free(8, "send", groups(1, "send", "b"))).toBe(0);
  expect(excluded(8, "send")).toEqual(["a"]);
  expect(excluded(8, "query")).toEqual([]);
});

test("the sandbox, which has no accounts, makes one send and one query at a time", () => {
  inProgress = groups(1, "send", null);
  expect(free(8, "send")).toBe(0);
  expect(free(8, "query")).toBe(6);
  expect(slotsOf(8).room("send", "registry_direct", [], 0)).toEqual({ free: 7, excluded: [] });
});

test("an account without an answer gets one slot, and all such accounts a quarter", () => {
  for (const account of ["a", "b", "c"]) fail("send", account);
  availability.answered(
    { kind: "send", provider: "provider_a", mode: "test", connectionId: "d" },
    0,
    undefined,
  );
  inProgress = groups(1, "send", "a");
  expect(excluded(8, "send")).toEqual(["a"]);
  expect(excluded(8, "send", groups(1, "send", "b"))).toEqual(["a", "b", "c"]);
});

test("a provider in an outage leaves half of the slots to others", () => {
  for (const account of ["a", "b", "c"]) fail("send", account);
  inProgress = ["d", "e", "f", "g"].flatMap((account) => groups(1, "send", account));
  expect(excluded(8, "send")).toContain("test");
});

test("an account at its limit is not passed over in a round that has claimed something", () => {
  inProgress = groups(6, "send", "a");
  expect(excluded(8, "send", groups(1, "send", "a"))).toBeUndefined();
});

const route = (connectionId: string, kind: Route["kind"] = "send"): Route => ({
  kind,
  provider: "provider_a",
  mode: "live",
  connectionId,
});
const paused = (nowMs: number, kind: Route["kind"] = "send") =>
  availability.paused(kind, "provider_a", nowMs);
const failAt = (connectionId: string, nowMs: number, times = 1, kind: Route["kind"] = "send") => {
  for (let time = 0; time < times; time += 1)
    availability.failed(route(connectionId, kind), nowMs, undefined);
};
const answer = (connectionId: string) => availability.answered(route(connectionId), 0, undefined);

test("five failures in a row pause that account; four do not", () => {
  failAt("a", 0, 4);
  expect(paused(0)).toEqual([]);
  expect(availability.failing("send", "provider_a")).toEqual(["a"]);
  failAt("a", 0);
  expect(paused(0)).toEqual(["a"]);
  expect(availability.paused("send", "registry_direct", 0)).toEqual([]);
});

test("queries without an answer pause no send", () => {
  failAt("a", 0, 9, "query");
  expect(paused(0, "query")).toEqual(["a"]);
  expect(paused(0)).toEqual([]);
  expect(availability.failing("send", "provider_a")).toEqual([]);
});

test("any answer restarts the count", () => {
  failAt("a", 0, 4);
  answer("a");
  failAt("a", 0, 4);
  expect(paused(0)).toEqual([]);
});

test("a pause doubles with each failed test of the account, up to a minute", () => {
  failAt("a", 0, 5);
  const lengths: number[] = [];
  let nowMs = 0;
  for (let round = 0; round < 6; round += 1) {
    let untilMs = nowMs;
    while (paused(untilMs).length > 0) untilMs += 1_000;
    lengths.push(untilMs - nowMs);
    nowMs = untilMs;
    // The failure of a group that began before the pause changes nothing.
    failAt("a", nowMs, 2);
  }
  expect(lengths).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
  answer("a");
  expect(paused(nowMs)).toEqual([]);
});

describe("an outage of the provider", () => {
  beforeEach(() => {
    for (const account of ["a", "b", "c"]) failAt(account, 0);
  });

  test("pauses an account after its first failure, and no account that has not failed", () => {
    expect(availability.outages("send", "provider_a")).toEqual(["live"]);
    failAt("d", 0);
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
    failAt("a", 0, 20);
    failAt("b", 0);
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
