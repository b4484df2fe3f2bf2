import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { displayWidth, fitColumns } from "../../../commands/ui/fit.ts";

describe("displayWidth", () => {
  test.each([
    ["abc", 3],
    ["Παράδειγμα", 10],
    ["Παρα\u0301δειγμα", 10],
    ["漢字", 4],
    ["", 0],
  ])("%s takes %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });
});

describe("fitColumns", () => {
  test.each([
    { natural: [10, 20], ranks: [0, 0], available: 30, cells: undefined },
    { natural: [10, 20], ranks: [0, 0], available: 24, cells: [10, 14] },
    { natural: [40, 40], ranks: [0, 0], available: 30, cells: [15, 15] },
    { natural: [26, 40, 4], ranks: [1, 0, 3], available: 50, cells: [26, 20, 4] },
    // The id shrinks once the long text has its minimum width.
    { natural: [26, 40, 10], ranks: [1, 0, 3], available: 30, cells: [10, 10, 10] },
    { natural: [26, 10], ranks: [1, 3], available: 16, cells: [6, 10] },
    { natural: [26, 10], ranks: [1, 3], available: 10, cells: [5, 5] },
  ])("$natural by $ranks in $available", ({ natural, ranks, available, cells }) => {
    expect(fitColumns(natural, ranks, available)).toEqual(cells);
  });

  test("never exceeds the available width, widens a column or hides one", () => {
    const column = fc.record({
      width: fc.integer({ min: 1, max: 200 }),
      rank: fc.integer({ min: 0, max: 3 }),
    });
    const table = fc.array(column, { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(table, fc.integer({ min: 10, max: 300 }), (columns, available) => {
        const natural = columns.map(({ width }) => width);
        const ranks = columns.map(({ rank }) => rank);
        const cells = fitColumns(natural, ranks, available) ?? natural;
        expect(cells.reduce((total, width) => total + width, 0)).toBeLessThanOrEqual(available);
        cells.forEach((width, index) => {
          expect(width).toBeGreaterThanOrEqual(1);
          expect(width).toBeLessThanOrEqual(natural[index] ?? 0);
        });
      }),
    );
  });
});
