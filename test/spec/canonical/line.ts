// docs/contract.md#lines
// docs/contract.md#vat-categories
// docs/contract.md#income-classification
import { describe, expect, test } from "vitest";
import { INCOME_CATEGORIES, INCOME_TYPES } from "../../../src/domain/document-codes.ts";
import {
  added,
  buildDocument,
  buildLine,
  changed,
  expectRefused,
  expectTaken,
  type Keys,
} from "../helpers/canonical.ts";
import { type Json, useServer } from "../helpers/bench.ts";

const server = useServer();

/** A document whose only line has these fields, with matching totals. */
function withLine(fields: Record<string, unknown>): unknown {
  return added(buildDocument("1.1", { lines: [buildLine(fields)] }));
}

/** The same for lines from which totals cannot be computed. */
function withBadLine(name: string, value: unknown): unknown {
  return changed(buildDocument("1.1"), ["lines", 0, name], value);
}

const at = (...keys: Keys): Keys => ["lines", 0, ...keys];

async function detailOf(document: unknown): Promise<Json> {
  return (await expectTaken(server(), document)).payload.InvoicesDoc.invoice[0].invoiceDetails[0];
}

async function expectBad(name: string, ...values: unknown[]): Promise<void> {
  for (const value of values) await expectRefused(server(), withBadLine(name, value), at(name));
}

describe("Canonical document: Line", () => {
  test("description: 1 to 300 characters, required", async () => {
    for (const text of ["ώ", "ώ".repeat(300), "😀".repeat(300)])
      await expectTaken(server(), withLine({ description: text }));
    await expectBad("description", "", "ώ".repeat(301), 5, undefined, null);
  });

  test("quantity: a decimal string above 0, at most 9 integer digits and 3 decimals", async () => {
    for (const quantity of ["0.001", "1", "1.5", "2.50", "999999999", "999999999.999", "000000001"])
      await expectTaken(server(), withLine({ quantity, unit_price: 1 }));
    await expectBad("quantity", "0", "0.000", "-1", "1000000000", "1.0001", "1,5", "1.", ".5", "1e3");
    await expectBad("quantity", " 1", "", "abc", "٣", 1, undefined, null);
  });

  test.each(["piece", "kg", "litre", "metre", "square_metre", "cubic_metre"])(
    "unit: %s is accepted",
    async (unit) => {
      await expectTaken(server(), withLine({ unit }));
    },
  );

  test("unit: optional, and no other value is accepted", async () => {
    await expectTaken(server(), withLine({ unit: undefined }));
    await expectBad("unit", "box", "KG", "", 1, null);
  });

  test("unit_price: 0 to 100000000000 cents, an integer", async () => {
    for (const price of [0, 1, 100_000_000_000]) {
      await expectTaken(server(), withLine({ unit_price: price, quantity: "1" }));
    }
    await expectBad("unit_price", -1, 100_000_000_001, 1.5, "333", undefined, null);
  });

  test("unit_price_gross: an integer of cents, optional", async () => {
    for (const price of [0, 413, undefined])
      await expectTaken(server(), withLine({ unit_price_gross: price }));
    await expectBad("unit_price_gross", -1, 1.5, "413", null);
  });

  test.each([
    ["standard", 24, "1"],
    ["reduced", 13, "2"],
    ["super_reduced", 6, "3"],
    ["standard_island", 17, "4"],
    ["reduced_island", 9, "5"],
    ["super_reduced_island", 4, "6"],
    ["exempt", 0, "7"],
  ])("vat_category: %s is %i percent and code %s", async (category, percent, code) => {
    const lines = [buildLine({ vat_category: category as "standard", quantity: "1", unit_price: 10_000 })];
    const vat = percent * 100;
    const totals = { net: 10_000, vat, gross: 10_000 + vat };
    const detail = await detailOf(buildDocument("1.1", { lines, totals }));
    expect([detail.vatCategory, Number(detail.vatAmount)]).toEqual([code, percent]);
  });

  test("vat_category: required, and no other value is accepted", async () => {
    await expectBad("vat_category", "zero", "Standard", "", 1, 24, undefined, null);
  });

  test("vat_exemption: 1 to 31, required on exempt lines and permitted nowhere else", async () => {
    const exempt = (cause: unknown) => withLine({ vat_category: "exempt", vat_exemption: cause });
    for (const cause of [1, 14, 31]) {
      expect((await detailOf(exempt(cause))).vatExemptionCategory).toBe(String(cause));
    }
    for (const cause of [0, 32, 1.5, "1", undefined])
      await expectRefused(server(), exempt(cause), at("vat_exemption"));
    for (const category of ["standard", "reduced", "super_reduced"])
      await expectRefused(
        server(),
        withLine({ vat_category: category, vat_exemption: 1 }),
        at("vat_exemption"),
      );
  });

  test("income_classification: optional, with the service's default", async () => {
    const { classification } = await expectTaken(server(), withLine({ income_classification: undefined }));
    expect(classification.source).toBe("default");
    await expectBad("income_classification", "category1_1", 1, null);
  });
});

describe("income_classification", () => {
  const classified = (category: unknown, type: unknown) =>
    withLine({
      income_classification: {
        ...(category === undefined ? {} : { category }),
        ...(type === undefined ? {} : { type }),
      },
    });
  const CATEGORIES = [..."123456789".split(""), "10"].map((digits) => `category1_${digits}`);

  test("category: eleven values, each with a type", async () => {
    expect([...INCOME_CATEGORIES]).toEqual([...CATEGORIES, "category1_95"]);
    for (const category of CATEGORIES) {
      const detail = await detailOf(classified(category, "E3_561_001"));
      expect(detail.incomeClassification).toMatchObject([
        { "icls:classificationType": "E3_561_001", "icls:classificationCategory": category },
      ]);
      await expectRefused(server(), classified(category, undefined), at("income_classification", "type"));
    }
    for (const category of ["category1_11", "category1_0", "category2_1", "", undefined])
      await expectRefused(
        server(),
        classified(category, "E3_561_001"),
        at("income_classification", "category"),
      );
  });

  test("category1_95 accepts no type, E3_596 or E3_597", async () => {
    for (const type of [undefined, "E3_596", "E3_597"])
      await expectTaken(server(), classified("category1_95", type));
    for (const type of ["E3_561_001", "E3_595", "E3_598_001"])
      await expectRefused(server(), classified("category1_95", type), at("income_classification", "type"));
  });

  test("type: thirty-four values", async () => {
    const words =
      "E3_106, E3_205, E3_210, E3_305, E3_310, E3_318, E3_561_001, E3_561_002, E3_561_003, E3_561_004, E3_561_005, " +
      "E3_561_006, E3_561_007, E3_562, E3_563, E3_564, E3_565, E3_566, E3_567, E3_568, E3_570, E3_595, E3_596, E3_597, " +
      "E3_880_001, E3_880_002, E3_880_003, E3_880_004, E3_881_001, E3_881_002, E3_881_003, E3_881_004, E3_598_001, E3_598_003";
    expect([...INCOME_TYPES]).toEqual(words.split(", "));
    const lines = words
      .split(", ")
      .map((type) =>
        buildLine({ income_classification: { category: "category1_1", type: type as "E3_106" } }),
      );
    await expectTaken(server(), buildDocument("1.1", { lines }));
    for (const type of ["E3_561", "E3_561_008", "E3_598_002", "e3_106", "", 1])
      await expectRefused(server(), classified("category1_1", type), at("income_classification", "type"));
  });
});

describe("Line net amount", () => {
  test("is at most 1000000000000000", async () => {
    const lines = [buildLine({ quantity: "10000.001", unit_price: 100_000_000_000, vat_category: "exempt" })];
    const net = 1_000_000_000_000_000;
    const document = buildDocument("1.1", { lines, totals: { net, vat: 0, gross: net } });
    await expectRefused(server(), document, ["lines", 0]);
  });
});
