/** Taxes besides VAT: docs/contract.md#taxes. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findBrokenRules } from "../../src/domain/authority-rules.ts";
import { checkDocumentInput } from "../../src/domain/canonical-document.ts";
import { classify, sentType } from "../../src/domain/classification.ts";
import {
  creditTaxes,
  payableOf,
  readWithheld,
  type Tax,
  taxName,
  withheldCategoryOf,
} from "../../src/domain/taxes.ts";
import { buildDocument, buildLine, buildParsed, TODAY } from "../helpers/documents.ts";

/** 1000.00 net, 240.00 VAT. */
const LINES = [buildLine({ quantity: "10", unit_price: 10_000 })];
const WITHHELD: Tax = { kind: "withheld", category: 3, base: 100_000, amount: 20_000 };

function complaints(taxes: unknown, more: object = {}): string[] {
  const document = { ...buildDocument("2.1", { lines: LINES }), taxes, ...more };
  const checked = checkDocumentInput(document, { today: TODAY, prefix: "document" });
  const found = "problems" in checked ? checked.problems : checked.objections;
  return found.map(({ path, message }) => `${path}: ${message.en}`);
}

test.each<[Tax[], payable: number]>([
  [[WITHHELD], 104_000],
  [[{ kind: "deductions", amount: 1 }], 123_999],
  [[{ kind: "fees", category: 2, amount: 5 }], 124_005],
  [[{ kind: "other", category: 30, amount: 5 }], 124_005],
  [[{ kind: "stamp", category: 1, base: 100_000, amount: 1200 }, WITHHELD], 105_200],
])("%j leave %i to pay, which payments add up to and the default payment is", (taxes, payable) => {
  const document = buildParsed("2.1", { lines: LINES, taxes });
  expect(payableOf(document)).toBe(payable);
  const { payments, warnings } = classify(document, { overrides: {}, originals: [] });
  expect(payments).toEqual([{ method: "on_credit", amount: payable }]);
  expect(warnings.filter(({ en }) => en.includes("tax"))).toEqual([]);
  const paid = (amount: number) => complaints(taxes, { payments: [{ method: "cash", amount }] });
  expect(paid(payable)).toEqual([]);
  expect(paid(124_000)).toEqual([
    `document.payments: must add up to what is payable with the taxes, ${payable}`,
  ]);
});

test.each<[name: string, taxes: unknown, problem: string]>([
  ["an unknown kind", [{ kind: "vat", amount: 1 }], "document.taxes[0].kind: must be"],
  ["no taxes", [], "document.taxes: must"],
  ["a category beyond its kind", [{ ...WITHHELD, category: 19 }], "taxes[0].category: must be at most 18"],
  ["a category of deductions", [{ kind: "deductions", category: 1, amount: 1 }], "category: must be absent"],
  [
    "more than the gross",
    [{ kind: "deductions", amount: 124_001 }],
    "document.taxes: must not take off more",
  ],
  [
    "too much",
    [
      { kind: "fees", amount: 10 ** 15 },
      { kind: "other", amount: 10 ** 15 },
    ],
    "more than a document",
  ],
  ["no amount", [{ kind: "fees" }], "document.taxes[0].amount: is required"],
  ["a part of a cent", [{ kind: "fees", category: 1, amount: 1.5 }], "document.taxes[0].amount: must be an"],
  [
    "an amount below 0",
    [{ kind: "fees", category: 1, amount: -200_000 }],
    "taxes[0].amount: must be at least",
  ],
])("%s is refused", (_name, taxes, problem) => {
  expect(complaints(taxes)).toEqual([expect.stringContaining(problem)]);
});

test.each<[Tax, warning: string | undefined]>([
  [WITHHELD, undefined],
  [{ ...WITHHELD, amount: 19_999 }, "taxes[0]: 20% of 1000.00 is 200.00, not 199.99"],
  [{ kind: "withheld", category: 4, base: 33, amount: 1 }, undefined],
  [{ kind: "withheld", category: 4, base: 50, amount: 1 }, "taxes[0]: 3% of 0.50 is 0.02, not 0.01"],
  [{ kind: "withheld", category: 11, base: 100, amount: 7 }, undefined],
  [{ kind: "withheld", category: 3, amount: 7 }, undefined],
  [{ kind: "fees", category: 3, base: 100, amount: 7 }, undefined],
])("%j: %s", (tax, warning) => {
  const warned = (type: "2.1" | "5.1") =>
    classify(
      buildParsed(type, { lines: LINES, taxes: [tax], ...(type === "5.1" ? { original_marks: ["4"] } : {}) }),
      { overrides: {}, originals: [] },
    ).warnings.flatMap(({ en }) => (en.startsWith("taxes") ? [en] : []));
  expect(warned("2.1")).toEqual(warning === undefined ? [] : [warning]);
  // Parts of a tax are rounded.
  expect(warned("5.1")).toEqual([]);
});

test.each<[Tax, codes: string[]]>([
  [WITHHELD, []],
  [{ kind: "fees", amount: 100_000 }, []],
  [{ kind: "fees", base: 100_001, amount: 5 }, ["237"]],
  [{ kind: "fees", amount: 100_001 }, ["239"]],
  [{ kind: "stamp", category: 4, base: 10, amount: 11 }, ["240"]],
  [{ kind: "other", base: 100_001, amount: 100_002 }, ["237", "239", "240"]],
])("the authority rejects %j with %j", (tax, codes) => {
  const document = buildParsed("2.1", { lines: LINES, taxes: [tax] });
  const { lines: pairs } = classify(document, { overrides: {}, originals: [] });
  const found = findBrokenRules({ document, sentType: sentType(document), pairs, creditedTypes: [] });
  expect(found.map(({ code }) => code)).toEqual(codes);
});

test.each<[Tax, en: string, el: string]>([
  [WITHHELD, "Withheld tax 20%", "Παρακρατούμενος φόρος 20%"],
  [{ kind: "fees", category: 3, amount: 1 }, "Fees (category 3)", "Τέλη (κατηγορία 3)"],
  [{ kind: "deductions", amount: 1 }, "Deductions", "Κρατήσεις"],
])("%j is named", (tax, en, el) => {
  expect(taxName(tax)).toEqual({ en, el });
});

test.each<[typed: string, category: string | undefined]>([
  ["20%", "3"],
  ["20,0 %", "3"],
  ["0.2", "3"],
  ["0,03", "4"],
  ["3%", "4"],
  ["1%", "5"],
  ["8%", "7"],
  ["Category 8", "8"],
  ["κατηγορία 10", "10"],
  ["15%", undefined],
  ["4%", undefined],
  ["5%", undefined],
  ["20", undefined],
  ["category 11", undefined],
  ["category 19", undefined],
])("%s is the withheld tax of category %s", (typed, category) => {
  const reading = readWithheld(typed);
  if (category !== undefined) return expect(reading).toEqual({ value: category });
  expect(reading).toMatchObject({
    problem: {
      en: expect.stringMatching(
        /^must be 20% \(category 3\), 8% .*, 3% .*, 1% .*category 8" \(1: 15% interest; .*; 12: 15%; .*; 18: 5%/,
      ),
    },
  });
});

test.each<[Tax[], category: number | undefined]>([
  [[WITHHELD], 3],
  // Without a base, a tax of this amount is that of the whole.
  [[{ kind: "withheld", category: 3, amount: 20_000 }], 3],
  [[{ kind: "withheld", category: 3, amount: 19_999 }], undefined],
  [[{ ...WITHHELD, base: 99_999 }], undefined],
  [[{ ...WITHHELD, amount: 19_999 }], undefined],
  [[{ ...WITHHELD, kind: "fees" }], undefined],
  [[{ kind: "withheld", category: 11, amount: 20_000 }], undefined],
  [[{ kind: "withheld", amount: 20_000 }], undefined],
  [[WITHHELD, { kind: "fees", amount: 1 }], undefined],
])(
  "of a document with %j, the tax withheld from the whole net amount is of category %s",
  (taxes, category) => {
    expect(withheldCategoryOf(buildParsed("2.1", { lines: LINES, taxes }))).toBe(category);
    expect(withheldCategoryOf(buildParsed("2.1", { lines: LINES }))).toBeUndefined();
  },
);

describe("the taxes of credits", () => {
  const cents = fc.integer({ min: 0, max: 10 ** 9 });
  const taxes = fc.array(
    fc.record(
      {
        kind: fc.constantFrom("withheld", "fees", "deductions"),
        category: fc.integer({ min: 1, max: 3 }),
        base: cents,
        amount: cents,
      },
      { requiredKeys: ["kind", "amount"] },
    ),
    { minLength: 1, maxLength: 4 },
  );

  test("add up to those of the document, whatever the parts", () => {
    fc.assert(
      fc.property(taxes, fc.array(fc.integer({ min: 1, max: 999 }), { maxLength: 5 }), (whole, cuts) => {
        const credited: Tax[] = [];
        for (const reached of [...cuts.sort((left, right) => left - right), 1000])
          credited.push(
            ...(creditTaxes({ taxes: whole }, [{ taxes: credited }], { reached, whole: 1000 }).taxes ?? []),
          );
        const sum = (list: readonly Tax[], name: "base" | "amount") =>
          list.reduce((total, tax) => total + (tax.amount === 0 ? 0 : (tax[name] ?? 0)), 0);
        expect(sum(credited, "amount")).toBe(sum(whole, "amount"));
      }),
    );
  });

  test("are in proportion, one of each category, and the last takes the remainder", () => {
    const whole: Tax[] = [
      { kind: "withheld", category: 3, base: 100, amount: 20 },
      { kind: "withheld", category: 3, base: 1, amount: 0 },
      { kind: "fees", amount: 1 },
    ];
    const first = creditTaxes({ taxes: whole }, [], { reached: 1, whole: 3 });
    expect(first.taxes).toEqual([{ kind: "withheld", category: 3, base: 34, amount: 7 }]);
    expect(creditTaxes({ taxes: whole }, [first], { reached: 3, whole: 3 }).taxes).toEqual([
      { kind: "withheld", category: 3, base: 67, amount: 13 },
      { kind: "fees", amount: 1 },
    ]);
  });
});
