import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextDelayMs } from "../../src/work/kinds.ts";

const DELAYS = [0, 5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const none = { retryAfterMs: undefined, random: 0.5 };

test("after each attempt comes the delay before the next, and nothing after the tenth", () => {
  const delays = DELAYS.map((_delay, index) => nextDelayMs({ tries: index + 1, ...none }, DELAYS));
  expect(delays).toEqual([...DELAYS.slice(1).map((seconds) => seconds * 1000), undefined]);
});

test("the delay deviates by at most a fifth", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (tries, random) => {
        const delayMs = nextDelayMs({ tries, random, retryAfterMs: undefined }, DELAYS) ?? 0;
        const stepMs = DELAYS[tries]! * 1000;
        expect(delayMs).toBeGreaterThanOrEqual(stepMs * 0.8);
        expect(delayMs).toBeLessThanOrEqual(stepMs * 1.2);
      },
    ),
  );
});

describe("limits a Retry-After to one to two times the step regardless of the jitter", () => {
  test.each([
    [0, 5_000],
    [5_000, 5_000],
    [7_500, 7_500],
    [10_000, 10_000],
    [3_600_000, 10_000],
  ])("%i ms: %i ms", (retryAfterMs, delayMs) => {
    expect(nextDelayMs({ tries: 1, retryAfterMs, random: 0 }, DELAYS)).toBe(delayMs);
  });

  test("and never retries sooner than requested within that", () => {
    expect(nextDelayMs({ tries: 1, retryAfterMs: 5_100, random: 1 }, DELAYS)).toBe(6_000);
  });
});
