import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { DOCUMENT_EXAMPLE } from "../../src/operations/examples/names.ts";
import { findBrokenRules } from "../../src/domain/authority-rules.ts";
import { checkDocumentInput, DOCUMENT_TYPES } from "../../src/domain/canonical-document.ts";
import { classify, sentType } from "../../src/domain/classification.ts";
import { COLUMNS } from "../../src/intake/table-fields.ts";
import { buildCsvTemplate, buildJsonTemplate } from "../../src/intake/template.ts";
import { readBodies } from "../helpers/csv.ts";

const TODAY = "2026-11-21";
const EXAMPLES = new URL("../../examples/", import.meta.url);

/** The document of a body as accepted; throws its problems. */
function accepted(body: unknown) {
  const checked = checkDocumentInput((body as { document: unknown }).document, {
    today: TODAY,
    prefix: "document",
  });
  if ("problems" in checked) throw new Error(JSON.stringify(checked.problems));
  return checked.document;
}

describe("a template", () => {
  test.each(
    DOCUMENT_TYPES.flatMap((type) => (["en", "el"] as const).map((language) => ({ type, language }))),
  )("of type $type is the same valid document as CSV ($language) and as JSON", async ({ type, language }) => {
    const [fromCsv, ...others] = await readBodies(buildCsvTemplate({ type, today: TODAY }, language));
    const fromJson: unknown = JSON.parse(buildJsonTemplate({ type, today: TODAY }));
    expect(others).toEqual([]);
    expect(fromJson).toEqual(fromCsv);
    expect(accepted(fromJson)).toMatchObject({ type, issue_date: TODAY });
  });

  test("has all six types and every column where no type is given", async () => {
    const csv = buildCsvTemplate({ today: TODAY }, "en");
    expect(csv.startsWith(`\ufeff${COLUMNS.join(",")}\r\n`)).toBe(true);
    const bodies = await readBodies(csv);
    expect(bodies.map((body) => accepted(body).type)).toEqual([...DOCUMENT_TYPES]);
    expect(JSON.parse(buildJsonTemplate({ today: TODAY }))).toEqual(bodies);
  });
});

/** The authority's rules that the documents of the bodies break. */
function brokenRules(bodies: readonly unknown[]) {
  return bodies.map(accepted).flatMap((document) =>
    findBrokenRules({
      document,
      sentType: sentType(document),
      pairs: classify(document, { overrides: {}, originals: [] }).lines,
      creditedTypes: [],
    }),
  );
}

describe("every example breaks no rule of the authority:", () => {
  test("the templates", () => {
    expect(brokenRules(JSON.parse(buildJsonTemplate({ today: TODAY })))).toEqual([]);
  });

  test("the files in examples/", async () => {
    const table = await readBodies(await readFile(new URL("documents.csv", EXAMPLES)));
    const single: unknown = JSON.parse(await readFile(new URL("document.json", EXAMPLES), "utf8"));
    expect(brokenRules([...table, single])).toEqual([]);
  });

  test("the documents in docs/ and the OpenAPI description", async () => {
    const page = await readFile(new URL("../docs/api.md", EXAMPLES), "utf8");
    const [, body = ""] = /<<END\n(\{\n.*?"document".*?\n\})\nEND/s.exec(page) ?? [];
    expect(brokenRules([JSON.parse(body), { document: DOCUMENT_EXAMPLE }])).toEqual([]);
  });
});

test("examples/documents.csv has twelve valid documents of all types but 11.4, one of which the sandbox refuses", async () => {
  const bodies = await readBodies(await readFile(new URL("documents.csv", EXAMPLES)));
  const documents = bodies.map(accepted);
  expect(bodies.map((body) => body.external_reference)).toEqual(
    Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(3, "0")}`),
  );
  expect(new Set(documents.map(({ type }) => type))).toEqual(
    new Set(DOCUMENT_TYPES.filter((type) => type !== "11.4")),
  );
  expect(
    documents.every(({ issue_date }) => issue_date.startsWith("2025-11-") && issue_date <= "2025-11-02"),
  ).toBe(true);
  expect(documents.filter(({ customer }) => customer?.tax_id.code === "099999999")).toHaveLength(1);
  expect(documents.some(({ customer }) => customer?.tax_id.country === "DE")).toBe(true);
  expect(documents.some(({ lines }) => lines.length > 1)).toBe(true);
});

test("examples/document.json is a valid body without a merchant", async () => {
  const body: unknown = JSON.parse(await readFile(new URL("document.json", EXAMPLES), "utf8"));
  expect(body).not.toHaveProperty("merchant");
  expect(accepted(body)).toMatchObject({ type: "1.1" });
});
