import { describe, expect, test } from "vitest";
import { type Column, renderTable } from "../../../commands/ui/table.ts";

const COLUMNS: readonly Column<{ name: string; cents: number }>[] = [
  { head: { en: "name", el: "επωνυμία" }, value: ({ name }) => name },
  { head: { en: "gross", el: "σύνολο" }, align: "right", value: ({ cents }) => `${cents} EUR` },
];

describe("renderTable", () => {
  test("separates heads and aligns cells, including Greek, without colour codes", async () => {
    const rows = [
      { name: "Παράδειγμα", cents: 5 },
      { name: "b", cents: 1240 },
    ];
    expect(await renderTable(COLUMNS, rows)).toBe(
      [
        "┌────────────┬──────────┐",
        "│ name       │    gross │",
        "├────────────┼──────────┤",
        "│ Παράδειγμα │    5 EUR │",
        "│ b          │ 1240 EUR │",
        "└────────────┴──────────┘",
        "",
      ].join("\n"),
    );
  });

  test("removes control characters", async () => {
    const table = await renderTable(COLUMNS, [{ name: "a\u001b[31mb\nc\u202ed", cents: 1 }]);
    expect(table).toContain("a [31mb c d");
    expect(table).not.toContain("\u001b");
  });
});

describe("renderTable with little space", () => {
  const [name, cents] = COLUMNS as [Column<{ name: string; cents: number }>, (typeof COLUMNS)[number]];
  const columns = [{ ...name, wraps: true }, cents];
  const rows = [{ name: "Υπηρεσίες λογιστικής υποστήριξης", cents: 1240 }];

  test.each([100, 60, 40, 30])("is at most %i columns wide and loses no word", async (width) => {
    const table = await renderTable(columns, rows, { width });
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
    for (const word of ["Υπηρεσίες", "λογιστικής", "υποστήριξης", "1240 EUR"]) expect(table).toContain(word);
  });

  test("splits a word longer than its column", async () => {
    const table = await renderTable(columns, [{ name: "x".repeat(50), cents: 1 }], { width: 40 });
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    expect(table.match(/x/g)).toHaveLength(50);
  });

  test("prints one line per cell if no table fits", async () => {
    const table = await renderTable(columns, [...rows, { name: "b", cents: 5 }], { width: 20 });
    expect(table).toBe(
      "name   Υπηρεσίες λογιστικής υποστήριξης\ngross  1240 EUR\n\nname   b\ngross  5 EUR\n\n",
    );
  });

  test("does not change a table without wrapping columns", async () => {
    expect(await renderTable(COLUMNS, rows)).toContain("│ Υπηρεσίες λογιστικής υποστήριξης │");
  });
});
