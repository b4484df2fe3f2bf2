import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as v from "valibot";
import { type DocumentObject, DocumentObjectSchema } from "../../src/documents/object.ts";
import { openWorkshop, type Run, type RunOptions, type Workshop } from "../helpers/program.ts";
import { addShop, lines, type Receipt, receipt } from "../helpers/receipts.ts";

let workshop: Workshop;
beforeEach(async () => {
  workshop = await openWorkshop();
  await addShop(workshop);
});
afterEach(() => workshop.remove());

interface List {
  object: string;
  data: DocumentObject[];
  has_more: boolean;
}

function issue(bodies: readonly unknown[], args: string[] = [], options: RunOptions = {}): Promise<Run> {
  const all = ["documents", "issue", "-", "--format", "ndjson", "--merchant", "shop", ...args];
  return workshop.run(all, { stdin: lines(bodies), ...options });
}

async function listed(): Promise<DocumentObject[]> {
  return (await workshop.run(["documents", "list", "--all", "--json"])).json<List>().data;
}

async function report(): Promise<string[][]> {
  const text = await readFile(join(workshop.folder, "report.csv"), "utf8");
  return text
    .replace(/^\ufeff/, "")
    .trimEnd()
    .split("\r\n")
    .map((line) => line.split(","));
}

const NO_DELAYS = { FISCAL_ISSUING__DELAYS_SECONDS: "[0,0,0,0]" };

describe("documents issue", () => {
  test("ends when each document has its MARK, and prints a table of them", async () => {
    const run = await issue([receipt("A-1"), receipt("A-2")]);
    expect(run.exitCode).toBe(0);
    expect(run.stdout).toMatch(/A-1 .* 11\.1 .* ALP 1 .* 12\.40 EUR .* issued .* 4\d{14}/);
    expect(run.stdout).toMatch(/A-2 .* ALP 2 /);
    expect(run.stderr).toBe("2 accepted: 2 issued.\n");
  });

  test("--json prints the API's list of documents", async () => {
    const run = await issue([receipt("A-1"), receipt("A-2")], ["--json"]);
    const list = run.json<List>();
    expect(list).toMatchObject({ object: "list", has_more: false });
    const documents = list.data.map((document) => v.parse(DocumentObjectSchema, document));
    expect(documents.map(({ external_reference }) => external_reference)).toEqual(["A-1", "A-2"]);
    expect(documents.every(({ status, mark, number }) => status === "issued" && mark !== null && number !== null)).toBe(true);
  });

  test("a second run issues nothing twice and says so", async () => {
    const first = await issue([receipt("A-1"), receipt("Α 2 – με ελληνικά"), receipt("x".repeat(200))], ["--json"]);
    const second = await issue([receipt("A-1"), receipt("Α 2 – με ελληνικά"), receipt("x".repeat(200))], ["--json"]);
    expect(second.exitCode).toBe(0);
    expect(second.stderr).toContain("3 already accepted before");
    expect(second.json<List>()).toEqual(first.json<List>());
    expect(await listed()).toHaveLength(3);
  });

  test("a changed document under a used reference is refused with the way out, the others go on", async () => {
    await issue([receipt("A-1")]);
    const changed = receipt("A-1");
    changed.document["totals"] = { net: 2000, vat: 480, gross: 2480 };
    changed.document["lines"] = [{ description: "Καφές", quantity: "2", unit_price: 1000, vat_category: "standard" }];
    const run = await issue([changed, receipt("A-2")]);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toMatch(/line 1 \(A-1\): idempotency_conflict: .*new reference.*credit note/);
    expect((await listed()).map(({ external_reference, gross }) => [external_reference, gross])).toEqual([
      ["A-2", 1240],
      ["A-1", 1240],
    ]);
  });

  test("equal documents without a reference stay two in one file, and none is issued again by the next run", async () => {
    expect(await issue([receipt(undefined), receipt(undefined)])).toMatchObject({ exitCode: 0 });
    const second = await issue([receipt(undefined), receipt(undefined)]);
    expect(second.stderr).toContain("2 already accepted before");
    expect(await listed()).toHaveLength(2);
  });

  test("the same reference twice in one file is one document, shown once", async () => {
    const run = await issue([receipt("A-1"), receipt("A-1")], ["--json"]);
    expect(run.exitCode).toBe(0);
    expect(run.json<List>().data).toHaveLength(1);
    expect(run.stderr).toBe("1 accepted, 1 already accepted before: 1 issued.\n");
  });

  test("what does not fit stops no other, and is told by place, path and never by its value", async () => {
    const wrong = receipt("A-2");
    wrong.document["issue_date"] = "30 Φεβρουαρίου";
    const run = await issue([receipt("A-1"), wrong, 17, receipt("A-3")], ["--report", "report.csv"]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/^standard input, line 2 \(A-2\): validation_failed: document\.issue_date: /m);
    expect(run.stderr).toMatch(/^standard input, line 3: validation_failed: /m);
    expect(run.stderr).not.toContain("Φεβρουαρίου");
    expect(run.stderr).toContain("2 accepted, 2 refused before sending: 2 issued.");
    const [head, ...rows] = await report();
    expect(head).toEqual(["reference", "id", "status", "series", "number", "mark", "error"]);
    expect(rows.map(([reference, , status, series, number]) => [reference, status, series, number])).toEqual([
      ["A-1", "issued", "ALP", "1"],
      ["A-2", "refused", "", ""],
      ["", "refused", "", ""],
      ["A-3", "issued", "ALP", "2"],
    ]);
  });

  test("a line that is no JSON is one refused document", async () => {
    const stdin = `${JSON.stringify(receipt("A-1"))}\n{"a": secret}\n\n${JSON.stringify(receipt("A-2"))}`;
    const run = await issue([], [], { stdin });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/standard input, line 2: validation_failed: .*not valid JSON/);
    expect(run.stderr).not.toContain("secret");
    expect(await listed()).toHaveLength(2);
  });

  test("refused by the provider is 4, with the provider's code", async () => {
    const run = await issue([receipt("A-1"), receipt("A-2", "rejected")]);
    expect(run.exitCode).toBe(4);
    expect(run.stderr).toMatch(/line 2 \(A-2\): provider_rejected: .*\[\w+: .*\]/);
    expect(run.stderr).toContain("2 accepted: 1 issued, 1 rejected.");
  });

  test("not delivered is 5", async () => {
    const run = await issue([receipt("A-1", "unavailable")], [], { env: NO_DELAYS });
    expect(run.exitCode).toBe(5);
    expect(run.stderr).toMatch(/provider_unavailable/);
  });

  test.each<{ scenes: (string | undefined)[]; invalid: boolean; exitCode: number }>([
    { scenes: ["rejected", "unavailable"], invalid: true, exitCode: 2 },
    { scenes: ["rejected", "unavailable"], invalid: false, exitCode: 4 },
    { scenes: [undefined, "unavailable"], invalid: false, exitCode: 5 },
  ])("of several misfortunes ($scenes, invalid $invalid) the worst decides: $exitCode", async ({ scenes, invalid, exitCode }) => {
    const bodies: unknown[] = scenes.map((scene, index) => receipt(`A-${index}`, scene));
    if (invalid) bodies.push({});
    expect(await issue(bodies, [], { env: NO_DELAYS })).toMatchObject({ exitCode });
  });

  test("errors are bounded on the terminal and whole in the report", async () => {
    const run = await issue(
      Array.from({ length: 30 }, () => ({})),
      ["--report", "report.csv"],
    );
    expect(run.stderr.split("\n").filter((line) => line.includes("validation_failed"))).toHaveLength(20);
    expect(run.stderr).toContain("and 10 more");
    expect(await report()).toHaveLength(31);
  });

  test("more documents than a person reads are counted, not printed, and each is in the report", async () => {
    const bodies = Array.from({ length: 600 }, (_, index) => receipt(`A-${index}`));
    const run = await issue(bodies, ["--report", "report.csv"]);
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
    expect(run.stderr).toContain("600 accepted: 600 issued.");
    const [, ...rows] = await report();
    expect(rows.map(([reference, , , , number]) => [reference, Number(number)])).toEqual(
      bodies.map((body, index) => [body.external_reference, index + 1]),
    );
    expect(await workshop.run(["numbering", "audit"])).toMatchObject({ exitCode: 0 });
  });

  test("the report leaves nothing else behind in its folder", async () => {
    await issue([receipt("A-1")], ["--report", "report.csv"]);
    expect((await readdir(workshop.folder)).sort()).toEqual(["data", "report.csv"]);
  });
});

describe("documents issue --no-wait", () => {
  test("ends once they are accepted, and a later run of the same file brings them home", async () => {
    const first = await issue([receipt("A-1")], ["--no-wait"]);
    expect(first).toMatchObject({ exitCode: 0, stderr: "1 accepted: 1 pending.\n" });
    expect(await listed()).toMatchObject([{ status: "pending", stage: "queued" }]);
    const second = await issue([receipt("A-1")]);
    expect(second).toMatchObject({ exitCode: 0, stderr: "1 already accepted before: 1 issued.\n" });
  });
});

describe("documents issue --dry-run", () => {
  test("tells what would be refused, and stores nothing", async () => {
    const run = await issue([receipt("A-1"), {}], ["--dry-run", "--report", "report.csv"]);
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toMatch(/line 1 .* A-1 .* 11\.1 .* 12\.40 EUR .* valid /);
    expect(run.stdout).toMatch(/line 2 .* invalid /);
    expect(run.stderr).toContain("1 valid, 1 refused before sending.");
    expect((await report()).slice(1).map(([reference, id, status]) => [reference, id, status])).toEqual([
      ["A-1", "", "valid"],
      ["", "", "refused"],
    ]);
    expect(await listed()).toEqual([]);
  });

  test("--json prints the verdicts", async () => {
    const run = await issue([receipt("A-1"), {}], ["--dry-run", "--json"]);
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
});

describe("files", () => {
  const file = (name: string, content: string) => writeFile(join(workshop.folder, name), content);
  const run = (...args: string[]) => workshop.run(["documents", "issue", ...args]);

  test("of every JSON form, several at once", async () => {
    await file("one.json", JSON.stringify(receipt("A-1"), null, 2));
    await file("two.json", `\ufeff${JSON.stringify([receipt("A-2"), receipt("A-3")])}`);
    await file("three.ndjson", lines([receipt("A-4")]));
    expect(await run("one.json", "two.json", "three.ndjson", "--merchant", "shop")).toMatchObject({ exitCode: 0 });
    expect((await listed()).map(({ external_reference }) => external_reference).sort()).toEqual(["A-1", "A-2", "A-3", "A-4"]);
  });

  test("a body's own merchant, series and provider stand", async () => {
    const other = await addShop(workshop, "other");
    const body: Receipt = { ...receipt("A-1"), merchant: other, series: "OWN" };
    await file("a.ndjson", lines([body, receipt("A-2")]));
    expect(await run("a.ndjson", "--merchant", "shop", "--series", "FLAG")).toMatchObject({ exitCode: 0 });
    expect((await listed()).map(({ series }) => series)).toEqual(["FLAG", "OWN"]);
  });

  test("standard input is looked into", async () => {
    const stdin = JSON.stringify(receipt("A-1"), null, 2);
    expect(await workshop.run(["documents", "issue", "-", "--merchant", "shop"], { stdin })).toMatchObject({ exitCode: 0 });
  });

  test.each([
    { args: ["nowhere.json"], says: "nowhere.json cannot be used: there is no such file" },
    { args: ["a.txt"], says: "--format is missing" },
    { args: ["a.csv"], says: "--merchant is missing" },
    { args: [], says: "missing required argument" },
    { args: ["a.json", "--provider", "nobody"], says: "--provider takes one of" },
    { args: ["a.json", "--report", "nowhere/r.csv"], says: "nowhere/r.csv cannot be used" },
  ])("$args is a usage error before anything is issued: $says", async ({ args, says }) => {
    for (const name of ["a.json", "a.txt", "a.csv"]) await file(name, JSON.stringify({ merchant: "x" }));
    const result = await run(...args);
    expect(result).toMatchObject({ exitCode: 2, stdout: "" });
    expect(result.stderr).toContain(says);
  });

  test("a merchant that is not there is 3", async () => {
    await file("a.json", JSON.stringify(receipt("A-1")));
    expect(await run("a.json", "--merchant", "nobody")).toMatchObject({ exitCode: 3, stdout: "" });
  });

  test("without a merchant anywhere is an invalid document", async () => {
    await file("a.json", JSON.stringify(receipt("A-1")));
    const result = await run("a.json");
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("merchant: is required");
  });

  test("a file that is no JSON at all does not stop the next file", async () => {
    await file("a.json", "{");
    await file("b.json", JSON.stringify(receipt("A-1")));
    const result = await run("a.json", "b.json", "--merchant", "shop");
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("a.json");
    expect(await listed()).toHaveLength(1);
  });

  test("an archived merchant issues nothing", async () => {
    await workshop.run(["merchants", "archive", "shop", "--yes"]);
    await file("a.json", JSON.stringify(receipt("A-1")));
    const result = await run("a.json", "--merchant", "shop");
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("connection_unavailable");
  });
});

describe("an interrupt", () => {
  const LINE = /accepting 256/;

  test("while reading stops, tells what was accepted and how to go on; the next run finishes", async () => {
    const bodies = Array.from({ length: 300 }, (_, index) => receipt(`A-${index}`));
    let interrupted = false;
    const run = await issue(bodies.slice(0, 257), ["--report", "report.csv"], {
      terminal: true,
      onOutput(text, program) {
        if (interrupted || !LINE.test(text)) return;
        interrupted = true;
        program.interrupt();
      },
    });
    expect(run.exitCode).toBe(130);
    expect(run.stderr).toContain("interrupted: 256 documents are accepted");
    expect(run.stderr).toContain("Run the same command again");
    expect(await report()).toHaveLength(257);
    const next = await issue(bodies);
    expect(next).toMatchObject({ exitCode: 0 });
    expect(next.stderr).toContain("44 accepted, 256 already accepted before: 300 issued.");
  });

  test("while issuing leaves what is accepted for the next run", async () => {
    const bodies = [receipt("A-1", "pending")];
    const run = await issue(bodies, [], {
      terminal: true,
      onOutput: (text, program) => {
        // The end of the input, then the interrupt once the sandbox keeps the document waiting.
        if (text.includes("issuing")) program.interrupt();
        else if (text.includes("accepting")) program.endInput();
      },
    });
    expect(run.exitCode).toBe(130);
    expect(await listed()).toMatchObject([{ external_reference: "A-1", status: "pending" }]);
  });
});
