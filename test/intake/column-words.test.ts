import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type ColumnName, FIELDS, FILE_COLUMNS } from "../../src/intake/table-fields.ts";
import { suggestColumns } from "../../src/intake/table-header.ts";
import NAMES from "../fixtures/column-names.json" with { type: "json" };

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
