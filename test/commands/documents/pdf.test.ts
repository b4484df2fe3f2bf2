import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { openWorkshop, type Workshop } from "../../helpers/program.ts";
import { addShop, receipt } from "../../helpers/receipts.ts";

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop();
  await addShop(workshop);
  await addShop(workshop, "other");
});
afterAll(() => workshop.remove());

/** What a test wrote does not stay for the next. */
afterEach(async () => {
  for (const name of await readdir(workshop.folder))
    if (name !== "data") await rm(join(workshop.folder, name), { recursive: true });
});

const pdf = (...args: string[]) => workshop.run(["documents", "pdf", ...args]);
const read = (...path: string[]) => readFile(join(workshop.folder, ...path));

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

  test("writes a file named after series and number, readable by its owner alone", async () => {
    const run = await pdf("A-1");
    expect(run).toMatchObject({ exitCode: 0, stdout: "ALP-1.pdf\n", stderr: "" });
    expect(await isPdf("ALP-1.pdf")).toBe(true);
    expect((await stat(join(workshop.folder, "ALP-1.pdf"))).mode & 0o777).toBe(0o600);
    expect((await readdir(workshop.folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });

  test("takes an id, a merchant's reference and a place", async () => {
    expect(await pdf(document.id, "--output", "by-id.pdf")).toMatchObject({ stdout: "by-id.pdf\n" });
    const run = await pdf("A-1", "--merchant", "shop", "--output", "by-reference.pdf", "--json");
    const bytes = await read("by-reference.pdf");
    expect(run.json()).toEqual({ document: document.id, file: "by-reference.pdf", bytes: bytes.length });
    expect((await read("by-id.pdf")).equals(bytes)).toBe(true);
  });

  test("writes over nothing without --force", async () => {
    await writeFile(join(workshop.folder, "ALP-1.pdf"), "kept");
    const run = await pdf("A-1");
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain("ALP-1.pdf already exists; add --force");
    expect(String(await read("ALP-1.pdf"))).toBe("kept");
    expect(await pdf("A-1", "--force")).toMatchObject({ exitCode: 0 });
    expect(await isPdf("ALP-1.pdf")).toBe(true);
  });

  test("follows no link to another file", async () => {
    await symlink("elsewhere.pdf", join(workshop.folder, "ALP-1.pdf"));
    expect(await pdf("A-1")).toMatchObject({ exitCode: 2 });
    await pdf("A-1", "--force");
    expect(await readdir(workshop.folder)).not.toContain("elsewhere.pdf");
  });

  test("goes to standard output with -, but not to a terminal or beside JSON", async () => {
    const run = await pdf("A-1", "--output", "-");
    expect(run.exitCode).toBe(0);
    expect(run.stdout.slice(0, 5)).toBe("%PDF-");
    expect(run.stdout.trimEnd().slice(-5)).toBe("%%EOF");
    const shown = await workshop.run(["documents", "pdf", "A-1", "--output", "-"], { terminal: true });
    expect(shown).toMatchObject({ exitCode: 2, stdout: "" });
    expect(shown.stderr).toContain("not for a terminal");
    expect(await pdf("A-1", "--output", "-", "--json")).toMatchObject({ exitCode: 2, stdout: "" });
  });

  test("says what is wrong with its place", async () => {
    const run = await pdf("A-1", "--output", "nowhere/a.pdf");
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain("nowhere/a.pdf cannot be used: there is no such file or folder");
  });

  test("is not found, or not ready, by exit code", async () => {
    expect(await pdf("unknown")).toMatchObject({ exitCode: 3, stdout: "" });
    await issueAll(workshop, [receipt("A-2", "rejected")]);
    const run = await pdf("A-2");
    expect(run).toMatchObject({ exitCode: 1, stdout: "" });
    expect(run.stderr).toContain("was rejected and will have no PDF");
  });
});

describe("documents pdf of a range", () => {
  const range = ["--from", "2026-02-10", "--to", "2026-02-20", "--out", "out/february"];
  let documents: DocumentObject[];
  beforeAll(async () => {
    documents = await issueAll(workshop, [
      onDay("R-1", "2026-02-09"),
      onDay("R-2", "2026-02-10"),
      onDay("R-3", "2026-02-20"),
      onDay("R-4", "2026-02-15", "rejected"),
      onDay("R-5", "2026-02-21"),
    ]);
  });

  const files = async () => (await readdir(join(workshop.folder, "out", "february"))).sort();

  test("writes every document that was issued in it, both days included, under a name of its own", async () => {
    const run = await pdf(...range);
    expect(run).toMatchObject({ exitCode: 0, stdout: "2 written, 0 already there, 0 failed\n", stderr: "" });
    const inside = documents.slice(1, 3);
    const names = inside.map(({ id, number }) => `ALP-${number}-${id.replace("doc_", "")}.pdf`);
    expect(await files()).toEqual(names);
    for (const name of names) expect(await isPdf("out", "february", name)).toBe(true);
  });

  test("again leaves what is there, and writes it anew with --force", async () => {
    await pdf(...range);
    const [first = ""] = await files();
    await writeFile(join(workshop.folder, "out", "february", first), "kept");
    expect((await pdf(...range, "--json")).json()).toEqual({ written: 0, skipped: 2, failed: 0 });
    expect(String(await read("out", "february", first))).toBe("kept");
    expect((await pdf(...range, "--force", "--json")).json()).toEqual({ written: 2, skipped: 0, failed: 0 });
    expect(await isPdf("out", "february", first)).toBe(true);
  });

  test("of one merchant has no other's", async () => {
    expect((await pdf(...range, "--merchant", "other", "--json")).json()).toMatchObject({ written: 0 });
    expect((await pdf(...range, "--merchant", "shop", "--json")).json()).toMatchObject({ written: 2 });
    expect(await pdf(...range, "--merchant", "nobody")).toMatchObject({ exitCode: 3 });
  });

  test.skipIf(process.platform !== "linux")("ends where no folder can be made", async () => {
    const run = await pdf(...range.slice(0, -1), "/proc/nothing/below");
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain("/proc/nothing/below cannot be used");
  });

  test("names what is in the place of the folder", async () => {
    await writeFile(join(workshop.folder, "plain"), "");
    const run = await pdf(...range.slice(0, -1), "plain");
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain("plain cannot be used: something else is in its place");
  });

  test("shows its progress on a terminal", async () => {
    const run = await workshop.run(["documents", "pdf", ...range], { terminal: true });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("writing");
  });

  test("stops at an interrupt between two files, and says how to go on", async () => {
    const run = await workshop.run(["documents", "pdf", ...range], {
      terminal: true,
      onOutput: (text, program) => {
        if (text.includes("writing")) program.interrupt();
      },
    });
    expect(run).toMatchObject({ exitCode: 130, stdout: "" });
    expect(run.stderr).toContain("Run the same command again to continue");
    expect((await pdf(...range)).exitCode).toBe(0);
    expect(await files()).toHaveLength(2);
  });

  test("is refused where a folder cannot be made", async () => {
    await mkdir(join(workshop.folder, "out"));
    await writeFile(join(workshop.folder, "out", "february"), "a file");
    expect(await pdf(...range)).toMatchObject({ exitCode: 2, stdout: "" });
  });
});

test.each([
  [["A-1", "--from", "2026-01-01"], "leave the document out"],
  [["A-1", "--out", "x"], "leave the document out"],
  [[], "name one, or give --from, --to and --out"],
  [["--from", "2026-01-01", "--out", "x"], "name one, or give --from, --to and --out"],
  [["--from", "2026-01-02", "--to", "2026-01-01", "--out", "x"], "--from is later than --to"],
  [["--from", "2026-01-32", "--to", "2026-01-01", "--out", "x"], "--from takes a day"],
  [["--output", "x.pdf"], "--output is for one document"],
])("documents pdf %j is a usage error", async (args, says) => {
  const run = await pdf(...args);
  expect(run).toMatchObject({ exitCode: 2, stdout: "" });
  expect(run.stderr).toContain(says);
});

/** Issues at once, and has the PDF of its second document alone. */
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

test("a document whose PDF is not to be had is told and counted, and the others are written", async () => {
  await writeFile(join(workshop.folder, "provider.mjs"), PROVIDER);
  const env = { FISCAL_PROVIDERS__PROVIDER_B__MODULE: join(workshop.folder, "provider.mjs") };
  const run = (...args: string[]) => workshop.run(args, { env });
  const account = ["--provider", "provider_b", "--credential", "token=t"];
  await run("connections", "add", "--merchant", "other", ...account);
  for (const reference of ["B-1", "B-2"]) {
    await writeFile(
      join(workshop.folder, "one.json"),
      JSON.stringify({ ...onDay(reference, "2026-03-01"), metadata: { reference } }),
    );
    await run("documents", "issue", "one.json", "--merchant", "other");
  }
  const range = ["--from", "2026-03-01", "--to", "2026-03-01", "--out", "all"];
  const written = await run("documents", "pdf", ...range);
  expect(written).toMatchObject({ exitCode: 1, stdout: "1 written, 0 already there, 1 failed\n" });
  expect(written.stderr).toMatch(/^fiscal: doc_\w{22} \(ALP \d+\): The provider is preparing the PDF/m);
  expect(await readdir(join(workshop.folder, "all"))).toEqual([
    expect.stringMatching(/^ALP-\d+-\w{22}\.pdf$/),
  ]);
  expect(await run("documents", "pdf", "B-1")).toMatchObject({ exitCode: 5, stdout: "" });
});
