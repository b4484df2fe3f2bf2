import { describe, expect, test } from "vitest";
import { displayWidth } from "../../../commands/ui/fit.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { addShop, invoice, lines, receipt, openShop } from "../../helpers/receipts.ts";
import { forEachTest } from "../../helpers/set-up.ts";
import { expectRefused } from "../../helpers/program.ts";

const workshop = forEachTest(openShop);

async function issueOne(reference: string, scene?: string): Promise<DocumentObject> {
  const [document] = await issueAll(workshop, [receipt(reference, scene)]);
  return document!;
}

describe("documents show", () => {
  test("finds by id and by reference, and prints the API's object with --json", async () => {
    const document = await issueOne("A-1");
    for (const name of [document.id, "A-1"]) {
      expect(await workshop.read(`documents show ${name}`)).toEqual(document);
    }
    const read = await workshop.run("documents show A-1");
    expect(read.stdout).toMatch(/^gross +12\.40 EUR$/m);
    expect(read.stdout).toContainAll(new RegExp(`^MARK +${document.mark}$`, "m"), /document\.issued$/m);
    expect(read.stderr).toContain("warning: line 1");
  });

  test("shows the customer, each line with its net, rate and VAT, and what the API does not warn about", async () => {
    await issueAll(workshop, [invoice("I-1")]);
    const { stdout, stderr } = await workshop.run("documents show I-1");
    expect(stderr).toMatch(/payments: none given.*\n.*customer: no name.*\n.*customer: no address/);
    expect(stdout).toMatch(/^customer +GR 094012834$/m);
    expect(stdout).toMatch(/2\tΦλιτζάνια\t6 pcs\t3\.50\t21\.00\t24%\t5\.04/);
  });

  test("asks for the merchant if two merchants use the reference", async () => {
    await addShop(workshop, "other");
    const mine = await issueOne("A-1");
    const args = ["documents", "issue", "-", "--format", "ndjson", "--merchant", "other"];
    await workshop.run(args, { stdin: lines([receipt("A-1")]) });
    expectRefused(await workshop.run("documents show A-1"), 2, "--merchant");
    expect(await workshop.read("documents show A-1 --merchant shop")).toEqual(mine);
  });

  test("exits with 3 for an unknown document or one of the other mode", async () => {
    const { id } = await issueOne("A-1");
    for (const name of ["none", "none --merchant shop", "A-1 --live", `${id} --live`])
      expectRefused(await workshop.run(`documents show ${name}`), 3);
  });
});

describe("documents list", () => {
  test("takes days as people write them, and a month for both", async () => {
    await issueAll(workshop, [receipt("A-1")]);
    const count = async (flags: string) => (await workshop.list(`documents list ${flags}`)).length;
    expect(await count("--issued-from 15/1/2025 --issued-to 2025-01-15")).toBe(1);
    expect(await count("--issued-from 16/1/2025")).toBe(0);
    expect([await count("--month 2025-01"), await count("--month 2024-12")]).toEqual([1, 0]);
  });

  test("shows amount, number and MARK whole at every width, in the reader's language", async () => {
    const large = receipt("2026/000123");
    const [first] = large.document["lines"] as Record<string, unknown>[];
    large.document["lines"] = [{ ...first, unit_price: 5_000_000 }];
    large.document["totals"] = { net: 10_000_000, vat: 2_400_000, gross: 12_400_000 };
    const [document] = await issueAll(workshop, [large]);
    const amounts = { en: "124000.00 EUR", el: "124.000,00 EUR" };
    for (const columns of [40, 60, 80, 120])
      for (const [language, amount] of Object.entries(amounts)) {
        const args = ["--lang", language, "--no-color", "documents", "list"];
        const { stdout } = await workshop.run(args, { terminal: true, columns });
        // At 40 columns each row is a block, in which the line of the id is longer.
        for (const line of columns === 40 ? [] : stdout.split("\n"))
          expect(displayWidth(line)).toBeLessThanOrEqual(columns);
        for (const value of [amount, document!.mark, `${document!.series} ${document!.number}`])
          expect(stdout).toMatch(new RegExp(`(^| )${value}( |$)`, "m"));
      }
  });

  test("names the columns that are left out", async () => {
    await issueOne("A-1");
    const narrow = await workshop.run("documents list", { terminal: true, columns: 80 });
    expect(narrow.stdout).not.toContain("doc_");
    expect(narrow.stderr).toBe("Columns left out: id. A wider terminal or --json shows them.\n");
    const piped = await workshop.run("documents list", { columns: 80 });
    expect(piped.stdout).toContain("doc_");
    expect(piped.stderr).toBe("");
  });
});

describe("documents template", () => {
  test.each([
    ["en", "csv"],
    ["el", "csv"],
    ["en", "xlsx"],
    ["el", "xlsx"],
    ["en", "json"],
  ])("in %s as %s is read back by issue without a question", async (language, format) => {
    const file = `template-${language}.${format}`;
    const written = await workshop.run(`--lang ${language} documents template --output ${file}`);
    expect(written).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
    const checked = await workshop.run(`documents issue ${file} --merchant shop --dry-run --json`, {
      terminal: true,
    });
    expect(checked.exitCode).toBe(0);
    expect(checked.json<{ data: object[] }>().data).toMatchObject(
      ["1.1", "2.1", "5.1", "5.2", "11.1", "11.2", "11.4"].map((type) => ({ valid: true, type })),
    );
  });

  test("in Greek is a CSV that Greek Excel opens: marked UTF-8, semicolons, decimal commas and words", async () => {
    const { stdout } = await workshop.run("--lang el documents template --type 1.1");
    const [head = "", row = ""] = stdout.split("\r\n");
    expect(head.startsWith("\ufeffΑναφορά;Τύπος παραστατικού;Ημερομηνία έκδοσης;")).toBe(true);
    expect(row).toMatch(
      /^example-1\.1;Τιμολόγιο πώλησης;\d\d\/\d\d\/\d{4};.*;Καφές σε κόκκους;"2,5";κιλά;"12,40";24%;/,
    );
  });

  test("is not written to a terminal as a workbook", async () => {
    expectRefused(await workshop.run("documents template --format xlsx", { terminal: true }), 2, "--output");
  });
});
