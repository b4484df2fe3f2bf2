/**
 * The lost-answer matrix: what goes wrong, when, and whether the authority had filed. Whatever it is, there is one standing
 * filing in the end, the document knows its MARK, and every number is explained.
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

/** One standing filing for each document, under the MARK that it knows; numbers without a hole. */
async function expectFiledOnce(ids: readonly string[]): Promise<void> {
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
    await expectFiledOnce([id]);
  });

  test.each(RECOVERING)("%s, and the same once more with what comes after", async (fault) => {
    for (let times = 0; times < 2; times += 1) bench.registry.next("SendInvoices", fault);
    const id = await bench.accept();
    await bench.workOff([id], 120);
    await expectFiledOnce([id]);
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
      ).map((asking): [Fault, Fault] => [send, asking]),
    ),
  )("%s, then the asking: %s", async (send, asking) => {
    bench.registry.next("SendInvoices", send);
    for (let times = 0; times < 3; times += 1) bench.registry.next("RequestTransmittedDocs", asking);
    const id = await bench.accept();
    await bench.workOff([id], 120);
    await expectFiledOnce([id]);
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
    await expectFiledOnce(ids);
  });
});

test("what is not in the listing for a while is not sent again before that while is over", async () => {
  bench.registry.listingDelayMs = 100_000;
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  await bench.workOff([id]);
  expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices")).length).toBe(1);
  await expectFiledOnce([id]);
});

test("what is listed only after it was sent again is cancelled, and the MARK that was told stays", async () => {
  bench.registry.listingDelayMs = 15 * 60_000;
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  const [document] = await bench.workOff([id]);
  expect(bench.registry.ledger.length).toBe(2);
  expect(document).toMatchObject({ status: "issued", mark: bench.registry.ledger[1]!.mark });
  await expectFiledOnce([id]);
  expect(bench.registry.ledger[0]!.cancelledByMark).not.toBeNull();
  expect((await bench.get(id)).cancellation_mark).toBeNull();
});

test("the authority's refusal is told with its code, its number goes to the next one", async () => {
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

test("refused credentials make the connection invalid; the documents wait, and go on when it is verified", async () => {
  const [account] = bench.registry.accounts;
  const { key } = account!;
  account!.key = "another";
  const ids = [await bench.accept(), await bench.accept()];
  await bench.settle();
  const { verifyConnection, getConnection } = await import("../../src/connections/connections.ts");
  expect(await getConnection(bench.appliance, "test", bench.connection)).toMatchObject({ status: "invalid" });
  expect((await bench.get(ids[0]!)).stage).toBe("queued");
  account!.key = key;
  const cause = { mode: "test", requestId: null, idempotencyKey: null } as const;
  expect(await verifyConnection(bench.appliance, bench.connection, cause)).toMatchObject({
    status: "active",
  });
  await bench.workOff(ids);
  await expectFiledOnce(ids);
});

test("a document that could not be connected for says so when it is sent later", async () => {
  const { registry } = bench;
  const port = new URL(registry.url).port;
  await registry.close();
  const id = await bench.accept();
  await bench.settle();
  const { startFakeRegistry } = await import("../helpers/fake-registry/server.ts");
  const again = await startFakeRegistry({
    accounts: registry.accounts,
    nowMs: bench.appliance.clock.nowMs,
    port: Number(port),
  });
  bench.registry = again;
  await bench.workOff([id]);
  expect(again.ledger.map(({ transmissionFailure }) => transmissionFailure)).toEqual(["3"]);
  bench.close = async () => {
    await again.close();
    await bench.appliance.stop(0);
  };
});

test("documents of one series that wait together go in messages of many", async () => {
  const ids = [];
  for (let count = 0; count < 120; count += 1) ids.push(await bench.accept());
  await bench.workOff(ids);
  expect(bench.registry.requests.filter((request) => request.startsWith("SendInvoices"))).toEqual([
    "SendInvoices 50",
    "SendInvoices 50",
    "SendInvoices 20",
  ]);
  await expectFiledOnce(ids);
});

test("the payload of an issued document is what preview showed", async () => {
  const { previewDocument } = await import("../../src/documents/preview.ts");
  const { buildIssueBody } = await import("../helpers/appliance.ts");
  const { document } = buildIssueBody(bench.merchant) as { document: object };
  const preview = await previewDocument(bench.appliance, document, { mode: "test" });
  expect(preview.provider).toBe("registry_direct");
  const id = await bench.accept();
  await bench.workOff([id]);
  const { listProviderCalls, getProviderCall } = await import("../../src/logs/list-calls.ts");
  const { data } = await listProviderCalls(bench.appliance, "test", { limit: 10, document: id });
  const call = await getProviderCall(bench.appliance, "test", data[0]!.id);
  const { writeXml } = await import("../../src/providers/registry-direct/xml.ts");
  expect((call.request as { body: string }).body).toBe(writeXml(preview.payload));
  expect(JSON.stringify(call)).not.toContain("fake-key");
  expect(JSON.stringify(call)).not.toContain("fake-user");
});
