/**
 * Checks the tests against the contract: every row of these tables in docs/contract.md is named by a test file that cites the section. A
 * file cites a section with a line such as `// docs/contract.md#pagination`. A row is named by its first cell, at the beginning of
 * a test's name or of a row of a table of tests, or as a field of an expected object; where first cells repeat, by the first two,
 * joined by a colon. A test that cannot name it so has a citation that does: `// docs/contract.md#limits: Description; quantity`.
 */
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");

/** Those of which every row has a test. */
const SECTIONS = [
  "document-object",
  "document-status",
  "canonical-document",
  "parties",
  "lines",
  "payments",
  "totals",
  "merchant-object",
  "connections",
  "connection-status",
  "events",
  "event-types",
  "error-object",
  "provider-calls",
  "request-log",
  "tax-number-lookup",
  "pagination",
  "limits",
  "identifiers",
  "error-codes",
  "vat-categories",
  "classification-object",
];

/** The cells of a table row, without backticks; undefined for any other line. */
function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith("|")) return undefined;
  const cells = line.split("|").slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll("`", ""));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");
}

/** The names of the table rows under each heading of the contract, by anchor. */
function readContract(): Map<string, string[]> {
  const sections = new Map<string, string[][]>();
  let anchor = "";
  let before = "";
  for (const line of readFileSync(resolve(ROOT, "docs/contract.md"), "utf8").split("\n")) {
    const heading = /^#{1,6} (.*)$/.exec(line)?.[1];
    if (heading !== undefined) {
      anchor = anchorOf(heading);
      sections.set(anchor, []);
    }
    const cells = cellsOf(line);
    const isRule = cells?.every((cell) => /^:?-+:?$/.test(cell)) ?? false;
    // A table's first line names its columns; the separator line follows.
    if (cells !== undefined && !isRule && cellsOf(before) !== undefined) sections.get(anchor)?.push(cells);
    before = line;
  }
  return new Map([...sections].map(([name, rows]) => [name, namesOf(rows)]));
}

function namesOf(rows: readonly string[][]): string[] {
  return rows.map(([first = "", second = ""]) =>
    rows.filter(([other]) => other === first).length > 1 ? `${first}: ${second}` : first,
  );
}

interface Citations {
  /** The text of the files that cite the section. */
  text: string;
  /** The rows that citations name. */
  rows: Set<string>;
}

/** What cites each anchor at the beginning of a line, in any test. */
function readTests(): Map<string, Citations> {
  const found = new Map<string, Citations>();
  for (const file of globSync("test/{*,*/*,*/*/*,*/*/*/*}.ts", { cwd: ROOT })) {
    const text = readFileSync(resolve(ROOT, file), "utf8");
    for (const [, anchor = "", rows = ""] of text.matchAll(
      /^\/\/ docs\/contract\.md#([^\s:,]+)(?:: (.*))?$/gm,
    )) {
      const before = found.get(anchor) ?? { text: "", rows: new Set() };
      found.set(anchor, { text: before.text + text, rows: new Set([...before.rows, ...rows.split("; ")]) });
    }
  }
  return found;
}

/** Whether the name of a test, or a row of a table of tests, begins with `name`, or an expected object has it. */
function isNamed(name: string, text: string): boolean {
  const begins = "(?:\\btest\\(|\\)\\(|[\\[,]\\s*\\[)\\s*";
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  const isField = new RegExp(`[{,]\\s*${literal}(?:: |,)`).test(text);
  return isField || new RegExp(`${begins}(["'\`])${literal}(?:\\1|: )`).test(text);
}

const contract = readContract();
const cited = readTests();

test("the contract has every cited section", () => {
  expect([...cited.keys()].filter((anchor) => !contract.has(anchor))).toEqual([]);
});

test.each(SECTIONS)("every row of %s is named by a test", (anchor) => {
  const wanted = contract.get(anchor) ?? [];
  const { rows = new Set(), text = "" } = cited.get(anchor) ?? {};
  expect(wanted.length).toBeGreaterThan(0);
  expect(wanted.filter((row) => !rows.has(row) && !isNamed(row, text))).toEqual([]);
});

test("the contract has every row that a citation names", () => {
  const unknown = [...cited].flatMap(([anchor, { rows }]) =>
    [...rows].filter((row) => row !== "" && contract.get(anchor)?.includes(row) !== true),
  );
  expect(unknown).toEqual([]);
});
