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
