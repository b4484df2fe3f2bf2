/** `fiscal documents correct`: docs/contract.md#credit-and-repeat. */
import { beforeAll, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll } from "../../helpers/issuing.ts";
import { invoice, receipt, openShop } from "../../helpers/receipts.ts";
import { forAllTests } from "../../helpers/set-up.ts";
import { expectRefused } from "../../helpers/program.ts";

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
  expect((await workshop.read<DocumentObject>(`documents show ${corrected.id}`)).id).not.toBe(rejected.id);
  expect(await workshop.read(`documents show ${rejected.id}`)).toEqual(rejected);
});

test("a document is corrected once", async () => {
  const flags = ["I-1", "--customer", "094064321", "--line", "Συμβουλές; 2; 50; 24%", "--date", "2025-01-16"];
  const again = await correct(...flags, "--json");
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("result of that run") });
  const { id } = again.json<DocumentObject>();
  expect(
    (await workshop.list<DocumentObject>("documents list --reference I-1-2")).map((document) => document.id),
  ).toEqual([id]);
  const other = await correct("I-1", "--payment", "card");
  expect(other).toMatchObject({
    exitCode: 2,
    stderr: expect.stringMatching(/corrected already, by TIM \d+: credit/),
  });
});

test("a correction that is rejected is corrected itself", async () => {
  const wrong = { ...invoice("I-2"), metadata: { sandbox: "rejected" } };
  await issueAll(workshop, [wrong]);
  const inactive = ["--customer", "099999999"];
  const rejectedAgain = await correct("I-2", ...inactive);
  expect(rejectedAgain.exitCode).not.toBe(0);
  expectRefused(await correct("I-2", "--customer", "094064321"), 2, "was rejected too: correct that one");
  const done = await correct("I-2-2", "--customer", "094064321", "--json");
  expect(done.json<DocumentObject>()).toMatchObject({ status: "issued", external_reference: "I-2-2-2" });
});

test("--preview shows the correction and issues nothing", async () => {
  const run = await correct("I-1", "--payment", "card", "--reference", "I-1b", "--preview");
  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stdout).toMatch(/^document +correction of I-1$/m);
  expect(run.stdout).toMatch(/^gross +63\.24 EUR$/m);
  expect((await workshop.run("documents show I-1b")).exitCode).toBe(3);
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
