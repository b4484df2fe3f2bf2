import fc from "fast-check";
import { expect, test } from "vitest";
import { createFixedWindow } from "../../server/limits.ts";

test("0 turns the limit off", () => {
  const limit = createFixedWindow(0, 10);
  expect(limit.count("key", 0)).toBeUndefined();
});

test.each([
  [0, { limit: 2, remaining: 1, resetSeconds: 10, isExceeded: false }],
  [9_001, { limit: 2, remaining: 0, resetSeconds: 1, isExceeded: false }],
  [9_999, { limit: 2, remaining: 0, resetSeconds: 1, isExceeded: true }],
  [10_000, { limit: 2, remaining: 1, resetSeconds: 10, isExceeded: false }],
])("at %i ms of a window of two in ten seconds", (nowMs, expected) => {
  const limit = createFixedWindow(2, 10);
  const before = [0, 9_001, 9_999, 10_000].filter((ms) => ms < nowMs);
  for (const ms of before) limit.count("key", ms);
  expect(limit.count("key", nowMs)).toEqual(expected);
});

test("a window admits exactly its limit, and keys do not affect each other", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(
        fc.record({ key: fc.constantFrom("a", "b", "c"), afterMs: fc.integer({ min: 0, max: 4000 }) }),
      ),
      (limitMax, requests) => {
        const limit = createFixedWindow(limitMax, 10);
        const opened = new Map<string, { startedMs: number; passed: number }>();
        let nowMs = 0;
        for (const { key, afterMs } of requests) {
          nowMs += afterMs;
          let window = opened.get(key);
          if (window === undefined || nowMs - window.startedMs >= 10_000) {
            window = { startedMs: nowMs, passed: 0 };
            opened.set(key, window);
          }
          const counted = limit.count(key, nowMs);
          expect(counted?.isExceeded).toBe(window.passed >= limitMax);
          if (counted?.isExceeded === false) window.passed += 1;
          expect(counted?.remaining).toBe(limitMax - window.passed);
        }
      },
    ),
  );
});

test("a clock set back opens a new window and locks nobody out", () => {
  const limit = createFixedWindow(1, 10);
  limit.count("key", 1_000_000);
  expect(limit.count("key", 1_000_001)?.isExceeded).toBe(true);
  expect(limit.count("key", 5_000)).toMatchObject({ isExceeded: false, resetSeconds: 10 });
});

test("a flood of addresses evicts the oldest and never the newest", () => {
  const limit = createFixedWindow(1, 10);
  for (let address = 0; address < 10_001; address += 1) limit.count(`address ${address}`, 1000);
  expect(limit.count("address 10000", 1000)?.isExceeded).toBe(true);
  expect(limit.count("address 9999", 1000)?.isExceeded).toBe(true);
  expect(limit.count("address 0", 1000)?.isExceeded).toBe(false);
});
