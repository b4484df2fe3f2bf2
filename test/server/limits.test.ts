import fc from "fast-check";
import { expect, test } from "vitest";
import { createWindows, type Window } from "../../server/limits.ts";

/** A window of `requests` in `windowSeconds`, counted by a clock that the test sets. */
function createFixedWindow(requests: number, windowSeconds: number) {
  let now = 0;
  const rateLimit = { requests, windowSeconds, lookups: 0, failedAuth: 0, pages: 0 };
  const windows = createWindows({ config: { rateLimit }, clock: { nowMs: () => now }, store: {} });
  return {
    count(key: string, nowMs: number): Promise<Window | undefined> {
      now = nowMs;
      return windows.count("requests", key);
    },
  };
}

test("a window admits exactly its limit, and keys do not affect each other", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 5 }),
      fc.array(
        fc.record({ key: fc.constantFrom("a", "b", "c"), afterMs: fc.integer({ min: 0, max: 4000 }) }),
      ),
      async (limitMax, requests) => {
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
          const counted = await limit.count(key, nowMs);
          const isExceeded = counted?.retryAfterSeconds !== undefined;
          expect(isExceeded).toBe(window.passed >= limitMax);
          if (!isExceeded) window.passed += 1;
          expect(counted?.remaining).toBe(limitMax - window.passed);
        }
      },
    ),
  );
});

test("a clock set back opens a new window and locks nobody out", async () => {
  const limit = createFixedWindow(1, 10);
  await limit.count("key", 1_000_000);
  expect((await limit.count("key", 1_000_001))?.retryAfterSeconds).toBe(10);
  expect(await limit.count("key", 5_000)).toMatchObject({ retryAfterSeconds: undefined, resetSeconds: 10 });
});

test("a flood of addresses evicts the oldest and never the newest", async () => {
  const limit = createFixedWindow(1, 10);
  for (let address = 0; address < 10_001; address += 1) await limit.count(`address ${address}`, 1000);
  expect((await limit.count("address 10000", 1000))?.retryAfterSeconds).toBe(10);
  expect((await limit.count("address 9999", 1000))?.retryAfterSeconds).toBe(10);
  expect((await limit.count("address 0", 1000))?.retryAfterSeconds).toBeUndefined();
});
