import { readdir } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectSaid } from "../../helpers/program.ts";
import * as v from "valibot";
import { DocumentObjectSchema } from "../../../src/journal/document-object.ts";
import { onEngines } from "../../helpers/engines.ts";
import { type DocumentList, issue, listed, NO_DELAYS, readReport } from "../../helpers/issuing.ts";

import { openShop, receipt } from "../../helpers/receipts.ts";
import { forEachTest } from "../../helpers/set-up.ts";

describe.each(await onEngines({ SQLite: {}, PostgreSQL: {} }))(
  "documents issue on $engine",
  ({ makeStorage }) => {
    const workshop = forEachTest(async () => openShop(await makeStorage()));

    test("waits until each document has its MARK and prints a table", async () => {
      const run = await issue(workshop, [receipt("A-1"), receipt("A-2")]);
      expect(run.exitCode).toBe(0);
      expect(run.stdout).toMatch(
        /A-1\t(.*\t)?11\.1\t(.*\t)?ALP 1\t(.*\t)?12\.40 EUR\t(.*\t)?issued\t(.*\t)?4\d{14}/,
      );
      expect(run.stdout).toMatch(/A-2\t(.*\t)?ALP 2/);
      expect(run.stderr).toMatch(/^2 accepted: 2 issued\.\n$/m);
    });

    test("--json prints the API's list of documents", async () => {
      const run = await issue(workshop, [receipt("A-1"), receipt("A-2")], ["--json"]);
      const list = run.json<DocumentList>();
      expect(list).toMatchObject({ object: "list", has_more: false });
      const documents = list.data.map((document) => v.parse(DocumentObjectSchema, document));
      expect(documents.map(({ external_reference }) => external_reference)).toEqual(["A-1", "A-2"]);
      for (const { status, mark, number } of documents)
        expect([status, mark, number]).toEqual(["issued", expect.any(String), expect.any(Number)]);
    });

    test("issues nothing twice in a second run and says so", async () => {
      // Some differ only in characters that a key cannot have.
      const references = ["A-1", "Α – με ελληνικά", "α", "β", "a b", "a  b", "x".repeat(200)];
      const bodies = [...references, `${"x".repeat(199)}y`].map((reference) => receipt(reference));
      const first = await issue(workshop, bodies, ["--json"]);
      const second = await issue(workshop, bodies, ["--json"]);
      expectSaid(second, 0, "8 already accepted before");
      expect(second.json<DocumentList>()).toEqual(first.json<DocumentList>());
      expect(await listed(workshop)).toHaveLength(8);
    });

    test("refuses a changed document under a used reference, explains what to do, and issues the others", async () => {
      await issue(workshop, [receipt("A-1")]);
      const changed = receipt("A-1");
      changed.document["totals"] = { net: 2000, vat: 480, gross: 2480 };
      changed.document["lines"] = [
        { description: "Καφές", quantity: "2", unit_price: 1000, vat_category: "standard" },
      ];
      const conflict = /line 1 \(A-1\): idempotency_conflict: .*another provider.*new reference.*credit note/;
      expectSaid(await issue(workshop, [changed, receipt("A-2")]), 1, conflict);
      expectSaid(await issue(workshop, [receipt(" A-1 ")]), 1, "idempotency_conflict");
      expect(await listed(workshop)).toMatchObject([
        { external_reference: "A-2", gross: 1240 },
        { external_reference: "A-1", gross: 1240 },
      ]);
    });

    test("issues equal documents without a reference separately, and neither again in the next run", async () => {
      expect(await issue(workshop, [receipt(undefined), receipt(undefined)])).toMatchObject({ exitCode: 0 });
      const second = await issue(workshop, [receipt(undefined), receipt(undefined)]);
      expect(second.stderr).toContain("2 already accepted before");
      expect(await listed(workshop)).toHaveLength(2);
    });

    test("issues one document for the same reference twice in one file, and shows it once", async () => {
      const run = await issue(workshop, [receipt("A-1"), receipt("A-1")], ["--json"]);
      expect(run.exitCode).toBe(0);
      expect(run.json<DocumentList>().data).toHaveLength(1);
      expect(run.stderr).toBe("1 accepted, 1 already accepted before: 1 issued.\n");
    });

    test("reports invalid documents by place and path without their values, and issues the others", async () => {
      const wrong = receipt("A-2");
      wrong.document["issue_date"] = "30 Φεβρουαρίου";
      const bodies = [receipt("A-1"), wrong, 17, receipt("A-3")];
      const run = await issue(workshop, bodies, ["--report", "report.csv"]);
      expectSaid(
        run,
        2,
        /^standard input, line 2 \(A-2\): validation_failed: document\.issue_date: /m,
        /^standard input, line 3: validation_failed: .*must be an object/m,
      );
      expect(run.stderr).not.toContain("Φεβρουαρίου");
      expect(run.stderr).toContain("2 accepted, 2 refused before sending: 2 issued.");
      const [head, ...rows] = await readReport(workshop);
      expect(head).toEqual(["reference", "id", "status", "series", "number", "mark", "error"]);
      expect(
        rows.map(([reference, , status, series, number]) => [reference, status, series, number]),
      ).toEqual([
        ["A-1", "issued", "ALP", "1"],
        ["A-2", "refused", "", ""],
        ["", "refused", "", ""],
        ["A-3", "issued", "ALP", "2"],
      ]);
    });

    test("counts a line that is not JSON as one refused document, and leaves only the report", async () => {
      const stdin = `${JSON.stringify(receipt("A-1"))}\n{"a": secret}\n\n${JSON.stringify(receipt("A-2"))}`;
      const run = await issue(workshop, [], ["--report", "report.csv"], { stdin });
      expectSaid(run, 2, /standard input, line 2: validation_failed: .*not valid JSON/);
      expect(run.stderr).not.toContain("secret");
      expect(await listed(workshop)).toHaveLength(2);
      expect((await readdir(workshop.folder)).sort()).toEqual(["data", "report.csv"]);
    });

    test.each([
      [
        ["issued", "unavailable"],
        5,
        /line 2 \(A-1\): provider_unavailable: [^]*2 accepted: 1 issued, 1 failed\./,
      ],
      [["unavailable", "rejected"], 4, /line 2 \(A-1\): provider_rejected: .*\[\w+: .*\]/],
      [["rejected", "unavailable", "invalid"], 2, /line 3: validation_failed: /],
    ])("of %j exits with the worst code, %i, and names each problem", async (scenes, exitCode, says) => {
      const bodies = scenes.map((scene, index) => (scene === "invalid" ? {} : receipt(`A-${index}`, scene)));
      expectSaid(await issue(workshop, bodies, [], { env: NO_DELAYS }), exitCode, says);
    });

    test("prints only the first errors and writes all of them to the report", async () => {
      const invalid = Array.from({ length: 30 }, () => ({}));
      const run = await issue(workshop, invalid, ["--report", "report.csv"]);
      expect(run.stderr.split("\n").filter((line) => line.includes("validation_failed"))).toHaveLength(20);
      expect(run.stderr).toContain("and 10 more");
      expect(await readReport(workshop)).toHaveLength(31);
    });

    test("counts large runs instead of printing them, and reports every document", async () => {
      const bodies = Array.from({ length: 600 }, (_, index) => receipt(`A-${index}`));
      const run = await issue(workshop, bodies, ["--report", "report.csv"]);
      expect(run).toMatchObject({ exitCode: 0, stdout: "" });
      expect(run.stderr).toContain("600 accepted: 600 issued.");
      const [, ...rows] = await readReport(workshop);
      expect(rows.map(([reference, , , , number]) => [reference, Number(number)])).toEqual(
        bodies.map((body, index) => [body.external_reference, index + 1]),
      );
      expect(await workshop.run("numbering audit")).toMatchObject({ exitCode: 0 });
    });
  },
);
