import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CountedDocument, createTotalsCounter, signOf } from "../../src/books/export-documents.ts";
import { GROSS_MAX, NET_MAX, VAT_CATEGORIES, type VatCategory } from "../../src/domain/document-codes.ts";
import { DOCUMENT_TYPES } from "../../src/domain/document-types.ts";
import { DOCUMENT_STATUSES } from "../../storage/stored-values.ts";

const AT = "2026-11-21T09:00:00.000Z";

test.each([
  ["1.1", "issued", null, 1],
  ["2.1", "issued", null, 1],
  ["5.1", "issued", null, -1],
  ["5.2", "issued", null, -1],
  ["11.1", "issued", null, 1],
  ["11.2", "issued", null, 1],
  ["1.1", "issued", AT, 0],
  ["5.1", "issued", AT, 0],
  ["1.1", "rejected", null, 0],
  ["1.1", "failed", null, 0],
  ["1.1", "pending", null, 0],
] as const)("the sign of %s, %s, cancelled at %s: %i", (type, status, cancelled_at, count) => {
  expect(signOf({ type, status, cancelled_at })).toBe(count);
});

const categories = fc.constantFrom(...(Object.keys(VAT_CATEGORIES) as VatCategory[]));
const shares = fc.array(
  fc.record({
    category: categories,
    net: fc.integer({ min: 0, max: NET_MAX }),
    vat: fc.integer({ min: 0, max: GROSS_MAX - NET_MAX }),
  }),
  { minLength: 1, maxLength: 3 },
);
const sum = (amounts: readonly (number | bigint)[]) =>
  amounts.reduce<bigint>((total, amount) => total + BigInt(amount), 0n);

const documents: fc.Arbitrary<CountedDocument> = fc
  .record({
    type: fc.constantFrom(...DOCUMENT_TYPES),
    status: fc.constantFrom(...DOCUMENT_STATUSES),
    cancelled_at: fc.constantFrom(null, AT),
    vat_by_category: shares,
  })
  .map((document) => {
    const net = Number(sum(document.vat_by_category.map((share) => share.net)));
    const vat = Number(sum(document.vat_by_category.map((share) => share.vat)));
    return { ...document, net, vat, gross: net + vat };
  });

describe("export totals", () => {
  test("equal the exact sum of the documents by type and by category, in any order", () => {
    fc.assert(
      fc.property(fc.array(documents, { maxLength: 40 }), (all) => {
        const counter = createTotalsCounter();
        for (const document of all) counter.add(document);
        const { by_type, by_vat } = counter.totals();
        const expected = (field: "net" | "vat" | "gross") =>
          sum(all.map((document) => BigInt(signOf(document)) * BigInt(document[field])));
        expect(sum(by_type.map(({ net }) => net))).toBe(expected("net"));
        expect(sum(by_type.map(({ gross }) => gross))).toBe(expected("gross"));
        expect(sum(by_vat.map(({ net }) => net))).toBe(expected("net"));
        expect(sum(by_vat.map(({ vat }) => vat))).toBe(expected("vat"));
        const backwards = createTotalsCounter();
        for (const document of all.toReversed()) backwards.add(document);
        expect(backwards.totals()).toEqual(counter.totals());
      }),
      { numRuns: 60 },
    );
  });

  test("count a cancelled document without its amounts", () => {
    const counter = createTotalsCounter();
    const amounts = { net: 100, vat: 24, gross: 124, vat_by_category: [] };
    counter.add({ type: "1.1", status: "issued", cancelled_at: AT, ...amounts });
    expect(counter.totals()).toEqual({
      by_type: [{ type: "1.1", documents: 0, cancelled: 1, net: 0n, vat: 0n, gross: 0n }],
      by_vat: [],
    });
  });
});
