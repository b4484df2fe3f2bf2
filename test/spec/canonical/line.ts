// docs/contract.md#lines
// docs/contract.md#limits: Description; quantity; unit_price; Net amount of a line
// docs/contract.md#vat-categories
// docs/contract.md#income-classification
import { describe, expect, test } from "vitest";
import { INCOME_CATEGORIES, INCOME_TYPES } from "../../../src/domain/document-codes.ts";
import { added, buildDocument, buildLine, changed, type Keys, useCanonical } from "../helpers/canonical.ts";
import type { Json } from "../helpers/bench.ts";

const { expectTaken, expectRefused } = useCanonical();

/** A document whose only line has these fields, with matching totals. */
function withLine(fields: Record<string, unknown>): unknown {
  return added(buildDocument("1.1", { lines: [buildLine(fields)] }));
}

const at = (...keys: Keys): Keys => ["lines", 0, ...keys];

async function detailOf(document: unknown): Promise<Json> {
  return (await expectTaken(document)).payload.InvoicesDoc.invoice[0].invoiceDetails[0];
}

/** A field and its rule, values that it may have, and others that it may not. */
const FIELDS: [rule: string, taken: unknown[], refused: unknown[]][] = [
  [
    "description: 1 to 300 characters, required",
    ["ώ", "ώ".repeat(300), "😀".repeat(300)],
    ["", "ώ".repeat(301), 5, undefined, null],
  ],
  [
    "quantity: a decimal string above 0, at most 9 integer digits and 3 decimals",
    ["0.001", "1", "1.5", "2.50", "999999999", "999999999.999", "000000001"],
    [..."0 0.000 -1 1000000000 1.0001 1,5 1. .5 1e3 abc ٣".split(" "), " 1", "", 1, undefined, null],
  ],
  [
    "unit: one of six, optional",
    ["piece", "kg", "litre", "metre", "square_metre", "cubic_metre", undefined],
    ["box", "KG", "", 1, null],
  ],
  [
    "unit_price: 0 to 100000000000 cents, an integer",
    [0, 1, 100_000_000_000],
    [-1, 100_000_000_001, 1.5, "333", undefined, null],
  ],
  ["unit_price_gross: an integer of cents, optional", [0, 413, undefined], [-1, 1.5, "413", null]],
  [
    "vat_category: no other value is accepted",
    ["standard"],
    ["zero", "Standard", "", 1, 24, undefined, null],
  ],
  ["income_classification: an object, optional", [undefined], ["category1_1", 1, null]],
];

describe("Canonical document: Line", () => {
  test.each(FIELDS)("%s", async (rule, taken, refused) => {
    const [name = ""] = rule.split(":");
    for (const value of taken) await expectTaken(withLine({ quantity: "1", unit_price: 1, [name]: value }));
    for (const value of refused)
      await expectRefused(changed(buildDocument("1.1"), at(name), value), at(name));
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

  test("vat_exemption: 1 to 31, required on exempt lines and permitted nowhere else", async () => {
    const exempt = (cause: unknown) => withLine({ vat_category: "exempt", vat_exemption: cause });
    for (const cause of [1, 14, 31])
      expect((await detailOf(exempt(cause))).vatExemptionCategory).toBe(String(cause));
    const others = ["standard", "reduced", "super_reduced"];
    const refused = [
      ...[0, 32, 1.5, "1", undefined].map(exempt),
      ...others.map((vat_category) => withLine({ vat_category, vat_exemption: 1 })),
    ];
    for (const document of refused) await expectRefused(document, at("vat_exemption"));
  });

  test("the net amount is at most 1000000000000000", async () => {
    const lines = [buildLine({ quantity: "10000.001", unit_price: 100_000_000_000, vat_category: "exempt" })];
    const net = 1_000_000_000_000_000;
    const document = buildDocument("1.1", { lines, totals: { net, vat: 0, gross: net } });
    await expectRefused(document, ["lines", 0]);
  });
});

describe("income_classification", () => {
  const classified = (category: unknown, type?: unknown) =>
    withLine({ income_classification: JSON.parse(JSON.stringify({ category, type })) });
  const expectWrong = (field: string, ...documents: unknown[]) =>
    Promise.all(documents.map((document) => expectRefused(document, at("income_classification", field))));
  const CATEGORIES = [..."123456789".split(""), "10"].map((digits) => `category1_${digits}`);

  test("category: eleven values, each with a type", async () => {
    expect([...INCOME_CATEGORIES]).toEqual([...CATEGORIES, "category1_95"]);
    for (const category of CATEGORIES) {
      const detail = await detailOf(classified(category, "E3_561_001"));
      expect(detail.incomeClassification).toMatchObject([
        { "icls:classificationType": "E3_561_001", "icls:classificationCategory": category },
      ]);
      await expectWrong("type", classified(category));
    }
    const wrong = ["category1_11", "category1_0", "category2_1", "", undefined];
    await expectWrong("category", ...wrong.map((category) => classified(category, "E3_561_001")));
  });

  test("category1_95 accepts no type, E3_596 or E3_597", async () => {
    for (const type of [undefined, "E3_596", "E3_597"]) await expectTaken(classified("category1_95", type));
    const wrong = ["E3_561_001", "E3_595", "E3_598_001"];
    await expectWrong("type", ...wrong.map((type) => classified("category1_95", type)));
  });

  test("type: thirty-four values", async () => {
    const words =
      "E3_106, E3_205, E3_210, E3_305, E3_310, E3_318, E3_561_001, E3_561_002, E3_561_003, E3_561_004, E3_561_005, " +
      "E3_561_006, E3_561_007, E3_562, E3_563, E3_564, E3_565, E3_566, E3_567, E3_568, E3_570, E3_595, E3_596, E3_597, " +
      "E3_880_001, E3_880_002, E3_880_003, E3_880_004, E3_881_001, E3_881_002, E3_881_003, E3_881_004, E3_598_001, E3_598_003";
    expect([...INCOME_TYPES]).toEqual(words.split(", "));
    const lines = INCOME_TYPES.map((type) =>
      buildLine({ income_classification: { category: "category1_1", type } }),
    );
    await expectTaken(buildDocument("1.1", { lines }));
    const wrong = ["E3_561", "E3_561_008", "E3_598_002", "e3_106", "", 1];
    await expectWrong("type", ...wrong.map((type) => classified("category1_1", type)));
  });
});
