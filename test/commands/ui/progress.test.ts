import { describe, expect, test } from "vitest";
import { type BarState, formatBar } from "../../../commands/ui/progress.ts";

const FULL = "█".repeat(30);
const HALF = "█".repeat(15) + "░".repeat(15);

describe("a progress bar", () => {
  test.each<[state: BarState, shown: string]>([
    [{ done: 0, total: 0, fraction: undefined, elapsedMs: 0 }, "work 0"],
    [{ done: 256, total: 0, fraction: undefined, elapsedMs: 100 }, "work 256"],
    [{ done: 256, total: 0, fraction: undefined, elapsedMs: 2000 }, "work 256 128/s"],
    [{ done: 256, total: 0, fraction: 0.5, elapsedMs: 100 }, `work 256 ${HALF}`],
    [{ done: 256, total: 0, fraction: 0.5, elapsedMs: 2000 }, `work 256 ${HALF} 128/s, 2 s left`],
    [{ done: 5, total: 10, fraction: 0.5, elapsedMs: 100_000 }, `work ${HALF} 5/10 1/s, 2 min left`],
    [{ done: 5, total: 10, fraction: 0.5, elapsedMs: 7_200_000 }, `work ${HALF} 5/10 1/s, 2.0 h left`],
    [{ done: 0, total: 10, fraction: 0, elapsedMs: 5000 }, `work ${"░".repeat(30)} 0/10`],
    [{ done: 10, total: 10, fraction: 1, elapsedMs: 5000 }, `work ${FULL} 10/10 2/s, 0 s left`],
    [{ done: 900, total: 0, fraction: 1.2, elapsedMs: 1000 }, `work 900 ${FULL} 900/s, 0 s left`],
  ])("shows %j as %j", (state, shown) => {
    expect(formatBar("work", state)).toBe(shown);
  });
});
