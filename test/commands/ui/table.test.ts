import { describe, expect, test } from "vitest";
import type { Column } from "../../../src/operations/view.ts";
import { renderTable, type TableStyle, tabSeparated } from "../../../commands/ui/table.ts";

const COLUMNS: readonly Column<{ name: string; cents: number }>[] = [
  { head: { en: "name", el: "επωνυμία" }, value: ({ name }) => name },
  { head: { en: "gross", el: "σύνολο" }, align: "right", value: ({ cents }) => `${cents} EUR` },
];

async function textOf<T>(columns: readonly Column<T>[], items: readonly T[], style?: TableStyle) {
  return (await renderTable(columns, items, style)).text;
}

test("renderTable separates heads and aligns cells, including Greek, without colour codes", async () => {
  const rows = [
    { name: "Παράδειγμα", cents: 5 },
    { name: "b", cents: 1240 },
  ];
  expect(await textOf(COLUMNS, rows)).toBe(
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

test("renderTable removes control characters", async () => {
  const table = await textOf(COLUMNS, [{ name: "a\u001b[31mb\nc\u202ed", cents: 1 }]);
  expect(table).toContain("a [31mb c d");
  expect(table).not.toContain("\u001b");
});

describe("renderTable with little space", () => {
  const [name, cents] = COLUMNS as [Column<{ name: string; cents: number }>, (typeof COLUMNS)[number]];
  const columns = [{ ...name, wraps: true }, cents];
  const rows = [{ name: "Υπηρεσίες λογιστικής υποστήριξης", cents: 1240 }];

  test.each([100, 60, 40, 30])("is at most %i columns wide and loses no word", async (width) => {
    const table = await textOf(columns, rows, { width });
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
    for (const word of ["Υπηρεσίες", "λογιστικής", "υποστήριξης", "1240 EUR"]) expect(table).toContain(word);
  });

  test("splits a word longer than its column", async () => {
    const table = await textOf(columns, [{ name: "x".repeat(50), cents: 1 }], { width: 40 });
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    expect(table.match(/x/g)).toHaveLength(50);
  });

  test("prints one line per cell if no table fits", async () => {
    const table = await textOf(columns, [...rows, { name: "b", cents: 5 }], { width: 20 });
    expect(table).toBe(
      "name   Υπηρεσίες λογιστικής υποστήριξης\ngross  1240 EUR\n\nname   b\ngross  5 EUR\n\n",
    );
  });

  test("draws a table of any width where the space is unlimited", async () => {
    expect(await textOf(COLUMNS, rows)).toContain("│ Υπηρεσίες λογιστικής υποστήριξης │");
  });
});

describe("renderTable without long texts, with little space", () => {
  const columns: readonly Column<{ id: string; name: string; cents: number }>[] = [
    { head: "id", leaveOut: 1, value: ({ id }) => id },
    { head: { en: "name", el: "επωνυμία" }, shortens: true, value: ({ name }) => name },
    { head: { en: "total with VAT", el: "σύνολο" }, align: "right", value: ({ cents }) => `${cents} EUR` },
  ];
  const rows = [
    { id: "abc123", name: "Παράδειγμα Μονοπρόσωπη", cents: 124_000 },
    { id: "def456", name: "Α", cents: 5 },
  ];

  test("first omits the frame", async () => {
    expect(await textOf(columns, rows, { width: 50 })).toBe(
      [
        "id     name                   total with VAT",
        "abc123 Παράδειγμα Μονοπρόσωπη     124000 EUR",
        "def456 Α                               5 EUR",
        "",
      ].join("\n"),
    );
  });

  test("then wraps heads and shortens texts", async () => {
    expect(await textOf(columns, rows, { width: 32 })).toBe(
      [
        "id     name           total with",
        "                             VAT",
        "abc123 Παράδειγμα Μο… 124000 EUR",
        "def456 Α                   5 EUR",
        "",
      ].join("\n"),
    );
  });

  test("then leaves out columns, and names them in the reader's language", async () => {
    const { text, leftOut } = await renderTable(columns, rows, { width: 24, language: "el" });
    expect(text).toBe(
      ["επωνυμία          σύνολο", "Παράδειγμα Μ… 124000 EUR", "Α                  5 EUR", ""].join("\n"),
    );
    expect(leftOut).toEqual(["id"]);
  });

  test("finally prints one line per cell, of every column", async () => {
    const { text, leftOut } = await renderTable(columns, rows, { width: 20 });
    expect(text).toContain(
      "id              abc123\nname            Παράδειγμα Μονοπρόσωπη\ntotal with VAT  124000 EUR\n",
    );
    expect(leftOut).toEqual([]);
  });

  test("sets all lines of a head in bold", async () => {
    const text = await textOf(columns, rows, { width: 32, coloured: true });
    expect(text).toContainAll("\u001b[1mtotal with\u001b[22m", "\u001b[1mVAT\u001b[22m");
  });
});

test("statuses have the colour of their meaning in every language, also between tabs", async () => {
  const columns: readonly Column<{ en: string; el: string }>[] = [
    { head: { en: "status", el: "κατάσταση" }, isStatus: true, value: (status) => status },
    { head: "id", value: () => "a\tb" },
  ];
  const issued = { en: "issued", el: "εκδόθηκε" };
  const style = { coloured: true, language: "el" } as const;
  expect(await textOf(columns, [issued], style)).toContain("\u001b[32mεκδόθηκε\u001b[39m");
  expect(tabSeparated(columns, [issued, { en: "rejected", el: "απορρίφθηκε" }], style).slice(1)).toEqual([
    "\u001b[32mεκδόθηκε\u001b[39m\ta b",
    "\u001b[31mαπορρίφθηκε\u001b[39m\ta b",
  ]);
  expect(tabSeparated(columns, [issued])).toEqual(["status\tid", "issued\ta b"]);
});
