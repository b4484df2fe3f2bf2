import { describe, expect, test } from "vitest";
import { csvOfRows, rowWith } from "../../helpers/csv.ts";
import { csvOf, issue, listed, readReport } from "../../helpers/issuing.ts";
import { addShop, lines, type Receipt, receipt, openShop } from "../../helpers/receipts.ts";
import { workbookOf } from "../../helpers/workbooks.ts";
import { forEachTest } from "../../helpers/set-up.ts";
import { expectRefused, expectSaid } from "../../helpers/program.ts";

const workshop = forEachTest(openShop);

test("documents issue --no-wait ends once the documents are accepted; a later run of the same file issues them", async () => {
  expectSaid(await issue(workshop, [receipt("A-1")], ["--no-wait"]), 0, /^1 accepted: 1 pending\.\n$/m);
  expect(await listed(workshop)).toMatchObject([{ status: "pending", stage: "queued" }]);
  const second = await issue(workshop, [receipt("A-1")]);
  expect(second).toMatchObject({ exitCode: 0, stderr: "1 already accepted before: 1 issued.\n" });
});

// docs/contract.md#transmission-failure
test("documents issue --transmission-failure declares it for every document, in addition to their own metadata", async () => {
  const other = { ...receipt("A-2"), metadata: { till: "7" } };
  expect((await issue(workshop, [receipt("A-1"), other], ["--transmission-failure"])).exitCode).toBe(0);
  expect((await listed(workshop)).map(({ metadata }) => metadata)).toEqual([
    { till: "7", transmission_failure: "3" },
    { transmission_failure: "3" },
  ]);
});

test("documents issue --dry-run reports what would be refused and stores nothing", async () => {
  const run = await issue(workshop, [receipt("A-1"), {}], ["--dry-run", "--report", "report.csv"]);
  expect(run.exitCode).toBe(2);
  expect(run.stdout).toMatch(/line 1\t(.*\t)?A-1\t(.*\t)?11\.1\t(.*\t)?12\.40 EUR\t(.*\t)?valid/);
  expect(run.stdout).toMatch(/line 2\t(.*\t)?invalid/);
  expect(run.stderr).toContain("1 valid, 1 refused before sending.");
  expect(
    (await readReport(workshop)).slice(1).map(([reference, id, status]) => [reference, id, status]),
  ).toEqual([
    ["A-1", "", "valid"],
    ["", "", "refused"],
  ]);
  expect(await listed(workshop)).toEqual([]);
});

test.each(["json", "ndjson", "csv", "xlsx"])("documents issue refuses an empty .%s file", async (format) => {
  await workshop.write(`empty.${format}`, "");
  const run = await workshop.run(`documents issue empty.${format} --merchant shop`);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toMatch(/^empty\.\w+: validation_failed: .+\n1 refused before sending\.\n$/);
});

test("documents issue --dry-run --json prints the verdicts", async () => {
  const run = await issue(workshop, [receipt("A-1"), {}], ["--dry-run", "--json"]);
  expect(run).toMatchObject({ exitCode: 2 });
  const totals = { net: 1000, vat: 240, gross: 1240 };
  expect(run.json()).toMatchObject({
    object: "list",
    data: [
      { object: "verdict", reference: "A-1", valid: true, type: "11.1", totals, error: null },
      { object: "verdict", reference: null, valid: false, error: { code: "validation_failed" } },
    ],
  });
});

describe("warnings of documents issue", () => {
  const future = receipt("A-1");
  future.document["issue_date"] = "2030-01-01";
  const LINE = /^standard input, line 1 \(A-1\): warning: .*document\.issue_date: must not be after today/gm;

  test.each([["--dry-run"], ["--no-wait"], ["--report=report.csv"]])(
    "are printed with %s, those of a document in one line",
    async (flag) => {
      const { stderr } = await issue(workshop, [future], [flag]);
      expect(stderr.match(LINE)).toHaveLength(1);
      expect(stderr.match(/warning: /g)).toHaveLength(1);
    },
  );

  test("are printed for people, once: not again for a document that was accepted before", async () => {
    expect((await issue(workshop, [future], ["--dry-run", "--json"])).stderr).not.toContain("warning");
    expect((await issue(workshop, [future], ["--dry-run", "--quiet"])).stderr).toBe("");
    const greek = await issue(workshop, [future], ["--lang", "el"]);
    expect(greek.stderr).toMatch(/^τυπική είσοδος, γραμμή 1 \(A-1\): προειδοποίηση: /m);
    expect((await issue(workshop, [future])).stderr).not.toContain("warning");
  });

  test("are printed for twenty documents, and counted for the others", async () => {
    const { stderr } = await issue(
      workshop,
      Array.from({ length: 22 }, (_, index) => receipt(`B-${index}`)),
      ["--dry-run"],
    );
    expect(stderr.match(/: warning: /g)).toHaveLength(20);
    expect(stderr).toContain("… and 2 more with warnings; use --json to list all of them.\n");
  });
});

describe("documents issue with files", () => {
  const file = (name: string, content: string | Buffer) => workshop.write(name, content);
  const run = (...args: string[]) => workshop.run(["documents", "issue", ...args]);

  test("accepts nothing of a table with a row of another business", async () => {
    const own = rowWith({ reference: "A-1", issue_date: "2025-01-15", supplier_tax_id: "123456783" });
    const rows = [own, { ...own, reference: "B-1", supplier_tax_id: "094014201" }];
    await file("shop.csv", csvOfRows(rows));
    await file("shop.xlsx", await workbookOf([Object.keys(own), ...rows.map((row) => Object.values(row))]));
    for (const name of ["shop.csv", "shop.xlsx"]) {
      const refused = await run(name, "--merchant", "shop");
      expectSaid(refused, 2, /(?:line|row) 3, supplier_tax_id: is not the tax number of the merchant/);
    }
    expect(await listed(workshop)).toEqual([]);
  });

  test("reads several files of every JSON format", async () => {
    await file("one.json", JSON.stringify(receipt("A-1"), null, 2));
    await file("two.json", `\ufeff${JSON.stringify([receipt("A-2"), receipt("A-3")])}`);
    await file("three.csv.NDJSON", lines([receipt("A-4")]));
    await file("four.jsonl", lines([receipt("A-5")]));
    const files = ["one.json", "two.json", "three.csv.NDJSON", "four.jsonl"];
    expect(await run(...files, "--merchant", "shop")).toMatchObject({ exitCode: 0 });
    const references = (await listed(workshop)).map(({ external_reference: reference }) => reference);
    expect(references.sort()).toEqual(["A-1", "A-2", "A-3", "A-4", "A-5"]);
  });

  test("takes --format before the extension of the name", async () => {
    await file("one.csv", JSON.stringify(receipt("A-1")));
    expect(await run("one.csv", "--format", "json", "--merchant", "shop")).toMatchObject({ exitCode: 0 });
  });

  test("prefers the merchant, series and provider of the body to the flags", async () => {
    const other = await addShop(workshop, "other");
    const body: Receipt = { ...receipt("A-1"), merchant: other, series: "OWN" };
    await file("a.ndjson", lines([body, receipt("A-2")]));
    expect(await run("a.ndjson", "--merchant", "shop", "--series", "FLAG")).toMatchObject({ exitCode: 0 });
    expect((await listed(workshop)).map(({ series }) => series)).toEqual(["FLAG", "OWN"]);
  });

  test("exits with 3 for an unknown merchant", async () => {
    await file("a.json", JSON.stringify(receipt("A-1")));
    expect(await run("a.json", "--merchant", "nobody")).toMatchObject({ exitCode: 3, stdout: "" });
  });

  test.each([
    ["a.json", "{"],
    ["a.csv", "a,b\n1,2\n"],
    ["a.xlsx", "no workbook"],
  ])("continues with the next file after %s, which does not have its format", async (name, content) => {
    await file(name, content);
    await file("b.json", JSON.stringify(receipt("A-1")));
    expectSaid(await run(name, "b.json", "--merchant", "shop"), 2, name);
    expect(await listed(workshop)).toHaveLength(1);
  });
});

test("documents issue rejects a CSV of a merchant without a tax number before anything is issued", async () => {
  await workshop.run("merchants add --external-id bare --name x");
  const stdin = csvOf(["A-1,11.1,2025-01-15,x,1,1.00,24%"]);
  const refused = await workshop.run("documents issue - --merchant bare", { stdin });
  expectRefused(refused, 2, "merchants update --tax-id");
});
