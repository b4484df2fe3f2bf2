/** docs/contract.md#prices-with-vat */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VAT_CATEGORIES, type VatCategory } from "../../src/domain/document-codes.ts";
import { netParts } from "../../src/domain/gross-price.ts";
import { computeTotals } from "../../src/domain/totals.ts";
import { lineNet, thousandths } from "../../src/foundation/money.ts";

const CATEGORIES = Object.keys(VAT_CATEGORIES) as VatCategory[];

/** The parts, and what they add up to with VAT. */
function priced(quantity: string, gross: number, category: VatCategory) {
  const parts = netParts(quantity, gross, category);
  if (parts === undefined) throw new Error(`no net price for ${quantity} × ${gross}, ${category}`);
  const lines = parts.map((part) => ({
    quantity: part.quantity,
    unit_price: part.unitPrice,
    vat_category: category,
  }));
  return { parts, gross: computeTotals(lines).gross };
}

describe("a price with VAT", () => {
  test.each(CATEGORIES)(
    "of one piece is reached to the cent at %s, with one line where one exists",
    (category) => {
      let withOneLine = 0;
      for (let cents = 0; cents < 10_000; cents += 1) {
        const { parts, gross } = priced("1", cents, category);
        expect(gross).toBe(cents);
        expect(parts.length).toBeLessThanOrEqual(2);
        if (parts.length === 1) withOneLine += 1;
      }
      const { ratePercent } = VAT_CATEGORIES[category];
      const reachable = new Set<number>();
      for (let net = 0; net <= 10_000; net += 1)
        reachable.add(net + Math.floor((net * ratePercent + 50) / 100));
      expect(withOneLine).toBe([...reachable].filter((cents) => cents < 10_000).length);
    },
  );

  test("of any quantity is what the customer pays, and the shares add up to the quantity", () => {
    const quantity = fc.oneof(
      fc.integer({ min: 1, max: 100_000 }).map(String),
      fc.integer({ min: 1, max: 5_000_000 }).map((n) => String(n / 1000)),
    );
    const property = fc.property(
      quantity,
      fc.integer({ min: 2, max: 1_000_000 }),
      fc.constantFrom(...CATEGORIES),
      (amount, cents, category) => {
        const { parts, gross } = priced(amount, cents, category);
        expect(BigInt(gross)).toBe(lineNet(amount, cents));
        const shares = parts.filter(({ isRounding }) => !isRounding);
        expect(shares.reduce((sum, share) => sum + thousandths(share.quantity), 0n)).toBe(
          thousandths(amount),
        );
        expect(parts.every(({ unitPrice }) => Number.isSafeInteger(unitPrice) && unitPrice >= 0)).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 20_000 });
  });

  test("takes one net price, alone or in two lines, before two different ones", () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 2, max: 5000 }),
      fc.constantFrom(...CATEGORIES),
      (quantity, cents, category) => {
        const grossOf = (units: number, price: number) =>
          computeTotals([{ quantity: String(units), unit_price: price, vat_category: category }]).gross;
        const wanted = quantity * cents;
        const prices = Array.from({ length: cents + 1 }, (_, price) => price).filter(
          (price) => Math.abs(grossOf(quantity, price) - wanted) < 5,
        );
        const fits = (price: number) =>
          grossOf(quantity, price) === wanted ||
          Array.from({ length: quantity - 1 }, (_, index) => index + 1).some(
            (units) => grossOf(units, price) + grossOf(quantity - units, price) === wanted,
          );
        fc.pre(prices.some(fits));
        const used = priced(String(quantity), cents, category).parts.map(({ unitPrice }) => unitPrice);
        expect(new Set(used).size).toBe(1);
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  test.each([
    ["2", 250, ["1 × 202", "1 × 202"], "is shared out at one price"],
    ["3", 100, ["2 × 81", "1 × 80"], "is shared out at prices a cent apart"],
    ["25", 13, ["24 × 12", "1 × 24"], "leaves one unit a price of its own"],
    ["1", 1000, ["1 × 806", "1 × 1 rounding"], "has a second line for the last cent"],
    ["2.5", 1240, ["2.5 × 1000"], "stays one line"],
  ])("%s at %i cents %j %s", (quantity, cents, expected) => {
    const category = cents === 13 ? "super_reduced_island" : "standard";
    const written = netParts(quantity, cents, category)!.map(
      (part) => `${part.quantity} × ${part.unitPrice}${part.isRounding ? " rounding" : ""}`,
    );
    expect(written).toEqual(expected);
  });

  test("of a cent has no net price for some quantities", () => {
    expect(netParts("8", 1, "standard")).toBeUndefined();
  });
});
