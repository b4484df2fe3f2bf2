/**
 * Lost responses, as a matrix of faults, times and whether the authority had registered the document. Each document must end up
 * registered once, know its MARK, and leave no number unexplained.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FAULTS, type Fault, filesBeforeFailing } from "../helpers/fake-registry/faults.ts";
import { standing } from "../helpers/fake-registry/server.ts";
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
  const marks = standing(bench.registry.ledger);
  for (const { status, mark, uid, error } of documents) {
    expect({ status, error }).toEqual({ status: "issued", error: null });
    expect(marks.get(uid!)).toEqual([mark]);
  }
  expect(marks.size).toBe(ids.length);
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

describe("one document", () => {
  test.each(RECOVERING)("%s", async (fault) => {
    bench.registry.next("SendInvoices", fault);
    const id = await bench.accept();
    await bench.workOff([id]);
    await expectRegisteredOnce([id]);
  });

  test.each(RECOVERING)("%s, twice in a row", async (fault) => {
    for (let times = 0; times < 2; times += 1) bench.registry.next("SendInvoices", fault);
    const id = await bench.accept();
    await bench.workOff([id], 120);
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
        ] as const
      ).map((query): [Fault, Fault] => [send, query]),
    ),
  )("%s, then the query: %s", async (send, query) => {
    bench.registry.next("SendInvoices", send);
    for (let times = 0; times < 3; times += 1) bench.registry.next("RequestTransmittedDocs", query);
    const id = await bench.accept();
    await bench.workOff([id], 120);
    await expectRegisteredOnce([id]);
  });
});

describe("several in one message", () => {
  test.each(RECOVERING)("%s", async (fault) => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) ids.push(await bench.accept());
    bench.registry.next("SendInvoices", fault);
    await bench.workOff(ids, 120);
    const first = bench.registry.requests.find((request) => request.startsWith("SendInvoices"));
    if (filesBeforeFailing(fault)) expect(first).toBe("SendInvoices 5");
    await expectRegisteredOnce(ids);
  });
});

test("a document that is listed late is not sent again within the settle time", async () => {
  bench.registry.listingDelayMs = 100_000;
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  await bench.workOff([id]);
  expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices")).length).toBe(1);
  await expectRegisteredOnce([id]);
});

test("a rejected document shows the authority's code, and its number is released", async () => {
  bench.registry.refuse("TIM", "102", "Vat number is not active");
  const refused = await bench.accept();
  await bench.workOff([refused]);
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
  await bench.workOff([other]);
  expect(await bench.get(other)).toMatchObject({ status: "issued", number: 1 });
  const audit = await bench.audit();
  expect(audit.holes).toEqual([]);
});

test("waiting documents of one series share messages", async () => {
  const ids = [];
  for (let count = 0; count < 120; count += 1) ids.push(await bench.accept());
  await bench.workOff(ids);
  expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices"))).toEqual([
    "SendInvoices 50",
    "SendInvoices 50",
    "SendInvoices 20",
  ]);
  await expectRegisteredOnce(ids);
});
