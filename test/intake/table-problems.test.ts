import { describe, expect, test } from "vitest";
import { csvOfRows, readCsv, rowWith } from "../helpers/csv.ts";

async function placesOf(rows: readonly Record<string, string>[]): Promise<unknown[]> {
  const documents = await readCsv(csvOfRows(rows));
  return documents.flatMap((document) =>
    "problems" in document ? document.problems.map(({ row, column }) => [row, column]) : [],
  );
}

describe("the problems of a document", () => {
  test("include unreadable cells and broken rules of the other cells", async () => {
    const rows = [
      rowWith({ type: "1.1", customer_tax_id: "123456789", unit_price: "x" }),
      rowWith({ type: "", customer_tax_id: "", vat_category: "exempt", description: "y".repeat(301) }),
      rowWith({ type: "", customer_tax_id: "", quantity: "" }),
    ];
    expect(await placesOf(rows)).toEqual([
      [2, "unit_price"],
      [2, "customer_tax_id"],
      [3, "description"],
      [3, "vat_exemption"],
      [4, "quantity"],
    ]);
  });

  test("leave out consequences of an unreadable cell", async () => {
    const row = rowWith({
      type: "1.1",
      customer_country: "DE",
      customer_tax_id: "1,2E+08",
      income_category: "x",
    });
    expect(await placesOf([rowWith({ ...row, quantity: "two" })])).toEqual([
      [2, "customer_tax_id"],
      [2, "quantity"],
    ]);
  });
});
