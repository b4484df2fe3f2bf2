// docs/contract.md#canonical-document
// docs/contract.md#limits: Lines per document; original_marks per document
import { expect, test } from "vitest";
import {
  buildDocument,
  buildLine,
  changed,
  CUSTOMERS,
  type Keys,
  sales,
  useCanonical,
} from "../helpers/canonical.ts";

const { expectTaken, expectIssued, expectRefusedByBoth } = useCanonical();
const TYPES = ["1.1", "2.1", "5.1", "5.2", "11.1", "11.2"] as const;
const RETAIL: ReadonlySet<string> = new Set(["11.1", "11.2"]);

const marks = (count: number) => Array.from({ length: count }, (_, at) => String(400_000_000_000_001 + at));
const lines = (count: number) => Array.from({ length: count }, () => buildLine());
const paid = buildDocument("1.1", { payments: [{ method: "cash", amount: 1033 }] });
const credit = buildDocument("5.1", { original_marks: marks(1) });

/** A field and its rule, documents that have a right one, and wrong values of it in the first of them. */
const FIELDS: [rule: string, taken: unknown[], refused: unknown[]][] = [
  ["type: required", TYPES.map((type) => buildDocument(type)), ["1.6", undefined, null]],
  [
    "issue_date: a calendar date, required",
    [sales(), changed(sales(), ["issue_date"], "2024-02-29")],
    ["2026-02-29", undefined, null],
  ],
  ["currency: only EUR is accepted", [sales()], ["USD", "eur", "", 978, undefined, null]],
  ["supplier: required", [sales()], [undefined, null]],
  [
    "original_marks: 1 to 1000",
    [credit, changed(credit, ["original_marks"], marks(1000))],
    [marks(0), marks(1001)],
  ],
  [
    "lines: required, 1 to 1000",
    [sales(), buildDocument("1.1", { lines: lines(1000) })],
    [lines(0), lines(1001), {}, undefined, null],
  ],
  ["payments: optional, but never empty", [sales(), paid], [[]]],
  ["totals: required", [sales()], [undefined, null]],
  ["colour: no other field is accepted", [sales()], ["red"]],
];

test.each(FIELDS)("%s", async (rule, taken, refused) => {
  const [name = ""] = rule.split(":");
  for (const document of taken) await expectTaken(document);
  for (const value of refused) await expectRefusedByBoth(changed(taken[0], [name], value), [name]);
});

test.each<[rule: string, keys: Keys, value: unknown]>([
  ["supplier: Greek", ["supplier", "tax_id", "country"], "DE"],
  ["totals: must add up", ["totals", "net"], 834],
  ["totals: must add up", ["totals", "vat"], 199],
  ["totals: must add up", ["totals", "gross"], 1034],
  ["lines: no other field", ["lines", 0, "colour"], "red"],
])("%s, otherwise rejected at %j", async (_rule, keys, value) => {
  await expectRefusedByBoth(changed(sales(), keys, value), keys);
});

test("a document is issued with its type and date unchanged", async () => {
  for (const type of TYPES) expect((await expectIssued(buildDocument(type))).type).toBe(type);
  expect((await expectIssued(changed(sales(), ["issue_date"], "2024-02-29"))).issue_date).toBe("2024-02-29");
});

test.each(TYPES)("customer and original_marks by type, for %s", async (type) => {
  for (const [name, value, isAllowed] of [
    ["customer", CUSTOMERS.greek, !RETAIL.has(type)],
    ["original_marks", marks(1), type === "5.1"],
  ] as const) {
    const withOne = changed(buildDocument(type), [name], value);
    const withNone = changed(buildDocument(type), [name], undefined);
    await expectTaken(isAllowed ? withOne : withNone);
    await expectRefusedByBoth(isAllowed ? withNone : withOne, [name]);
  }
});
