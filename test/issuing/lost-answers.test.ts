/**
 * Lost responses, as a matrix of faults, times and whether the authority had registered the document. Each document must end up
 * registered once, know its MARK, and leave no number unexplained.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FAULTS, type Fault, filesBeforeFailing } from "../helpers/fake-registry/faults.ts";
import { REPLACING, uncancelledMarks, validMarks } from "../helpers/fake-registry/authority.ts";
import { openRegistryBench, type RegistryBench, tendLater } from "../helpers/registry-bench.ts";

let bench: RegistryBench;
beforeEach(async () => {
  bench = await openRegistryBench();
});
afterEach(() => bench.close());

/** Each document is registered once, under its MARK, and the numbers have no hole. */
async function expectRegisteredOnce(ids: readonly string[]): Promise<void> {
  await tendLater(bench);
  const documents = await Promise.all(ids.map(bench.get));
  const { ledger } = bench.registry;
  for (const { status, error, cancellation_mark } of documents)
    expect({ status, error, cancellation_mark }).toEqual({
      status: "issued",
      error: null,
      cancellation_mark: null,
    });
  expect(validMarks(ledger)).toEqual(new Map(documents.map(({ uid, mark }) => [uid, mark])));
  expect(uncancelledMarks(ledger)).toEqual(new Map(documents.map(({ uid, mark }) => [uid, [mark]])));
  expect(documents.map(({ number }) => number).toSorted((a, b) => a! - b!)).toEqual(
    ids.map((_, index) => index + 1),
  );
  const audit = await bench.audit();
  expect(audit.holes).toEqual([]);
  expect(audit.counters.flatMap(({ numbers }) => numbers.map(({ state }) => state))).toEqual(
    ids.map(() => "issued"),
  );
}

const RECOVERING = FAULTS.filter((fault) => fault !== "401");

/** Whether the authority shows a replaced document as cancelled is not known (docs/authority.md#several-marks). */
describe.each(REPLACING)("one document, replaced ones %s", (replacing) => {
  beforeEach(() => {
    bench.registry.replacing = replacing;
  });

  test.each(RECOVERING)("%s", async (fault) => {
    bench.registry.next("SendInvoices", fault);
    const id = await bench.accept();
    await bench.processAll([id]);
    await expectRegisteredOnce([id]);
  });

  test.each(RECOVERING)("%s, twice in a row", async (fault) => {
    for (let times = 0; times < 2; times += 1) bench.registry.next("SendInvoices", fault);
    const id = await bench.accept();
    await bench.processAll([id], 120);
    await expectRegisteredOnce([id]);
  });

  test.each<[Fault, Fault]>(
    (["cut after filing", "500 before filing"] as const).flatMap((send) =>
      (
        [
          "cut before filing",
          "html 502 before filing",
          "429",
          "empty after filing",
          "garbled after filing",
          "400 before filing",
          "403 page before filing",
        ] as const
      ).map((query): [Fault, Fault] => [send, query]),
    ),
  )("%s, then the query: %s", async (send, query) => {
    bench.registry.next("SendInvoices", send);
    for (let times = 0; times < 3; times += 1) bench.registry.next("RequestTransmittedDocs", query);
    const id = await bench.accept();
    await bench.processAll([id], 120);
    await expectRegisteredOnce([id]);
  });
});

describe.each(REPLACING)("several in one message, replaced ones %s", (replacing) => {
  beforeEach(() => {
    bench.registry.replacing = replacing;
  });

  // docs/authority.md#several-marks
  test.each(RECOVERING)("filed before and listed late, then sent again: %s", async (fault) => {
    const ids = [await bench.accept(), await bench.accept()];
    bench.registry.listingDelayMs = 300_000;
    bench.registry.next("SendInvoices", "400 after filing");
    await bench.settle();
    bench.registry.listingDelayMs = 0;
    bench.registry.next("SendInvoices", fault);
    await bench.processAll(ids, 120);
    bench.advance(300_000);
    await expectRegisteredOnce(ids);
  });

  test.each(RECOVERING)("%s", async (fault) => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await bench.accept());
    bench.registry.next("SendInvoices", fault);
    await bench.processAll(ids, 120);
    const first = bench.registry.requests.find((request) => request.startsWith("SendInvoices"));
    if (filesBeforeFailing(fault)) expect(first).toBe("SendInvoices 5");
    await expectRegisteredOnce(ids);
  });
});

test("a document that is listed late is not sent again within the settle time", async () => {
  bench.registry.listingDelayMs = 100_000;
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  await bench.processAll([id]);
  expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices")).length).toBe(1);
  await expectRegisteredOnce([id]);
});

test("a rejected document shows the authority's code, and its number is released", async () => {
  bench.registry.refuse("TIM", "102", "Vat number is not active");
  const refused = await bench.accept();
  await bench.processAll([refused]);
  expect(await bench.get(refused)).toMatchObject({
    status: "rejected",
    number: null,
    error: {
      code: "provider_rejected",
      provider_code: "102",
      provider_message: "Vat number is not active",
      retryable: false,
    },
  });
  const other = await bench.accept({ series: "B" });
  await bench.processAll([other]);
  expect(await bench.get(other)).toMatchObject({ status: "issued", number: 1 });
  const audit = await bench.audit();
  expect(audit.holes).toEqual([]);
});

test("waiting documents of one series share messages", async () => {
  const ids = [];
  for (let count = 0; count < 120; count += 1) ids.push(await bench.accept());
  await bench.processAll(ids);
  expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices"))).toEqual([
    "SendInvoices 50",
    "SendInvoices 50",
    "SendInvoices 20",
  ]);
  await expectRegisteredOnce(ids);
});
