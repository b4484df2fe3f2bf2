// docs/contract.md#canonical-document
import { describe, expect, test } from "vitest";
import {
  buildDocument,
  buildLine,
  changed,
  CUSTOMERS,
  expectIssued,
  expectRefusedByBoth,
  expectTaken,
  type Keys,
  sales,
} from "../helpers/canonical.ts";
import { useServer } from "../helpers/bench.ts";

const server = useServer();
const TYPES = ["1.1", "2.1", "5.1", "5.2", "11.1", "11.2"] as const;
const RETAIL: ReadonlySet<string> = new Set(["11.1", "11.2"]);

/** Required: both operations reject a document without it. */
async function expectRequired(keys: Keys): Promise<void> {
  await expectTaken(server(), sales());
  await expectRefusedByBoth(server(), changed(sales(), keys, undefined), keys);
  await expectRefusedByBoth(server(), changed(sales(), keys, null), keys);
}

const marks = (count: number) => Array.from({ length: count }, (_, at) => String(400_000_000_000_001 + at));

describe("Canonical document: top-level fields", () => {
  test("type: one of six, and each is issued as such", async () => {
    await expectRequired(["type"]);
    for (const type of TYPES) expect((await expectIssued(server(), buildDocument(type))).type).toBe(type);
    await expectRefusedByBoth(server(), changed(sales(), ["type"], "1.6"), ["type"]);
  });

  test("issue_date: a calendar date, returned unchanged", async () => {
    await expectRequired(["issue_date"]);
    const document = await expectIssued(server(), changed(sales(), ["issue_date"], "2024-02-29"));
    expect(document.issue_date).toBe("2024-02-29");
    await expectRefusedByBoth(server(), changed(sales(), ["issue_date"], "2026-02-29"), ["issue_date"]);
  });

  test("currency: only EUR is accepted", async () => {
    await expectRequired(["currency"]);
    for (const currency of ["USD", "eur", "", 978])
      await expectRefusedByBoth(server(), changed(sales(), ["currency"], currency), ["currency"]);
  });

  test("supplier: required, and Greek", async () => {
    await expectRequired(["supplier"]);
    const foreign = changed(sales(), ["supplier"], CUSTOMERS.eu);
    await expectRefusedByBoth(server(), foreign, ["supplier", "tax_id", "country"]);
  });

  test.each(TYPES)("customer: by type, for %s", async (type) => {
    const isAllowed = !RETAIL.has(type);
    const customer = CUSTOMERS.greek;
    const withOne = changed(buildDocument(type), ["customer"], customer);
    const withNone = changed(buildDocument(type), ["customer"], undefined);
    await expectTaken(server(), isAllowed ? withOne : withNone);
    await expectRefusedByBoth(server(), isAllowed ? withNone : withOne, ["customer"]);
  });

  test.each(TYPES)("original_marks: for 5.1 and only there, for %s", async (type) => {
    const withOnes = changed(buildDocument(type), ["original_marks"], marks(1));
    const withNone = changed(buildDocument(type), ["original_marks"], undefined);
    await expectTaken(server(), type === "5.1" ? withOnes : withNone);
    await expectRefusedByBoth(server(), type === "5.1" ? withNone : withOnes, ["original_marks"]);
  });

  test("original_marks: 1 to 1000", async () => {
    const credit = (count: number) => changed(buildDocument("5.1"), ["original_marks"], marks(count));
    await expectTaken(server(), credit(1));
    await expectTaken(server(), credit(1000));
    await expectRefusedByBoth(server(), credit(0), ["original_marks"]);
    await expectRefusedByBoth(server(), credit(1001), ["original_marks"]);
  });

  test("lines: required, 1 to 1000", async () => {
    await expectRequired(["lines"]);
    const lines = (count: number) => Array.from({ length: count }, () => buildLine());
    await expectTaken(server(), buildDocument("1.1", { lines: lines(1000) }));
    for (const count of [0, 1001])
      await expectRefusedByBoth(server(), changed(sales(), ["lines"], lines(count)), ["lines"]);
    await expectRefusedByBoth(server(), changed(sales(), ["lines"], {}), ["lines"]);
  });

  test("payments: optional, but never empty", async () => {
    await expectTaken(server(), sales());
    const paid = buildDocument("1.1", { payments: [{ method: "cash", amount: 1033 }] });
    await expectTaken(server(), paid);
    await expectRefusedByBoth(server(), changed(paid, ["payments"], []), ["payments"]);
  });

  test("totals: required, and must add up, otherwise rejected", async () => {
    await expectRequired(["totals"]);
    for (const [name, cents] of [
      ["net", 834],
      ["vat", 199],
      ["gross", 1034],
    ] as const)
      await expectRefusedByBoth(server(), changed(sales(), ["totals", name], cents), ["totals", name]);
  });

  test("no other field is accepted", async () => {
    await expectRefusedByBoth(server(), changed(sales(), ["colour"], "red"), ["colour"]);
    await expectRefusedByBoth(server(), changed(sales(), ["lines", 0, "colour"], "red"), [
      "lines",
      0,
      "colour",
    ]);
  });
});
