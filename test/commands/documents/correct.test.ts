/** `fiscal documents correct`: docs/contract.md#credit-and-repeat. */
import { beforeAll, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { invoice, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";

let rejected: DocumentObject;
const workshop = forAllTests(openShop);
beforeAll(async () => {
  const wrong = { ...invoice("I-1"), metadata: { sandbox: "rejected" } };
  [rejected] = (await issueAll(workshop, [wrong, receipt("R-1")])) as [DocumentObject];
});

const correct = (...args: string[]) => workshop.run(["documents", "correct", ...args]);

test("the contents are issued again with what the flags change, and the rejected one stays", async () => {
  const line = ["--line", "Συμβουλές; 2; 50; 24%"];
  const run = await correct("I-1", "--customer", "094064321", ...line, "--date", "2025-01-16", "--json");
  expect(run.exitCode, run.stderr).toBe(0);
  const corrected = run.json<DocumentObject>();
  expect(corrected).toMatchObject({
    status: "issued",
    external_reference: "I-1-2",
    issue_date: "2025-01-16",
    net: 10_000,
    gross: 12_400,
    metadata: {},
  });
  const contents = await workshop.run(["documents", "show", corrected.id, "--json"]);
  expect(contents.json<DocumentObject>().id).not.toBe(rejected.id);
  const before = await workshop.run(["documents", "show", rejected.id, "--json"]);
  expect(before.json()).toEqual(rejected);
});

test("--preview shows the correction and issues nothing", async () => {
  const run = await correct("I-1", "--payment", "card", "--reference", "I-1b", "--preview");
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/^document +correction of I-1$/m);
  expect(run.stdout).toMatch(/^gross +63\.24 EUR$/m);
  expect((await workshop.run(["documents", "show", "I-1b"])).exitCode).toBe(3);
});

test("the same idempotency key corrects once", async () => {
  const once = ["I-1", "--reference", "I-1c", "--idempotency-key", "k-1", "--json"];
  const [first, again] = [await correct(...once), await correct(...once)];
  expect(again.json<DocumentObject>().id).toBe(first.json<DocumentObject>().id);
});

test.each([
  ["a document that was issued", ["R-1"], 2, "Only a rejected document can be corrected"],
  ["one that does not exist", ["R-9"], 3, "There is no document"],
  ["a wrong line", ["I-1", "--line", "Συμβουλές"], 2, "--line 1"],
  ["a wrong tax number", ["I-1", "--customer", "094012835"], 2, "customer"],
])("%s is refused", async (_case, args, exitCode, says) => {
  expect(await correct(...args)).toMatchObject({ exitCode, stderr: expect.stringContaining(says) });
});
