/** Documents with several MARKs at the authority: the highest counts, and the only valid one is never cancelled. */
import { describe, expect, test } from "vitest";
import { listMarkProblems } from "../../src/console/overview.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { retryDocument } from "../../src/documents/retry.ts";
import { cancelSurplusMarks } from "../../src/issuing/surplus-marks.ts";
import { uncancelledMarks, validMarks } from "../helpers/fake-registry/authority.ts";
import { findDiscrepancies, openRegistryBench } from "../helpers/registry-bench.ts";
import { CAUSE } from "../helpers/appliance.ts";
import { forEachTest } from "../helpers/set-up.ts";

const DAY_MS = 86_400_000;

const bench = forEachTest(() => openRegistryBench({ env: { FISCAL_ISSUING__DELAYS_SECONDS: "[0, 10]" } }));

/** Files the document twice without any of it being listed, and returns its id. */
async function fileTwiceUnlisted(): Promise<string> {
  const { registry } = bench;
  registry.listingDelayMs = DAY_MS;
  registry.next("SendInvoices", "cut after filing", "cut after filing");
  const id = await bench.accept();
  while (registry.ledger.length < 2) {
    await bench.settle();
    bench.advance(10_000);
  }
  expect(await bench.get(id)).toMatchObject({ stage: "reconciling", mark: null });
  return id;
}

/** Issues a document, and delivers an earlier send of it afterwards. */
async function issueAndReplace(): Promise<string> {
  const id = await bench.accept();
  bench.registry.next("SendInvoices", { kind: "late" });
  await bench.processAll([id]);
  bench.registry.deliverLate();
  await bench.finishSurplusMarks();
  return id;
}

function list(...places: readonly number[]): void {
  for (const place of places) bench.registry.ledger[place]!.listedAtMs = 0;
}

const surplusMarks = () =>
  bench.appliance.store.read.query((db) => db.selectFrom("surplus_marks").select(["mark", "state"]));
const marks = () => bench.registry.ledger.map(({ mark }) => mark);

// docs/contract.md#highest-mark-wins
describe("a document whose outcome is unknown", () => {
  test("gets the highest of two MARKs, and the lower one is cancelled once, although the response was lost", async () => {
    const id = await fileTwiceUnlisted();
    list(0, 1);
    bench.registry.next("CancelInvoice", "cut after filing");
    const [document] = await bench.processAll([id]);
    await bench.finishSurplusMarks();
    const [lower, higher] = marks();
    expect(document).toMatchObject({ status: "issued", mark: higher, cancellation_mark: null });
    expect(await surplusMarks()).toEqual([{ mark: lower, state: "cancelled" }]);
    expect(bench.registry.count("CancelInvoice")).toBe(1);
    expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
  });

  test("is not taken for cancelled while the MARK that replaced it is not listed yet", async () => {
    bench.registry.replacing = "flagged";
    const id = await fileTwiceUnlisted();
    list(0);
    bench.advance(60_000);
    await bench.settle();
    expect(await bench.get(id)).toMatchObject({ status: "pending", stage: "reconciling" });
    list(1);
    const [document] = await bench.processAll([id]);
    expect(document).toMatchObject({ status: "issued", mark: marks()[1], cancellation_mark: null });
    expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
  });

  test("keeps both MARKs if its own is cancelled at the authority before the lower one is", async () => {
    const id = await fileTwiceUnlisted();
    list(0, 1);
    // The process dies before the cancellation, and a person cancels the wrong one meanwhile.
    bench.registry.next("CancelInvoice", "cut before filing");
    await bench.processAll([id]);
    bench.registry.ledger[1]!.cancelledByMark = "400008888888888";
    await bench.finishSurplusMarks();
    expect(uncancelledMarks(bench.registry.ledger).get(bench.registry.ledger[0]!.uid)).toEqual([marks()[0]]);
    expect(await surplusMarks()).toEqual([{ mark: marks()[0], state: "stuck" }]);
    expect(await bench.diagnoseDocuments()).toMatchObject([{ subjects: [id] }]);
  });
});

test("a lower MARK is cancelled too if the document is cancelled while its own MARK is looked up", async () => {
  const id = await fileTwiceUnlisted();
  list(0, 1);
  let isCancelled = false;
  async function cancelOnceIssued(): Promise<void> {
    if (isCancelled || (await bench.get(id)).status !== "issued") return;
    isCancelled = true;
    await cancelDocument(bench.appliance, id, CAUSE);
  }
  const trouble = { kind: "meanwhile" as const, does: cancelOnceIssued };
  bench.registry.next("RequestTransmittedDocs", ...Array.from({ length: 20 }, () => trouble));
  await bench.processAll([id]);
  expect(isCancelled).toBe(true);
  bench.registry.calm();
  await bench.finishSurplusMarks();
  expect(uncancelledMarks(bench.registry.ledger).size).toBe(0);
  expect(await surplusMarks()).toEqual([{ mark: marks()[0], state: "cancelled" }]);
});

// docs/contract.md#highest-mark-wins
describe("a later MARK that turns up after the document was reported as issued", () => {
  test("is shown to a person in the log, doctor and console, and cancelled by nobody", async () => {
    const id = await issueAndReplace();
    const [own, later] = marks();
    expect(await bench.get(id)).toMatchObject({ status: "issued", mark: own });
    expect(bench.registry.count("CancelInvoice")).toBe(0);
    expect(bench.logged.filter((line) => line.startsWith("error") && line.includes(later!))).toHaveLength(1);
    expect(await bench.diagnoseDocuments()).toMatchObject([
      { subjects: [id], next_step: { en: expect.stringContaining(later!) } },
    ]);
    const [problem] = await listMarkProblems(bench.appliance, "test", 5);
    expect(problem).toMatchObject({
      document: { id },
      remedy: { en: expect.stringContaining(`${later} as the valid one and not ${own}`) },
    });
  });

  test("needs no more attention once a person cancelled it at the authority", async () => {
    await issueAndReplace();
    bench.registry.ledger[1]!.cancelledByMark = "400008888888888";
    bench.advance(DAY_MS);
    await bench.finishSurplusMarks();
    expect(await surplusMarks()).toEqual([{ mark: marks()[1], state: "cancelled" }]);
    expect(await listMarkProblems(bench.appliance, "test", 5)).toEqual([]);
  });

  test("is cancelled with the document when a person cancels that", async () => {
    const id = await issueAndReplace();
    await cancelDocument(bench.appliance, id, CAUSE);
    await bench.finishSurplusMarks();
    expect(validMarks(bench.registry.ledger).size).toBe(0);
    expect(uncancelledMarks(bench.registry.ledger).size).toBe(0);
  });
});

test("a failed document that is retried gets the MARK of its first send, which is not cancelled", async () => {
  const { registry } = bench;
  registry.listingDelayMs = DAY_MS;
  registry.next("SendInvoices", "cut after filing", "cut before filing");
  const id = await bench.accept();
  expect(await bench.processAll([id])).toMatchObject([{ status: "failed" }]);
  list(0);
  // Every cancellation fails until the document is retried.
  const noCancellation = "cut before filing";
  registry.next("CancelInvoice", noCancellation, noCancellation, noCancellation);
  while ((await surplusMarks()).length === 0) {
    bench.advance(60_000);
    await cancelSurplusMarks(bench.appliance);
  }
  expect(await surplusMarks()).toEqual([{ mark: marks()[0], state: "cancelling" }]);
  registry.next("SendInvoices", "cut before filing");
  await retryDocument(bench.appliance, id, CAUSE);
  const [document] = await bench.processAll([id]);
  registry.calm();
  await bench.finishSurplusMarks();
  expect(document).toMatchObject({ status: "issued", mark: marks()[0], cancellation_mark: null });
  expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
});
