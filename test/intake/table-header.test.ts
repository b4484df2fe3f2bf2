import NAMES from "../fixtures/column-names.json" with { type: "json" };
import { describe, expect, test } from "vitest";
import { CanonicalDocumentSchema } from "../../src/domain/canonical-schema.ts";
import { type ColumnName, COLUMNS, FIELDS, FILE_COLUMNS } from "../../src/intake/table-fields.ts";
import { fold } from "../../src/foundation/characters.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { withCommand } from "../../commands/next-steps.ts";
import { readHeader, suggestColumns } from "../../src/intake/table-header.ts";
import { readCsv } from "../helpers/csv.ts";
import { readFileSync } from "node:fs";

const REQUIRED = ["reference", "type", "issue_date", "description", "quantity", "unit_price", "vat_category"];

function refusalOf(cells: readonly string[]): string {
  try {
    readHeader(cells, 3);
  } catch (error) {
    return error instanceof AppError ? withCommand(error.text).en : "";
  }
  return "accepted";
}

describe("readHeader", () => {
  test("accepts every column in any order, ignoring case and space in names", () => {
    const cells = COLUMNS.map((name) => ` ${name.toUpperCase()} `).reverse();
    const { places, width, unnamed } = readHeader(cells, 1);
    expect({ width, unnamed, size: places.size }).toEqual({ width: 23, unnamed: [], size: 23 });
    expect(places.get("reference")).toBe(22);
  });

  test("accepts the Greek name of every column, ignoring case and accents", () => {
    const names = FILE_COLUMNS.filter((name) => name !== "unit_price_gross");
    const { places } = readHeader(
      names.map((name) => fold(FIELDS[name].words.el)),
      1,
    );
    expect([...places.keys()]).toEqual(names);
  });

  test.each<[cells: string[], flags: string[]]>([
    [
      ["Α/Α", "ΗΜΕΡΟΜΗΝΙΑ", "Προϊόν", "Τεμ.", "Τιμή μονάδος με ΦΠΑ", "ΦΠΑ %", "Σχόλια"],
      [
        '"Α/Α=reference"',
        '"ΗΜΕΡΟΜΗΝΙΑ=issue_date"',
        '"Προϊόν=description"',
        '"Τεμ.=quantity"',
        '"ΦΠΑ %=vat_category"',
        '"Σχόλια=ignore" --default type=11.1',
      ],
    ],
    [
      ["Order", "Date", "Customer", "VAT number", "Product name", "Qty", "Price", "VAT rate"],
      [
        '"Order=reference"',
        '"VAT number=customer_tax_id"',
        '"Product name=description"',
        '"Price=unit_price"',
        '"VAT rate=vat_category" --default type=1.1',
      ],
    ],
  ])("names the flags that read the header %j", (cells, flags) => {
    for (const flag of flags) expect(refusalOf(cells)).toContain(`--column ${flag}`);
  });

  test("accepts blank cells at the end", () => {
    expect(readHeader([...REQUIRED, "", " "], 1)).toMatchObject({ width: 9, unnamed: [7, 8] });
  });

  test.each<[cell: string, says: string]>([
    ["unit_prise", "line 3: has unknown columns, unit_prise"],
    ["Unit Price", "line 3: has unknown columns, Unit Price"],
    ["qantity", "line 3: has unknown columns, qantity"],
    ["customer_taxid", "line 3: has unknown columns, customer_taxid"],
    ["sandbox", "line 3: has unknown columns, sandbox"],
    ["σχόλια", "line 3: has unknown columns, σχόλια"],
    ["not", "line 3: has unknown columns, not"],
    ["constructor", "line 3: has unknown columns, constructor"],
    ["a@b.gr", "line 3: has unknown columns; line 3: may"],
    ["x".repeat(50_000), "line 3: has unknown columns; line 3: may"],
    ["type", "line 3: has the column type twice"],
  ])("refuses the column %.20s", (cell, says) => {
    expect(refusalOf([...REQUIRED, cell])).toContain(says);
  });

  test("lists missing columns together with all other problems", () => {
    const message = refusalOf(["reference", "type", "type", "issue_date", "description"]);
    expect(message).toBe(
      "line 3: lacks the columns quantity, unit_price, vat_category; line 3: has the column type twice",
    );
  });

  test("quotes nothing of a first row that is not a header", async () => {
    await expect(readCsv("A-1;11.1;Ελένη;094012834\n")).rejects.toMatchObject({
      code: "validation_failed",
      message: expect.stringMatching(/^The first row must contain the column names/),
    });
    await expect(readCsv("A-1;11.1;Ελένη;094012834\n")).rejects.not.toThrow(/Ελένη|094012834/);
  });

  test.each(["", "\n \r\n", "\ufeff"])("reports a missing header in the file %j", async (text) => {
    await expect(readCsv(text)).rejects.toThrow(/The first row must contain the column names/);
  });
});

// An order number that is filed as the fiscal number cannot be taken back.
test.each<[heading: string, column: ColumnName | undefined]>([
  ["Αριθμός", "number"],
  ["ΑΡ.", "number"],
  ["No.", "number"],
  ["Αρ. παραγγελίας", "reference"],
  ["Αριθμός Παραγγελίας", "reference"],
  ["Κωδ. παραγγελίας", "reference"],
  ["Order No.", "reference"],
  ["Order number", "reference"],
  ["Αρ. πελάτη", undefined],
  ["Αριθμός πελάτη", undefined],
  ["Αρ. κινητού", undefined],
  ["Member", undefined],
  ["Κωδικός πελάτη", undefined],
  ["Product id", "description"],
  ["Ημερομηνία παραγγελίας", "issue_date"],
  ["Order date", "issue_date"],
  ["Τιμή μονάδας (€)", "unit_price"],
  ["qantity", "quantity"],
  ["unit_prise", "unit_price"],
  ["customer_taxid", "customer_tax_id"],
  ["not", undefined],
])("the heading %j is suggested as %j", (heading, column) => {
  const suggested = suggestColumns([{ index: 0, cell: heading }], new Map());
  expect(suggested.get(0)).toBe(column);
});

describe("the names that files have used", () => {
  const before = Object.entries(NAMES) as [ColumnName, string[]][];

  test.each(before)("%s keeps all of its names", (column, names) => {
    expect([FIELDS[column].words.el, ...FIELDS[column].words.also]).toEqual(expect.arrayContaining(names));
  });

  test.each(["docs/csv.md", "docs/contract.md"])("are the columns of %s", (page) => {
    const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
    expect(FILE_COLUMNS.filter((column) => !text.includes(`\`${column}\``))).toEqual([]);
  });
});

test("every field of a document is in the table, or filled in by the program", () => {
  const paths = Object.values(FIELDS).flatMap(({ of, path }) =>
    of === "line" || path === null ? [] : [path],
  );
  const isNamed = (field: string) =>
    paths.some((path) => path === `document.${field}` || path.startsWith(`document.${field}.`));
  const others = Object.keys(CanonicalDocumentSchema.entries).filter((field) => !isNamed(field));
  expect(others).toEqual(["currency", "supplier", "lines", "totals"]);
});
