import { readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { unzipSync } from "fflate";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { addShop, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import { expectRefused } from "../../helpers/program.ts";

const workshop = forAllTests(openShop);
beforeAll(async () => {
  await addShop(workshop, "other");
});

/** Removes the files that a test wrote. */
afterEach(async () => {
  for (const name of await readdir(workshop.folder))
    if (name !== "data") await rm(workshop.at(name), { recursive: true });
});

const pdf = (line: string) => workshop.run(`documents pdf ${line}`);
const pdfs = (line: string) => workshop.read<object>(`documents pdf ${line}`);
const read = (...path: string[]) => readFile(workshop.at(...path));

function onDay(reference: string, day: string, scene?: string) {
  const body = receipt(reference, scene);
  return { ...body, document: { ...body.document, issue_date: day } };
}

async function isPdf(...path: string[]): Promise<boolean> {
  return (await read(...path)).subarray(0, 5).toString() === "%PDF-";
}

describe("documents pdf of one document", () => {
  let document: DocumentObject;
  beforeAll(async () => {
    [document] = (await issueAll(workshop, [receipt("A-1")])) as [DocumentObject];
  });

  test("writes a file named after series and number that only its owner can read", async () => {
    expect(await pdf("A-1")).toMatchObject({ exitCode: 0, stdout: "ALP-1.pdf\n", stderr: "" });
    expect(await isPdf("ALP-1.pdf")).toBe(true);
    expect((await stat(workshop.at("ALP-1.pdf"))).mode & 0o777).toBe(0o600);
    expect((await readdir(workshop.folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("writes a receipt of 80 mm with --format, which settings can make the default", async () => {
    const isRoll = async (name: string) => (await read(name)).toString("latin1").includes("[0 0 226.77 ");
    await pdf("A-1 --format receipt --output roll.pdf");
    await pdf("A-1 --output sheet.pdf");
    await workshop.run("merchants settings shop --paper receipt=true");
    await pdf("A-1 --output usual.pdf");
    await workshop.run("merchants settings shop --paper receipt=");
    const rolls = await Promise.all(["roll.pdf", "sheet.pdf", "usual.pdf"].map(isRoll));
    expect(rolls).toEqual([true, false, true]);
  });

  test("accepts an id, a merchant's reference and an output path", async () => {
    expect(await pdf(`${document.id} --output by-id.pdf`)).toMatchObject({ stdout: "by-id.pdf\n" });
    const written = await pdfs("A-1 --merchant shop --output by-reference.pdf");
    const bytes = await read("by-reference.pdf");
    const file = { file: "by-reference.pdf", bytes: bytes.length };
    expect(written).toEqual({ document: document.id, ...file });
    expect((await read("by-id.pdf")).equals(bytes)).toBe(true);
  });

  test("does not follow a link to another file", async () => {
    await symlink("elsewhere.pdf", workshop.at("ALP-1.pdf"));
    expectRefused(await pdf("A-1"), 2, "ALP-1.pdf already exists; add --force");
    await pdf("A-1 --force");
    expect(await isPdf("ALP-1.pdf")).toBe(true);
    expect(await readdir(workshop.folder)).not.toContain("elsewhere.pdf");
  });

  test("writes to standard output with -, but not to a terminal or together with JSON", async () => {
    const run = await pdf("A-1 --output -");
    expect(run.exitCode).toBe(0);
    expect(run.stdout.slice(0, 5)).toBe("%PDF-");
    expect(run.stdout.trimEnd().slice(-5)).toBe("%%EOF");
    const refused = await workshop.run("documents pdf A-1 --output -", { terminal: true });
    expectRefused(refused, 2, "not for a terminal");
    expect(await pdf("A-1 --output - --json")).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("has exit codes for an unknown document and one without a PDF", async () => {
    expect(await pdf("unknown")).toMatchObject({ exitCode: 3, stdout: "" });
    await issueAll(workshop, [receipt("A-2", "rejected")]);
    expectRefused(await pdf("A-2"), 1, "was rejected and will have no PDF");
  });
});

describe("documents pdf of a range", () => {
  const PERIOD = "--from 2025-02-10 --to 2025-02-20";
  const RANGE = `${PERIOD} --out out/february`;
  let documents: DocumentObject[];
  beforeAll(async () => {
    documents = await issueAll(workshop, [
      onDay("R-1", "2025-02-09"),
      onDay("R-2", "2025-02-10"),
      onDay("R-3", "2025-02-20"),
      onDay("R-4", "2025-02-15", "rejected"),
      onDay("R-5", "2025-02-21"),
    ]);
  });

  const files = async () => (await readdir(workshop.at("out", "february", "shop", "2025"))).sort();

  test("writes each document issued in the range, including both days, below its merchant and year", async () => {
    const run = await pdf(RANGE);
    expect(run).toMatchObject({ exitCode: 0, stdout: "2 written, 0 already there, 0 failed\n", stderr: "" });
    const inside = documents.slice(1, 3);
    const names = inside.map(({ number }) => `ALP-${number}.pdf`);
    expect(await files()).toEqual(names);
    for (const name of names) expect(await isPdf("out", "february", "shop", "2025", name)).toBe(true);
  });

  test("skips existing files in a second run and overwrites them with --force", async () => {
    await pdf(RANGE);
    const [first = ""] = await files();
    await writeFile(workshop.at("out", "february", "shop", "2025", first), "kept");
    expect(await pdfs(RANGE)).toEqual({ written: 0, skipped: 2, failed: 0 });
    expect(String(await read("out", "february", "shop", "2025", first))).toBe("kept");
    expect(await pdfs(`${RANGE} --force`)).toEqual({ written: 2, skipped: 0, failed: 0 });
    expect(await isPdf("out", "february", "shop", "2025", first)).toBe(true);
  });

  test("writes the paths of a template, or one archive with them", async () => {
    const named = await pdfs(`${RANGE} --name '{month}/{type} {series}_{number}.pdf'`);
    expect(named).toEqual({ written: 2, skipped: 0, failed: 0 });
    const [first, second] = documents.slice(1, 3).map(({ number }) => `11.1-ALP_${number}.pdf`);
    expect((await readdir(workshop.at("out", "february", "02"))).sort()).toEqual([first, second]);
    const zipped = await pdf(`${PERIOD} --zip february.zip`);
    expect(zipped).toMatchObject({ exitCode: 0, stdout: "2 written, 0 already there, 0 failed\n" });
    const entries = Object.entries(unzipSync(await read("february.zip")));
    expect(entries.map(([name]) => name).sort()).toEqual(
      documents.slice(1, 3).map(({ number }) => `shop/2025/ALP-${number}.pdf`),
    );
    for (const [, bytes] of entries) expect(Buffer.from(bytes).subarray(0, 5).toString()).toBe("%PDF-");
  });

  test("adds the id to the names of documents that share series and number, in every run", async () => {
    const shared = [
      { ...onDay("S-1", "2025-05-01"), series: "A/1", number: 7 },
      { ...onDay("S-2", "2025-06-01"), series: "A-1", number: 7 },
    ];
    const ids = (await issueAll(workshop, shared)).map(({ id }) => id.replace("doc_", ""));
    for (const day of ["2025-05-01", "2025-06-01"]) await pdf(`--from ${day} --to ${day} --out shared`);
    const written = await readdir(workshop.at("shared", "shop", "2025"));
    expect(written.sort()).toEqual(ids.map((id) => `A-1-7-${id}.pdf`).sort());
  });

  test("writes one document to a folder too", async () => {
    await pdf("R-2 --out one");
    expect(await isPdf("one", "shop", "2025", `ALP-${documents[1]!.number}.pdf`)).toBe(true);
  });

  test("writes only the documents of the given merchant", async () => {
    expect(await pdfs(`${RANGE} --merchant other`)).toMatchObject({ written: 0 });
    expect(await pdfs(`${RANGE} --merchant shop`)).toMatchObject({ written: 2 });
    expect(await pdf(`${RANGE} --merchant nobody`)).toMatchObject({ exitCode: 3 });
  });

  test("explains what is wrong with a path", async () => {
    await workshop.write("plain", "");
    const says = "plain cannot be used: something else is in its place";
    expectRefused(await pdf(`${PERIOD} --out plain`), 2, says);
    expectRefused(await pdf("R-2 --output nowhere/a.pdf"), 2, "there is no such file or folder");
  });

  test("stops between two files on an interrupt and says how to continue", async () => {
    const run = await workshop.run(`documents pdf ${RANGE}`, {
      terminal: true,
      onOutput: (text, program) => void (text.includes("writing") && program.interrupt()),
    });
    expectRefused(run, 130, "Run the same command again to continue");
    expect((await pdf(RANGE)).exitCode).toBe(0);
    expect(await files()).toHaveLength(2);
  });
});

/** Issues immediately, and has a PDF only for the second document. */
const PROVIDER = `export default (host) => ({
  provider: host.provider, numbering: "ours", issueBatchMax: 1, canCancel: false,
  credentials: { fields: [{ name: "token", label: "Token", secret: true, required: true, lengthMax: 9 }] },
  settle: { askings: 1, seconds: 0 },
  buildPayload: () => ({}),
  issue: async ([{ number }]) => [{ kind: "issued", mark: String(400000000000000 + number), uid: null, qrUrl: null }],
  status: async () => [], reconcile: async () => [], cancel: async () => {}, findCancellation: async () => {},
  fetchPdf: async ({ metadata }) =>
    metadata.reference === "B-2" ? { kind: "pdf", bytes: Buffer.from("%PDF-1.4 theirs") } : { kind: "not_ready" },
  verify: async () => ({ kind: "accepted" }),
});`;

test("reports and counts a document whose PDF is unavailable, and writes the others", async () => {
  await workshop.write("provider.mjs", PROVIDER);
  const env = { FISCAL_PROVIDERS__PROVIDER_B__MODULE: workshop.at("provider.mjs") };
  const run = (line: string) => workshop.run(line, { env });
  await run("connections add --merchant other --provider provider_b --credential token=t");
  for (const reference of ["B-1", "B-2"]) {
    const body = { ...onDay(reference, "2025-03-01"), metadata: { reference } };
    await workshop.write("one.json", JSON.stringify(body));
    await run("documents issue one.json --merchant other");
  }
  const written = await run("documents pdf --from 2025-03-01 --to 2025-03-01 --out all");
  expect(written).toMatchObject({ exitCode: 1, stdout: "1 written, 0 already there, 1 failed\n" });
  expect(written.stderr).toMatch(/^fiscal: doc_\w{22} \(ALP \d+\): The provider is preparing the PDF/m);
  expect(await readdir(workshop.at("all", "other", "2025"))).toEqual([
    expect.stringMatching(/^ALP-\d+\.pdf$/),
  ]);
  expect(await run("documents pdf B-1")).toMatchObject({ exitCode: 5, stdout: "" });
});
