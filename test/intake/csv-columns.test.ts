import { describe, expect, test } from "vitest";
import { COLUMNS, readHeader } from "../../src/intake/csv-columns.ts";
import { readCsv } from "../helpers/csv.ts";

const REQUIRED = ["reference", "type", "issue_date", "description", "quantity", "unit_price", "vat_category"];

function refusalOf(cells: readonly string[]): string {
  try {
    readHeader(cells, 3);
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "taken";
}

describe("a header", () => {
  test("takes every column in any order, whatever case and space its names have", () => {
    const cells = COLUMNS.map((name) => ` ${name.toUpperCase()} `).reverse();
    const { places, width, unnamed } = readHeader(cells, 1);
    expect({ width, unnamed, size: places.size }).toEqual({ width: 23, unnamed: [], size: 23 });
    expect(places.get("reference")).toBe(22);
  });

  test("may end in cells without a name", () => {
    expect(readHeader([...REQUIRED, "", " "], 1)).toMatchObject({ width: 9, unnamed: [7, 8] });
  });

  test.each<[cell: string, says: string]>([
    ["unit_prise", "line 3: has an unknown column, unit_prise; did you mean unit_price?"],
    ["Unit Price", "line 3: has an unknown column, unit price; did you mean unit_price?"],
    ["qantity", "line 3: has an unknown column, qantity; did you mean quantity?"],
    ["customer_taxid", "line 3: has an unknown column, customer_taxid; did you mean customer_tax_id?"],
    ["sandbox", "line 3: has an unknown column, sandbox; the columns are reference, type"],
    ["σχόλια", "line 3: has an unknown column, σχόλια; the columns are reference, type"],
    ["not", "line 3: has an unknown column, not; the columns are reference, type"],
    ["constructor", "line 3: has an unknown column, constructor; the columns are"],
    ["a@b.gr", "line 3: has an unknown column; the columns are"],
    ["x".repeat(50_000), "line 3: has an unknown column; the columns are"],
    ["type", "line 3: has the column type twice"],
  ])("with %.20s is refused", (cell, says) => {
    expect(refusalOf([...REQUIRED, cell])).toContain(says);
  });

  test("without a column that is needed tells which, together with all else", () => {
    const message = refusalOf(["reference", "type", "type", "issue_date", "description"]);
    expect(message).toBe(
      "line 3: has the column type twice; line 3: has no column quantity, unit_price, vat_category",
    );
  });

  test("that is none names nothing of the row", async () => {
    await expect(readCsv("A-1;11.1;Ελένη;094012834\n")).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(/^The first row must hold the names of the columns/),
    });
    await expect(readCsv("A-1;11.1;Ελένη;094012834\n")).rejects.not.toThrow(/Ελένη|094012834/);
  });

  test.each(["", "\n \r\n", "\ufeff"])("is missed in a file of %j", async (text) => {
    await expect(readCsv(text)).rejects.toThrow(/The first row must hold the names of the columns/);
  });
});
