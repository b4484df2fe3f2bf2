/**
 * The plain sandbox issues documents that the authority's schema does not know: they are stored, numbered, shown, printed,
 * exported and reported like any other (docs/contract.md#plain-sandbox).
 */
import { beforeAll, describe, expect, test } from "vitest";
import { expectSaid } from "../../helpers/program.ts";
import {
  buildDocument,
  buildLine,
  CUSTOMERS,
  type DocumentInput,
  SUPPLIER,
} from "../../helpers/documents.ts";
import { lines, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

const FAR = "9999-12-31";
const MARK = "9".repeat(19);
const PERIOD = ["--from", "2026-01-01", "--to", FAR];
/** Reconciling reads every week. */
const LAST_WEEKS = ["--from", "9999-12-01", "--to", FAR];
const abroad = (country: string) => ({ ...CUSTOMERS.abroad, tax_id: { country, code: "ABC123" } });
/** 11,160,000,000,000.01 euros with VAT. */
const LARGE = [
  buildLine({ quantity: "9000", unit_price: 100_000_000_000 }),
  buildLine({ quantity: "1", unit_price: 1 }),
];
const LARGE_GROSS = 1_116_000_000_000_001;

const DOCUMENTS: Readonly<Record<string, DocumentInput>> = {
  future: buildDocument("1.1", { issue_date: FAR }),
  bonaire: buildDocument("1.1", { customer: abroad("BQ") }),
  "south-sudan": buildDocument("5.2", { customer: abroad("SS") }),
  marks: buildDocument("5.1", { original_marks: [MARK, MARK, "1"] }),
  itself: buildDocument("1.1", { customer: { tax_id: { country: "GR", code: SUPPLIER } } }),
  other: buildDocument("1.1", { supplier: { tax_id: { country: "GR", code: "094014201" } } }),
  large: buildDocument("1.1", { lines: LARGE }),
  "large-receipt": buildDocument("11.1", { lines: LARGE }),
  overpaid: buildDocument("11.1", {
    payments: Array.from({ length: 10 }, () => ({ method: "cash" as const, amount: 1_250_000_000_000_000 })),
  }),
  unpaid: buildDocument("2.1", { payments: [{ method: "iris", amount: 0 }] }),
};
const REFERENCES = Object.keys(DOCUMENTS);

const workshop = forAllTests(openShop);
beforeAll(async () => {
  const bodies = Object.entries(DOCUMENTS).map(([name, document]) => ({
    external_reference: name,
    document,
  }));
  const issued = await workshop.run("documents issue - --merchant shop", { stdin: lines(bodies) });
  expect(issued).toMatchObject({ exitCode: 0 });
});

const run = (...args: string[]) => workshop.run(args);

describe.each(REFERENCES)("the document %s", (reference) => {
  test("is issued with a number and a warning, and shown", async () => {
    const shown = await run("documents", "show", reference, "--json");
    expect(shown.json()).toMatchObject({
      status: "issued",
      mark: expect.stringMatching(/^4\d{14}$/),
      number: expect.any(Number) as number,
    });
    const { classification } = shown.json<{ classification: { warnings: string[] } }>();
    expect(classification.warnings).toContainEqual(expect.stringMatching(/^document\.[a-z_.[\]0-9]+: /));
    expectSaid(await run("documents", "show", reference), 0, "warning: document.");
  });

  test("is printed", async () => {
    const { exitCode, stdout } = await run("documents", "pdf", reference, "--output", "-");
    expect([exitCode, stdout.slice(0, 5)]).toEqual([0, "%PDF-"]);
  });

  test("is previewed, repeated and cancelled", async () => {
    const body = JSON.stringify(DOCUMENTS[reference]);
    for (const form of [[], ["--payload"], ["--json"]])
      expect((await workshop.run(["documents", "preview", "-", ...form], { stdin: body })).exitCode).toBe(0);
    const repeated = await run("documents", "repeat", reference, "--yes", "--json");
    // A credit note about originals is made by crediting.
    expect(repeated.exitCode).toBe(reference === "marks" ? 1 : 0);
    if (repeated.exitCode !== 0) return;
    const { id } = repeated.json<{ id: string }>();
    expect((await run("documents", "cancel", id, "--yes")).exitCode).toBe(0);
  });
});

test("one to a customer is credited", async () => {
  for (const reference of ["future", "bonaire", "itself", "other", "large"]) {
    const credited = await run("documents", "credit", reference, "--yes", "--json");
    expect(credited.json(), reference).toMatchObject({ status: "issued" });
  }
});

test("all are listed, exported and reported, and everything agrees", async () => {
  const listed = await run("documents", "list", "--limit", "100", "--json");
  expect(
    listed.json<{ data: { external_reference: string }[] }>().data.map((one) => one.external_reference),
  ).toEqual(expect.arrayContaining(REFERENCES));
  const exported = await run("documents", "export", ...PERIOD, "--json");
  for (const reference of REFERENCES) expect(exported.stdout).toContain(`"${reference}"`);
  expect(exported.stdout).toContain(String(LARGE_GROSS));
  for (const output of ["all.csv", "all.xlsx"])
    expect(await run("documents", "export", ...PERIOD, "--output", output)).toMatchObject({ exitCode: 0 });
  for (const report of ["vat", "income"]) {
    for (const form of [["--json"], [], ["--output", `${report}.csv`], ["--output", `${report}.xlsx`]])
      expect(await run("reports", report, ...PERIOD, ...form)).toMatchObject({ exitCode: 0 });
  }
  expect(await run("customers", "list", "--merchant", "shop", "--json")).toMatchObject({ exitCode: 0 });
  for (const check of [["numbering", "audit"], ["audit"], ["doctor"]])
    expect([check, await run(...check)]).toMatchObject([check, { exitCode: 0 }]);
  for (const period of [LAST_WEEKS, ["--from", "2026-11-01", "--to", "2026-11-30"]]) {
    const reconciled = await run("documents", "reconcile", ...period, "--merchant", "shop", "--json");
    expect(reconciled, reconciled.stderr).toMatchObject({ exitCode: 0 });
    expect(reconciled.json<{ differences: unknown[] }>().differences).toEqual([]);
  }
});
