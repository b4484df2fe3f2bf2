/** `fiscal documents repeat`: docs/contract.md#credit-and-repeat. */
import { beforeAll, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { invoice, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import { expectRefused } from "../../helpers/program.ts";

let original: DocumentObject;
const workshop = forAllTests(openShop);
beforeAll(async () => {
  const own = { ...invoice("I-1"), series: "X", metadata: { order: "7" } };
  [original] = (await issueAll(workshop, [own, receipt("R-1", "rejected")])) as [DocumentObject];
});

const repeat = (...args: string[]) => workshop.run(["documents", "repeat", ...args]);
const list = async () => await workshop.list<DocumentObject>("documents list --type 1.1");

test("--preview shows the new document and issues nothing", async () => {
  const { exitCode, stdout } = await repeat("I-1", "--preview");
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^document +repetition of X 1$/m);
  expect(stdout).toMatch(/^gross +63\.24 EUR$/m);
  expect(await list()).toHaveLength(1);
});

test("the contents of a document are issued again, with a number and a MARK of their own", async () => {
  const run = await repeat(original.mark!, "--date", "2026-01-20", "--reference", "I-1b", "--json");
  expect(run.exitCode).toBe(0);
  const repeated = run.json<DocumentObject>();
  expect(repeated).toMatchObject({
    status: "issued",
    issue_date: "2026-01-20",
    external_reference: "I-1b",
    series: "X",
    number: 2,
    gross: original.gross,
    metadata: {},
  });
  expect(repeated.mark).not.toBe(original.mark);
  expect((await repeat("I-1")).stderr).toMatch(/^Its PDF: .+\.pdf$/m);
});

test("the same idempotency key repeats once", async () => {
  const before = (await list()).length;
  const once = ["I-1", "--idempotency-key", "k-1", "--json"];
  const [first, again] = [await repeat(...once), await repeat(...once)];
  expect(again.json<DocumentObject>().id).toBe(first.json<DocumentObject>().id);
  expect(await list()).toHaveLength(before + 1);
});

test("a credit note of a document and one that was not issued are not repeated", async () => {
  await workshop.run("documents credit I-1 --line 1 --reference C-1");
  expectRefused(await repeat("C-1"), 1, "fiscal documents credit");
  expect((await repeat("R-1")).exitCode).toBe(1);
  expect((await repeat("missing")).exitCode).toBe(3);
});
