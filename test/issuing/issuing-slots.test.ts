import { beforeEach, expect, test } from "vitest";
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
const excluded = (concurrency: number, kind: Route["kind"], claimed: Group[] = []) =>
  slotsOf(concurrency).excluded(kind, "provider_a", claimed, 0);

test.each([
  [1, 1],
  [2, 1],
  [4, 3],
  [8, 6],
])("of %i slots, queries may take %i", (concurrency, queries) => {
  expect(slotsOf(concurrency).free("query", [])).toBe(queries);
  inProgress = groups(queries, "query", "a");
  expect(slotsOf(concurrency).free("query", [])).toBe(0);
  expect(slotsOf(concurrency).free("send", [])).toBeGreaterThan(0);
});

test("sends may take all slots, but not those of one account", () => {
  inProgress = groups(7, "send", "a");
  expect(slotsOf(8).free("send", [])).toBe(1);
  expect(slotsOf(8).free("send", groups(1, "send", "b"))).toBe(0);
  expect(excluded(8, "send")).toEqual(["a"]);
  expect(excluded(8, "query")).toEqual([]);
});

test("the sandbox, which has no accounts, may take all slots", () => {
  inProgress = groups(7, "send", null);
  expect(excluded(8, "send")).toEqual([]);
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
