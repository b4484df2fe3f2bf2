/**
 * Holds these tests against the specification itself: every row of its tables is named by a test of its section. A file says
 * by `// spec: <heading>` which sections it stands for. A row is named by its first cell, at the beginning of a test's name or
 * of a row of a table of tests; where the first cells of a section repeat, by its first two, joined by a colon.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";

const SPEC = resolve(import.meta.dirname, "../../../shared/spec.md");

/** The cells of a line of a table, without quotes around them; undefined for any other line. */
function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith("|")) return undefined;
  const cells = line.split("|").slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll(/^'|'$/g, ""));
}

/** The names of the rows under each heading, in order; the heading of an endpoint has its place without any. */
function readSpec(): Map<string, string[]> {
  const sections = new Map<string, string[][]>();
  let heading = "";
  let before = "";
  for (const line of readFileSync(SPEC, "utf8").split("\n")) {
    const title = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (title !== undefined) heading = title;
    if (/^(?:GET|POST) \//.test(heading) && !sections.has(heading)) sections.set(heading, []);
    const cells = cellsOf(line);
    const isRule = cells?.every((cell) => /^-+$/.test(cell)) ?? false;
    // The line after the first of a table is its rule; that first line names the columns.
    if (cells !== undefined && !isRule && cellsOf(before) !== undefined)
      sections.set(heading, [...(sections.get(heading) ?? []), cells]);
    before = line;
  }
  return new Map([...sections].map(([title, rows]) => [title, namesOf(rows)]));
}

function namesOf(rows: readonly string[][]): string[] {
  return rows.map(([first = "", second = ""]) =>
    rows.filter(([other]) => other === first).length > 1 ? `${first}: ${second}` : first,
  );
}

/** The text of the tests that stand for each heading. */
function readTests(): Map<string, string> {
  const texts = new Map<string, string>();
  for (const file of readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const text = readFileSync(resolve(import.meta.dirname, file), "utf8");
    for (const [, heading = ""] of text.matchAll(/^\/\/ spec: (.*)$/gm))
      texts.set(heading, `${texts.get(heading) ?? ""}${text}`);
  }
  return texts;
}

/** Whether a test's name, or a row of a table of tests, begins with `name`. */
function isNamed(name: string, text: string): boolean {
  const begins = "(?:\\btest\\(|\\)\\(|[\\[,]\\s*\\[)\\s*";
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  return new RegExp(`${begins}(["'\`])${literal}(?:\\1|: )`).test(text);
}

describe.skipIf(!existsSync(SPEC))(
  "the specification, row by row (skipped where spec.md is not there)",
  () => {
    const spec = existsSync(SPEC) ? readSpec() : new Map<string, string[]>();
    const texts = readTests();

    test("its tables and endpoints are found", () => {
      const rows = [...spec.values()].flat();
      expect([...spec.keys()]).toContain("Wire conventions");
      expect([...spec.keys()].filter((heading) => /^(GET|POST) /.test(heading))).toHaveLength(15);
      expect(rows.length).toBeGreaterThan(180);
      expect(spec.get("Pagination (all list endpoints)")).toEqual([
        "limit",
        "starting_after",
        "ending_before",
      ]);
      expect(spec.get("Document status")).toContain(
        "pending (shown from stage awaiting_mark): provider assigns MARK",
      );
    });

    test.each([...spec.keys()])("%s has a file of tests", (heading) => {
      expect([...texts.keys()]).toContain(heading);
    });

    test.each([...spec])("every row of %s is named by a test", (heading, rows) => {
      const text = texts.get(heading) ?? "";
      const missing = rows.filter((row) => !isNamed(row, text));
      expect(missing).toEqual([]);
    });
  },
);
