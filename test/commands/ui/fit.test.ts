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
    { natural: [10, 20], kept: [false, false], available: 30, cells: undefined },
    { natural: [10, 20], kept: [false, false], available: 24, cells: [10, 14] },
    { natural: [40, 40], kept: [false, false], available: 30, cells: [15, 15] },
    { natural: [26, 40, 4], kept: [true, false, false], available: 50, cells: [26, 20, 4] },
    // The id gives way only when the others would say nothing any more.
    { natural: [26, 40, 40], kept: [true, false, false], available: 30, cells: [10, 10, 10] },
  ])("$natural in $available", ({ natural, kept, available, cells }) => {
    expect(fitColumns(natural, kept, available)).toEqual(cells);
  });

  test("never takes more than there is, never widens a column, and leaves none without a letter", () => {
    const column = fc.record({ width: fc.integer({ min: 1, max: 200 }), isKept: fc.boolean() });
    fc.assert(
      fc.property(
        fc.array(column, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 10, max: 300 }),
        (columns, available) => {
          const natural = columns.map(({ width }) => width);
          const cells =
            fitColumns(
              natural,
              columns.map(({ isKept }) => isKept),
              available,
            ) ?? natural;
          expect(cells.reduce((total, width) => total + width, 0)).toBeLessThanOrEqual(available);
          cells.forEach((width, index) => {
            expect(width).toBeGreaterThanOrEqual(1);
            expect(width).toBeLessThanOrEqual(natural[index] ?? 0);
          });
        },
      ),
    );
  });
});
