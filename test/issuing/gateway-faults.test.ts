/**
 * Requests between us and the tax authority that cannot connect, fail every time, or lose a cancellation. What becomes of
 * lost, late, partial and changed answers to a send is the simulator's.
 */
import { expect, test } from "vitest";
import { verifyConnection } from "../../src/connections/connections.ts";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { CAUSE } from "../helpers/appliance.ts";
import { ACCOUNT, findDiscrepancies, openRegistryBench } from "../helpers/registry-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(openRegistryBench);

// docs/contract.md#transmission-failure
test("a message that cannot connect is sent later, without declaring a transmission failure", async () => {
  await bench.registry.goDown();
  const ids = [await bench.accept(), await bench.accept()];
  await bench.settle();
  await bench.registry.comeBack();
  const documents = await bench.processAll(ids);
  expect(documents.map(({ status, number }) => `${status} ${number}`)).toEqual(["issued 1", "issued 2"]);
  expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
  expect(bench.registry.ledger.map(({ transmissionFailure }) => transmissionFailure)).toEqual([null, null]);
});

// docs/contract.md#http-400-to-a-send
test("a document that causes a 400 every time fails alone, and the others are registered once", async () => {
  bench.registry.failOn("BAD");
  const before = await bench.accept();
  const cause = await bench.accept({}, { series: "BAD" });
  const after = await bench.accept();
  const documents = await bench.processAll([before, cause, after]);
  await bench.finishSurplusMarks();
  expect(documents.map(({ status, mark }) => `${status} ${mark === null}`)).toEqual([
    "issued false",
    "failed true",
    "issued false",
  ]);
  expect(bench.registry.ledger).toHaveLength(2);
  expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
});

test.each([
  ["whose response was lost is looked up before the next try", "cut after filing", 1],
  ["that never arrived is tried again", "cut before filing", 2],
] as const)("a requested cancellation %s", async (_name, fault, tries) => {
  const id = await bench.accept();
  await bench.processAll([id]);
  const cancel = () => cancelDocument(bench.appliance, id, CAUSE);
  bench.registry.next("CancelInvoice", fault);
  await expect(cancel()).rejects.toMatchObject({ code: "provider_unavailable", retryable: true });
  const { cancellation_mark: mark } = await cancel();
  expect(mark).toBe(bench.registry.ledger[0]!.cancelledByMark);
  expect(bench.registry.count("CancelInvoice")).toBe(tries);
});

test("a document that the authority failed on ends as failed, with the authority's last code and words", async () => {
  const technical = Array.from({ length: 4 }, () => "technical error before filing" as const);
  bench.registry.next("SendInvoices", ...technical);
  const [failed] = await bench.processAll([await bench.accept()], 120);
  expect(failed).toMatchObject({
    status: "failed",
    error: {
      code: "provider_unavailable",
      retryable: true,
      provider_code: "335",
      provider_message: "Unexpected",
    },
  });
  expect(bench.registry.left()).toBe(0);
});

/** Waiting for stranded documents ends and reports the connection that they wait for. */
test("a document whose account is refused during reconciliation counts as stranded", async () => {
  bench.registry.next("SendInvoices", "cut after filing");
  const id = await bench.accept();
  await bench.settle();
  bench.registry.accounts[0]!.key = "changed";
  bench.advance(3_000);
  const { stranded } = await bench.appliance.issuing.drain({ documentIds: new Set([id]) });
  expect(stranded).toEqual([{ connectionId: bench.connection, documents: 1 }]);
  expect(await bench.get(id)).toMatchObject({ status: "pending", stage: "reconciling" });

  // Once verified, it is queried at once.
  bench.registry.accounts[0]!.key = ACCOUNT.key;
  await verifyConnection(bench.appliance, bench.connection, CAUSE);
  const drained = await bench.appliance.issuing.drain({ documentIds: new Set([id]) });
  expect(drained).toEqual({ stranded: [], open: 0 });
  expect(await bench.get(id)).toMatchObject({ status: "issued" });
  expect(bench.registry.ledger).toHaveLength(1);
});
