import { expect, test } from "vitest";
import { afterFailure, HEALTHY, type Health, shouldDisable } from "../../src/webhooks/endpoint-object.ts";

const START_MS = Date.parse("2026-11-02T08:00:00.000Z");
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Failures at these milliseconds after the start, and whether the last one disables the endpoint. */
function failAt(offsets: readonly number[], status: number | null = 500): boolean {
  let health: Health = HEALTHY;
  let isDisabled = false;
  for (const offset of offsets) {
    const nowMs = START_MS + offset;
    const after = afterFailure(health, status, new Date(nowMs).toISOString());
    isDisabled = shouldDisable(health, after, status, { nowMs, disableAfterDays: 5 });
    health = after;
  }
  return isDisabled;
}

const spread = (count: number, lastMs: number) =>
  Array.from({ length: count }, (_none, index) => (index * lastMs) / (count - 1));

test.each([
  ["after ten failures in five days", spread(10, 5 * DAY_MS), 500, true],
  ["after ten without an answer", spread(10, 5 * DAY_MS), null, true],
  ["not after ten in 4.9 days", spread(10, 4.9 * DAY_MS), 500, false],
  ["not after nine in a month", spread(9, 30 * DAY_MS), 500, false],
  ["not after a thousand in an hour", spread(1000, HOUR_MS), 500, false],
  ["on a second 410 within the hour", [0, HOUR_MS], 410, true],
  ["not on a second 410 after the hour", [0, HOUR_MS + 1], 410, false],
  ["not on the first 410", [0], 410, false],
])("an endpoint is disabled %s", (_what, offsets, status, expected) => {
  expect(failAt(offsets, status)).toBe(expected);
});

test("a 410 is remembered through other failures, and cleared by a success", () => {
  const gone = afterFailure(HEALTHY, 410, "2026-11-02T08:00:00.000Z");
  const then = afterFailure(gone, 500, "2026-11-02T08:10:00.000Z");
  const again = afterFailure(then, 410, "2026-11-02T08:20:00.000Z");
  const limits = { nowMs: Date.parse("2026-11-02T08:20:00.000Z"), disableAfterDays: 5 };
  expect(shouldDisable(then, again, 410, limits)).toBe(true);
  expect(shouldDisable(HEALTHY, afterFailure(HEALTHY, 410, again.gone_at!), 410, limits)).toBe(false);
});
