import { describe, expect, test } from "vitest";
import { type Column, renderTable } from "../../../commands/ui/table.ts";

const COLUMNS: readonly Column<{ name: string; cents: number }>[] = [
  { head: "name", value: ({ name }) => name },
  { head: "gross", align: "right", value: ({ cents }) => `${cents} EUR` },
];

describe("renderTable", () => {
  test("sets heads off and aligns, Greek text too, with no colour codes", async () => {
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

  test("lets no text steer the terminal", async () => {
    const table = await renderTable(COLUMNS, [{ name: "a\u001b[31mb\nc\u202ed", cents: 1 }]);
    expect(table).toContain("a [31mb c d");
    expect(table).not.toContain("\u001b");
  });
});
