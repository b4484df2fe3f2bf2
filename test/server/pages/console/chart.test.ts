import { describe, expect, test } from "vitest";
import { layOutBars } from "../../../../server/pages/console/chart.ts";

describe("a chart", () => {
  test("has bars above its zero line, and below it for negative values", () => {
    const { bars, zero } = layOutBars([30n, 0n, -10n]);
    expect(zero).toBe(105);
    expect(bars.map(({ y, height, isBelow }) => [y, height, isBelow])).toEqual([
      [0, 105, false],
      [105, 0, false],
      [105, 35, true],
    ]);
  });

  test("shows small values next to large ones, and nothing for zero", () => {
    expect(layOutBars([1n, 1_000_000n]).bars[0]!.height).toBe(1);
    expect(layOutBars([0n, 0n]).bars.every(({ height }) => height === 0)).toBe(true);
  });
});
