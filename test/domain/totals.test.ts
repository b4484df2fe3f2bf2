import fc from "fast-check";
import { expect, test } from "vitest";
import {
  computeExactTotals,
  computeTotals,
  computeVatShares,
  type PricedLine,
} from "../../src/domain/totals.ts";
import { type VatCategory, VAT_CATEGORIES } from "../../src/domain/document-codes.ts";

function line(quantity: string, unitPrice: number, category: VatCategory = "standard"): PricedLine {
  return { quantity, unit_price: unitPrice, vat_category: category };
}

test("rounds each line before it sums: three lines of half a cent of VAT are two cents more than one", () => {
  const third = line("1", 50, "reduced");
  expect(computeTotals([third, third, third])).toMatchObject({ net: 150, vat: 21, gross: 171 });
  expect(computeTotals([line("3", 50, "reduced")])).toMatchObject({ net: 150, vat: 20, gross: 170 });
});

test("refuses sums beyond a number's precision", () => {
  const huge = line("999999999.999", 100_000_000_000);
  expect(() => computeTotals([huge])).toThrow(RangeError);
  expect(computeExactTotals([huge, huge]).net).toBe(199_999_999_999_800_000_000n);
});

/** A quantity of `units` thousandths, without trailing zeros. */
function quantityOf(units: number): string {
  const decimals = String(units % 1000)
    .padStart(3, "0")
    .replace(/0+$/, "");
  return `${Math.floor(units / 1000)}${decimals === "" ? "" : `.${decimals}`}`;
}

test("equal those of naive integer arithmetic", () => {
  const category = fc.constantFrom(...(Object.keys(VAT_CATEGORIES) as VatCategory[]));
  const units = fc.integer({ min: 1, max: 999_999_999_999 });
  const lineOf = fc.record({ units, price: fc.integer({ min: 0, max: 100_000_000_000 }), category });
  fc.assert(
    fc.property(fc.array(lineOf, { maxLength: 20 }), (drawn) => {
      let [net, vat] = [0n, 0n];
      for (const each of drawn) {
        // Adds half of the divisor and truncates: the simple way to round half up.
        const netOfLine = (BigInt(each.units) * BigInt(each.price) + 500n) / 1000n;
        net += netOfLine;
        vat += (netOfLine * BigInt(VAT_CATEGORIES[each.category].ratePercent) + 50n) / 100n;
      }
      const lines = drawn.map((each) => line(quantityOf(each.units), each.price, each.category));
      expect(computeExactTotals(lines)).toMatchObject({ net, vat, gross: net + vat });
    }),
    { numRuns: 500 },
  );
});

test("by category list each category once, and add up to the document's own", () => {
  const category = fc.constantFrom(...(Object.keys(VAT_CATEGORIES) as VatCategory[]));
  const lineOf = fc.record({
    units: fc.integer({ min: 1, max: 9_999_999 }),
    price: fc.integer({ min: 0, max: 10_000_000 }),
    category,
  });
  fc.assert(
    fc.property(fc.array(lineOf, { maxLength: 20 }), (drawn) => {
      const lines = drawn.map((each) => line(quantityOf(each.units), each.price, each.category));
      const shares = computeVatShares(lines);
      const { net, vat } = computeTotals(lines);
      expect(shares.reduce((sum, share) => sum + share.net, 0)).toBe(net);
      expect(shares.reduce((sum, share) => sum + share.vat, 0)).toBe(vat);
      expect(shares.map((share) => share.category)).toEqual([...new Set(drawn.map((each) => each.category))]);
    }),
    { numRuns: 100 },
  );
});
