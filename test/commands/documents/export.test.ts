import { mkdir, readFile } from "node:fs/promises";
import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, test } from "vitest";
import type { ExportedDocument } from "../../../src/books/export-documents.ts";
import type { DocumentType } from "../../../src/domain/document-types.ts";
import { buildDocument, buildLine, CUSTOMERS } from "../../helpers/documents.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { type Run, expectRefused } from "../../helpers/program.ts";
import { addShop, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

interface Exported {
  object: string;
  documents: ExportedDocument[];
  totals: { by_type: Record<"net" | "vat" | "gross", number>[]; by_vat: object[] };
}

const GOODS = { income_category: "category1_1", income_type: "E3_561_001" };
const OCTOBER = ["--from", "2025-10-01", "--to", "2025-10-31"];

/** A month of a shop's documents; the bodies differ in their reference. */
function month(): Record<string, unknown>[] {
  const mixed = [
    buildLine({ quantity: "3", unit_price: 333 }),
    buildLine({ quantity: "1", unit_price: 1000, vat_category: "reduced" }),
    buildLine({ quantity: "1", unit_price: 500, vat_category: "exempt" }),
  ];
  const body = (reference: string, type: DocumentType, day: string, changes = {}, sandbox?: string) => ({
    external_reference: reference,
    ...(sandbox === undefined ? {} : { metadata: { sandbox } }),
    document: buildDocument(type, { issue_date: `2025-${day}`, ...changes }),
  });
  return [
    body("first", "1.1", "10-01", { lines: mixed }),
    body("=cmd|' /C calc'!A0", "1.1", "10-31", { customer: CUSTOMERS.abroad }),
    body("credit", "5.2", "10-15"),
    body("cancelled", "11.1", "10-16"),
    body("rejected", "11.1", "10-17", {}, "rejected"),
    body("before", "11.1", "09-30"),
    body("after", "11.1", "11-01"),
  ];
}

const workshop = forAllTests(openShop);
beforeAll(async () => {
  await issueAll(workshop, month());
  await workshop.run("documents cancel cancelled --yes");
});

function exportAs(...args: string[]): Promise<Run> {
  return workshop.run(["documents", "export", ...OCTOBER, ...args]);
}
const exported = async (...args: string[]) => (await exportAs("--json", ...args)).json<Exported>();

const fileOf = (name: string) => readFile(workshop.at(name), "utf8");
/** The heads and rows of a CSV, without quotation marks. */
function tableOf(text: string): [heads: string[], ...rows: string[][]] {
  const lines = text.replace("\ufeff", "").trimEnd().split("\r\n");
  return lines.map((line) => line.split(";").map((cell) => cell.replace(/^"(.*)"$/, "$1"))) as never;
}

test("documents export --json prints the issued documents of the range in order, and their totals", async () => {
  const run = await exportAs("--json");
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  const { object, documents, totals } = run.json<Exported>();
  expect(object).toBe("export");
  expect(documents.map((document) => [document.external_reference, document.counts])).toEqual([
    ["first", 1],
    ["credit", -1],
    ["cancelled", 0],
    ["=cmd|' /C calc'!A0", 1],
  ]);
  expect(documents[0]).toMatchObject({
    merchant: expect.stringMatching(/^mer_/) as string,
    merchant_external_id: "shop",
    type: "1.1",
    series: "TIM",
    number: 1,
    issue_date: "2025-10-01",
    customer: { country: "GR", tax_id: "094012834", name: null },
    net: 2499,
    vat: 370,
    vat_by_category: [
      { category: "standard", net: 999, vat: 240 },
      { category: "reduced", net: 1000, vat: 130 },
      { category: "exempt", net: 500, vat: 0 },
    ],
    authority_type: "1.1",
    groups: [
      { vat_category: "standard", exemption: null, ...GOODS, net: 999, vat: 240 },
      { vat_category: "reduced", exemption: null, ...GOODS, net: 1000, vat: 130 },
      { vat_category: "exempt", exemption: 27, ...GOODS, net: 500, vat: 0 },
    ],
    provider: "sandbox",
  });
  // A sale outside the EU.
  expect(documents[3]).toMatchObject({
    type: "1.1",
    authority_type: "1.3",
    groups: [{ income_category: "category1_1", income_type: "E3_561_006" }],
  });
  expect(totals.by_type).toEqual([
    { type: "1.1", documents: 2, cancelled: 0, net: 3332, vat: 570, gross: 3902 },
    { type: "5.2", documents: 1, cancelled: 0, net: -833, vat: -200, gross: -1033 },
    { type: "11.1", documents: 0, cancelled: 1, net: 0, vat: 0, gross: 0 },
  ]);
  expect(totals.by_vat).toEqual([
    { category: "standard", rate_percent: 24, net: 999, vat: 240 },
    { category: "reduced", rate_percent: 13, net: 1000, vat: 130 },
    { category: "exempt", rate_percent: 0, net: 500, vat: 0 },
  ]);
});

test("documents export --json filters by merchant, type and status", async () => {
  const references = async (...args: string[]) =>
    (await exported(...args)).documents.map((document) => document.external_reference);
  expect(await references("--type", "5.2")).toEqual(["credit"]);
  expect(await references("--status", "rejected")).toEqual(["rejected"]);
  const both = await references("--status", "issued,rejected", "--type", "11.1");
  expect(both).toEqual(["cancelled", "rejected"]);
  expect(await references("--merchant", "SHOP", "--type", "1.1")).toHaveLength(2);
  await addShop(workshop, "other");
  expect(await references("--merchant", "other")).toEqual([]);
  expect(await references("--live")).toEqual([]);
  expect(await references("--from", "2025-09-30", "--to", "2025-09-30")).toEqual(["before"]);
});

describe("documents export as CSV", () => {
  test("suits a Greek Excel: byte order mark, semicolons, decimal commas, no formulas", async () => {
    const run = await exportAs("--totals", "totals.csv");
    expect(run.exitCode).toBe(0);
    expect(run.stdout.startsWith("\ufeffmerchant;supplier;")).toBe(true);
    const [heads, first = [], ...rest] = tableOf(run.stdout);
    const row = Object.fromEntries(heads.map((head, index) => [head, first[index]]));
    expect(row).toMatchObject({
      net: "24,99",
      vat: "3,70",
      gross: "28,69",
      tax_withheld: "0,00",
      payable: "28,69",
      net_24: "9,99",
      vat_13: "1,30",
      net_0: "5,00",
      vat_6: "0,00",
      counts: "1",
      customer_tax_id: "094012834",
      authority_type: "1.1",
      exemptions: "27",
      income: "category1_1 E3_561_001",
    });
    expect(rest.map((cells) => cells[heads.indexOf("external_reference")])).toContain("'=cmd|' /C calc'!A0");
    expect(rest.map((cells) => cells[heads.indexOf("status")])).toContain("cancelled");
    expect(run.stderr).toContain("Credit notes (5.1, 5.2, 11.4) are subtracted");
    expect(run.stderr).toMatch(/type 5\.2\t(.*\t)?-10\.33/);
    expect((await fileOf("totals.csv")).split("\r\n")).toEqual([
      "\ufefftotal;documents;cancelled;net;vat;gross",
      'type 1.1;2;0;"33,32";"5,70";"39,02"',
      'type 5.2;1;0;"-8,33";"-2,00";"-10,33"',
      'type 11.1;0;1;"0,00";"0,00";"0,00"',
      'all;3;1;"24,99";"3,70";"28,69"',
      'VAT 24% (standard);;;"9,99";"2,40";"12,39"',
      'VAT 13% (reduced);;;"10,00";"1,30";"11,30"',
      'VAT 0% (exempt);;;"5,00";"0,00";"5,00"',
      "",
    ]);
  });

  test("writes the groups of lines to their own file", async () => {
    const run = await exportAs("--output", "october.csv", "--groups", "groups.csv", "--type", "1.1");
    expect(run.exitCode).toBe(0);
    const [heads, ...rows] = tableOf(await fileOf("groups.csv"));
    const from = heads.indexOf("vat_category");
    expect(heads.slice(from, -1)).toEqual(
      "vat_category vat_rate exemption income_category income_type net vat counts".split(" "),
    );
    expect(rows.map((cells) => cells.slice(from, -1).join(";"))).toEqual([
      "standard;24;;category1_1;E3_561_001;9,99;2,40;1",
      "reduced;13;;category1_1;E3_561_001;10,00;1,30;1",
      "exempt;0;27;category1_1;E3_561_001;5,00;0,00;1",
      "standard;24;;category1_1;E3_561_006;8,33;2,00;1",
    ]);
    expect(rows.map((cells) => cells[heads.indexOf("authority_type")])).toEqual(["1.1", "1.1", "1.1", "1.3"]);
  });

  test("accepts another dialect and quotes cells that contain the separator", async () => {
    const run = await exportAs("--separator", "comma", "--type", "5.2");
    expect(run.stdout).toContain(',"-8,33","-2,00","-10,33",');
    const points = await exportAs("--separator", "tab", "--decimal", "point", "--type", "5.2");
    expect(points.stdout).toContain("\t-8.33\t-2.00\t-10.33\t");
  });
});

test("documents export as a workbook has a sheet of documents and a sheet of totals, with MARKs and tax numbers as text", async () => {
  expect(await exportAs("--output", "october.xlsx")).toMatchObject({ exitCode: 0, stdout: "" });
  const file = workshop.at("october.xlsx");
  const sheets = await readExcelFile(file);
  expect(sheets.map(({ sheet }) => sheet)).toEqual(["documents", "groups", "totals"]);
  const [heads = [], first = []] = sheets[0]!.data;
  const row = Object.fromEntries(heads.map((head, index) => [String(head), first[index]]));
  expect(row).toMatchObject({
    customer_tax_id: "094012834",
    net: 24.99,
    counts: 1,
    issue_date: new Date("2025-10-01T00:00:00Z"),
  });
  expect(row["mark"]).toMatch(/^4\d{14}$/);
  expect(sheets[0]!.data).toHaveLength(5);
  // Three groups of lines on the first document, one on each other.
  expect(sheets[1]!.data).toHaveLength(7);
  expect(sheets[1]!.data[3]).toEqual(expect.arrayContaining(["exempt", 27, "category1_1", "E3_561_001", 5]));
  expect(sheets[2]!.data[2]).toEqual(["type 5.2", 1, 0, -8.33, -2, -10.33]);
});

test("documents export in Greek has Greek headings and words, and its sums are those of the totals", async () => {
  expect((await exportAs("--output", "october.xlsx", "--lang", "el")).exitCode).toBe(0);
  const sheets = await readExcelFile(workshop.at("october.xlsx"));
  expect(sheets.map(({ sheet }) => sheet)).toEqual(["παραστατικά", "ομάδες γραμμών", "σύνολα"]);
  for (const { data } of sheets)
    for (const head of data[0]!.map(String)) expect(head).toMatch(/^(id|UID|\P{Script=Latin}+)$/u);
  const [heads = [], ...rows] = sheets[0]!.data;
  const column = (head: string) => rows.map((row) => row[heads.indexOf(head)]);
  expect(column("ΑΦΜ")).toEqual(Array(4).fill("123456783"));
  expect(column("επωνυμία")).toEqual(Array(4).fill("Παράδειγμα Α.Ε."));
  expect(column("κατάσταση").sort()).toEqual(["ακυρώθηκε", "εκδόθηκε", "εκδόθηκε", "εκδόθηκε"]);
  const sumOf = (head: string) => column(head).reduce((sum: number, cell) => sum + Number(cell), 0);
  const sums = ["καθαρή αξία", "ΦΠΑ", "ΦΠΑ 24%"].map((head) => sumOf(head).toFixed(2));
  expect(sums).toEqual(["24.99", "3.70", "2.40"]);
  expect(sheets[1]!.data.flat()).toContain("χωρίς ΦΠΑ");
});

describe("documents export", () => {
  test("exports each of many documents once, even several of one day", async () => {
    await issueAll(
      workshop,
      Array.from({ length: 450 }, (_, index) => receipt(`R-${index}`)),
    );
    const onThatDay = ["--from", "2025-01-15", "--to", "2025-01-15"];
    const { documents, totals } = await exported(...onThatDay);
    expect(new Set(documents.map(({ id }) => id)).size).toBe(450);
    const numbers = documents.map(({ number }) => number!);
    expect(numbers).toEqual(numbers.toSorted((one, other) => one - other));
    expect(totals.by_type).toMatchObject([{ documents: 450, gross: 450 * 1240 }]);
    const stopped = await workshop.run(["documents", "export", ...onThatDay], {
      onOutput: (_text, program) => program.interrupt(),
    });
    expect(stopped).toMatchObject({
      exitCode: 130,
      stderr: "fiscal: interrupted: no file was written, and anything printed is incomplete\n",
    });
  });

  test("adds amounts exactly that a double cannot represent", async () => {
    const march = ["--from", "2025-03-01", "--to", "2025-03-31"];
    const dated = (day: number, quantity: string, unit_price: number) =>
      buildDocument("11.1", { issue_date: `2025-03-0${day}`, lines: [buildLine({ quantity, unit_price })] });
    const [huge, cent] = [dated(1, "10000", 100_000_000_000), dated(2, "1", 1)];
    const bodies = Array.from({ length: 8 }, (_, at) => ({ external_reference: `H-${at}`, document: huge }));
    await issueAll(workshop, [...bodies, { external_reference: "cent", document: cent }]);
    expect((await exportAs(...march, "--json")).stdout).toContain('"gross": 9920000000000001');
    expect((await exportAs(...march, "--totals", "huge.csv")).stderr).toContain("99200000000000.01");
    expect(await fileOf("huge.csv")).toContain(';"99200000000000,01"\r\n');
    await exportAs(...march, "--format", "xlsx", "--output", "huge.xlsx");
    expect((await readExcelFile(workshop.at("huge.xlsx")))[2]!.data[1]).toContain("99200000000000.01");
  });

  test("prints only the header, or an empty list, without documents", async () => {
    const january = ["--from", "2024-01-01", "--to", "2024-01-31"];
    expect((await exportAs(...january)).stdout.split("\r\n")).toHaveLength(2);
    expect((await exportAs(...january, "--json")).json()).toEqual({
      object: "export",
      documents: [],
      totals: { by_type: [], by_vat: [] },
    });
  });

  test.each([
    ["a.XLSX", [], "PK"],
    ["a.json", [], "{"],
    ["a.csv", [], "\ufeff"],
    ["a.b/plain", ["--format", "json"], "{"],
    ["plain", [], "\ufeff"],
  ])("writes %s with %j in the format of its name", async (name, args, start) => {
    await mkdir(workshop.at("a.b"), { recursive: true });
    expect(await exportAs("--output", name, ...args)).toMatchObject({ exitCode: 0 });
    expect((await fileOf(name)).startsWith(start)).toBe(true);
  });

  test("does not write a workbook to a terminal", async () => {
    const args = ["documents", "export", ...OCTOBER, "--format", "xlsx"];
    expectRefused(await workshop.run(args, { terminal: true }), 2, "not for a terminal");
  });

  test("exits with 3 for an unknown merchant", async () => {
    expect(await exportAs("--merchant", "none")).toMatchObject({ exitCode: 3, stdout: "" });
  });
});
