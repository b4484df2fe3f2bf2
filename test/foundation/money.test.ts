import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatEuro, lineNet, roundHalfUp, thousandths, vatOf } from "../../src/foundation/money.ts";

describe("rounding half up", () => {
  test.each<[numerator: bigint, denominator: bigint, rounded: bigint]>([
    [0n, 1000n, 0n],
    [499n, 1000n, 0n],
    [500n, 1000n, 1n],
    [501n, 1000n, 1n],
    [1499n, 1000n, 1n],
    [1500n, 1000n, 2n],
    [2500n, 1000n, 3n],
    [1n, 3n, 0n],
    [2n, 3n, 1n],
    [5n, 1n, 5n],
  ])("%d over %d is %d", (numerator, denominator, rounded) => {
    expect(roundHalfUp(numerator, denominator)).toBe(rounded);
  });

  test("is never further than a half away, and rounds an exact half up", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 24n), fc.bigInt(1n, 10n ** 6n), (numerator, denominator) => {
        const twiceError = 2n * (roundHalfUp(numerator, denominator) * denominator - numerator);
        expect(twiceError).toBeGreaterThan(-denominator);
        expect(twiceError).toBeLessThanOrEqual(denominator);
      }),
    );
  });
});

test.each([
  ["1", 1000n],
  ["2.5", 2500n],
  ["0.001", 1n],
  ["0.05", 50n],
  ["007.10", 7100n],
  ["999999999.999", 999_999_999_999n],
])("a quantity in thousandths %s", (quantity, expected) => expect(thousandths(quantity)).toBe(expected));

test.each<[quantity: string, cents: number, net: bigint]>([
  ["2.5", 333, 833n],
  ["1", 0, 0n],
  ["0.005", 100, 1n],
  ["0.004", 100, 0n],
  ["0.333", 1000, 333n],
  ["3.5", 1, 4n],
  // Beyond 2^53: a double would end in 000.
  ["999999999.999", 100_000_000_000, 99_999_999_999_900_000_000n],
  ["90071.993", 99_999_999_999, 9_007_199_299_909_928n],
])("the net of a line %s × %d cents is %d", (quantity, cents, net) =>
  expect(lineNet(quantity, cents)).toBe(net),
);

test.each<[net: bigint, rate: number, vat: bigint]>([
  [833n, 24, 200n],
  [0n, 24, 0n],
  [2n, 24, 0n],
  [3n, 24, 1n],
  [50n, 13, 7n],
  [25n, 6, 2n],
  [50n, 17, 9n],
  [50n, 9, 5n],
  [12n, 4, 0n],
  [13n, 4, 1n],
  [1_000_000n, 0, 0n],
  [1_000_000_000_000_000n, 24, 240_000_000_000_000n],
])("the VAT of a line of %d cents at %d %% is %d", (net, rate, vat) => expect(vatOf(net, rate)).toBe(vat));

describe("cents as euro", () => {
  test.each([
    [0, "0.00"],
    [5, "0.05"],
    [99, "0.99"],
    [100, "1.00"],
    [1240, "12.40"],
    [1_250_000_000_000_000, "12500000000000.00"],
    [1_249_999_999_999_999, "12499999999999.99"],
  ])("%d is %s", (cents, text) => expect(formatEuro(cents)).toBe(text));

  test("are exact up to the largest gross total", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_250_000_000_000_000 }), (cents) => {
        const text = formatEuro(cents);
        expect(text).toMatch(/^(0|[1-9]\d*)\.\d\d$/);
        expect(Number(text.replace(".", ""))).toBe(cents);
      }),
    );
  });
});
