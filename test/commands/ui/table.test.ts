import { describe, expect, test } from "vitest";
import { type Column, isColoured, renderTable } from "../../../commands/ui/table.ts";
import type { ProgramIo } from "../../../commands/io.ts";

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
    expect(await renderTable(COLUMNS, rows, false)).toBe(
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
    const table = await renderTable(COLUMNS, [{ name: "a\u001b[31mb\nc\u202ed", cents: 1 }], false);
    expect(table).toContain("a [31mb c d");
    expect(table).not.toContain("\u001b");
  });
});

describe("renderTable in a narrow place", () => {
  const [name, cents] = COLUMNS as [Column<{ name: string; cents: number }>, (typeof COLUMNS)[number]];
  const columns = [{ ...name, wraps: true }, cents];
  const rows = [{ name: "Υπηρεσίες λογιστικής υποστήριξης", cents: 1240 }];

  test.each([100, 60, 40, 30])("is at most %i columns wide, and loses no word", async (width) => {
    const table = await renderTable(columns, rows, false, width);
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(width);
    for (const word of ["Υπηρεσίες", "λογιστικής", "υποστήριξης", "1240 EUR"]) expect(table).toContain(word);
  });

  test("breaks a word that is longer than its column", async () => {
    const table = await renderTable(columns, [{ name: "x".repeat(50), cents: 1 }], false, 40);
    for (const line of table.split("\n")) expect(line.length).toBeLessThanOrEqual(40);
    expect(table.match(/x/g)).toHaveLength(50);
  });

  test("gives each item lines of its own where no table fits", async () => {
    const table = await renderTable(columns, [...rows, { name: "b", cents: 5 }], false, 20);
    expect(table).toBe(
      "name   Υπηρεσίες λογιστικής υποστήριξης\ngross  1240 EUR\n\nname   b\ngross  5 EUR\n\n",
    );
  });

  test("leaves a table alone that has nothing to wrap", async () => {
    expect(await renderTable(COLUMNS, rows, false)).toContain("│ Υπηρεσίες λογιστικής υποστήριξης │");
  });
});

describe("isColoured", () => {
  const io = (env: Record<string, string>): ProgramIo => ({
    env,
    cwd: "/",
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    version: "0",
    packageRoot: "/",
    onInterrupt: () => () => {},
  });

  test.each<{ env: Record<string, string>; isTTY: boolean; coloured: boolean }>([
    { env: {}, isTTY: true, coloured: true },
    { env: {}, isTTY: false, coloured: false },
    { env: { NO_COLOR: "1" }, isTTY: true, coloured: false },
    { env: { NO_COLOR: "" }, isTTY: true, coloured: true },
    { env: { TERM: "dumb" }, isTTY: true, coloured: false },
  ])("with $env on a terminal ($isTTY): $coloured", ({ env, isTTY, coloured }) => {
    const stream = Object.create(process.stdout, { isTTY: { value: isTTY } }) as ProgramIo["stdout"];
    expect(isColoured(io(env), stream)).toBe(coloured);
  });
});
