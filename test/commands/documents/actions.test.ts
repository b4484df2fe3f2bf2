import { stripVTControlCharacters } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { issueAll, NO_DELAYS, issue, listed } from "../../helpers/issuing.ts";
import { answering, expectRefused, expectSaid } from "../../helpers/program.ts";
import { invoice, receipt, openShop } from "../../helpers/receipts.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const workshop = forEachTest(openShop);

async function issueOne(reference: string, scene?: string): Promise<DocumentObject> {
  const [document] = await issueAll(workshop, [receipt(reference, scene)]);
  return document!;
}

test("documents retry sends a failed document again and prints its new state", async () => {
  await issueOne("A-1", "unavailable");
  const run = await workshop.run("documents retry A-1 --json", { env: NO_DELAYS });
  expect(run.exitCode).toBe(5);
  const document = run.json<DocumentObject>();
  expect(document.status).toBe("failed");
  expect(document.timeline.map(({ type }) => type)).toEqual([
    "document.created",
    "document.failed",
    "document.retried",
    "document.failed",
  ]);
});

test("documents retry --no-wait only queues it", async () => {
  await issueOne("A-1", "unavailable");
  expect(await workshop.read("documents retry A-1 --no-wait")).toMatchObject({
    status: "pending",
    stage: "queued",
  });
});

test("documents cancel asks for confirmation, then cancels with the provider", async () => {
  await issueOne("A-1");
  expectRefused(await workshop.run("documents cancel A-1"), 2, "--yes");
  expect((await workshop.read<DocumentObject>("documents cancel A-1 --yes")).cancellation_mark).toMatch(
    /^4\d{14}$/,
  );
  expect((await workshop.run("documents list")).stdout).toContain("\tcancelled\t");
});

test("the question before what cannot be undone names number, customer, amount, merchant and mode, once the document is found", async () => {
  const [issued] = await issueAll(workshop, [invoice("I-1")]);
  const run = await workshop.run("documents cancel I-1", {
    ...answering({ "Cancel with the provider: ": "n\r" }),
    columns: 200,
  });
  expect(run).toMatchObject({ exitCode: 1, stdout: "" });
  const subject = `TIM ${issued!.number}, 094012834, 63.24 EUR, Παράδειγμα Α.Ε., test mode?`;
  expect(stripVTControlCharacters(run.stderr)).toContain(subject);
  expect(await workshop.run("documents cancel I-2")).toMatchObject({ exitCode: 3, stdout: "" });
});

test("documents abandon gives up the number and records the reason for the audit", async () => {
  const { id, number } = await issueOne("A-1", "unavailable");
  expect(await workshop.read("documents abandon A-1 --reason 'on paper' --yes")).toMatchObject({
    status: "failed",
    number: null,
  });
  expect(await workshop.read("numbering audit")).toMatchObject({
    counters: [{ numbers: [{ number, state: "abandoned", document: id, reason: "on paper" }] }],
    holes: [],
  });
});

// docs/contract.md#timeout-of-waiting-verbs
describe("commands that wait for documents", () => {
  /** The second attempt is far away. */
  const LONG_PAUSE = { FISCAL_ISSUING__DELAYS_SECONDS: "[0,3600]" };

  let failed: DocumentObject;
  beforeEach(async () => {
    failed = await issueOne("A-1", "unavailable");
  });

  test("after --timeout they exit with 5, name the next command and leave the document queued", async () => {
    const run = await workshop.run("documents retry A-1 --timeout 1", {
      env: LONG_PAUSE,
      terminal: true,
    });
    expectSaid(
      run,
      5,
      /issuing ░{10} 0\/1 \(1 queued, next \d\d:\d\d:\d\d; until \d\d:\d\d:\d\d\)/,
      "No longer waiting after 1 s. Documents still pending: 1;",
      `fiscal documents show ${failed.id}`,
    );
    expect(await listed(workshop)).toMatchObject([{ status: "pending", stage: "queued" }]);

    // A document that is queued already is waited for again, here as part of a batch.
    const again = [receipt("A-1", "unavailable")];
    const batch = await issue(workshop, again, ["--timeout", "1", "--lang", "el"], { env: LONG_PAUSE });
    expectSaid(batch, 5, "Η αναμονή τελείωσε μετά από 1 δευτ.");
  });

  test("Ctrl-C exits with 130 and leaves the document queued", async () => {
    await issueAll(workshop, [receipt("A-2", "unavailable")]);
    const run = await workshop.run("documents retry A-2", {
      env: LONG_PAUSE,
      terminal: true,
      onOutput: (text, program) => {
        if (text.includes("queued, next")) program.interrupt();
      },
    });
    expectRefused(run, 130, "interrupted: the document is queued");
    const [document] = await listed(workshop);
    expect(document).toMatchObject({ external_reference: "A-2", status: "pending", stage: "queued" });
  });
});
