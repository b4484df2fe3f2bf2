/**
 * Requests and responses that are lost or corrupted between us and the tax authority: cut, late, partial, reordered, or made up by
 * a gateway. Each document must end up registered once, under the MARK that we report.
 */
import { expect, test } from "vitest";
import { cancelDocument } from "../../src/documents/cancel.ts";
import { CAUSE } from "../helpers/appliance.ts";
import { findDiscrepancies, openRegistryBench } from "../helpers/registry-bench.ts";
import type { Change, Trouble } from "../helpers/gateway-troubles.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(() =>
  openRegistryBench({ env: { FISCAL_PROVIDERS__REGISTRY_DIRECT__TIMEOUT_SECONDS: "2" } }),
);

/** All are issued with numbers 1 to n, and ledger, documents and numbering audit agree. */
async function expectOnce(ids: readonly string[]): Promise<void> {
  const documents = await bench.processAll(ids);
  await bench.finishSurplusMarks();
  expect(documents.map(({ status, error }) => error ?? status)).toEqual(ids.map(() => "issued"));
  expect(documents.map(({ number }) => number)).toEqual(ids.map((_, index) => index + 1));
  expect(await findDiscrepancies(bench, bench.registry)).toEqual([]);
  expect(bench.registry.left()).toBe(0);
}

/** How often each number, starting with 1, was sent, whether or not it arrived. */
function sends(): number[] {
  const counts: number[] = [];
  for (const { method, body } of bench.registry.seen) {
    for (const [, number] of method === "SendInvoices" ? body.matchAll(/<aa>(\d+)<\/aa>/g) : []) {
      counts[Number(number) - 1] = (counts[Number(number) - 1] ?? 0) + 1;
    }
  }
  return counts;
}

const changed = (change: Change): Trouble => ({ kind: "changed", change });

const QUOTA = '{ "statusCode": 403, "message": "Out of call volume quota." }';

/**
 * Nothing arrived at the authority, so each document is sent twice. What each status means is tested in
 * providers/registry-direct/status.
 */
const NOT_ARRIVED: readonly [string, Trouble][] = [
  ["a cut before it arrives", { kind: "cut", arrives: false }],
  ["no response, and it never arrives", { kind: "hold", arrives: false }],
  [
    "a 503 with retry-after",
    { kind: "status", status: 503, headers: { "retry-after": "90" }, arrives: false },
  ],
  ["a 429", { kind: "status", status: 429, headers: { "retry-after": "30" }, arrives: false }],
  [
    "a used-up quota",
    { kind: "status", status: 403, headers: { "retry-after": "600" }, body: QUOTA, arrives: false },
  ],
  ["a 404", { kind: "status", status: 404, arrives: false }],
];

/** The documents were registered, regardless of the response: they are never sent again. */
const ARRIVED: readonly [string, Trouble][] = [
  ["a cut after it arrives", { kind: "cut" }],
  ["no response", { kind: "hold" }],
  ["half of the response", { kind: "half" }],
  ["a 400", { kind: "status", status: 400, body: "General Exception Error" }],
  ["an empty 200", { kind: "status", status: 200, body: "" }],
  ["responses without an index, in another order", changed("unindexed")],
  ["each response twice", changed("doubled")],
  ["responses with other uids", changed("foreign")],
  ["success without MARKs", changed("markless")],
  ["a response in two wrappers", changed("wrapped twice")],
];

async function acceptSome(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let place = 0; place < count; place += 1) ids.push(await bench.accept());
  return ids;
}

const FAULTS = [
  ...NOT_ARRIVED.map(([name, trouble]) => ({ name, trouble, sends: 2 })),
  ...ARRIVED.map(([name, trouble]) => ({ name, trouble, sends: 1 })),
];

test.each(FAULTS)("after $name each document was sent $sends times", async ({ trouble, ...expected }) => {
  bench.registry.next("SendInvoices", trouble);
  const ids = await acceptSome(4);
  await expectOnce(ids);
  expect(sends()).toEqual(ids.map(() => expected.sends));
  expect(bench.registry.ledger).toHaveLength(4);
});

// docs/contract.md#transmission-failure
test("a message that cannot connect is sent later, without declaring a transmission failure", async () => {
  await bench.registry.goDown();
  const ids = await acceptSome(4);
  await bench.settle();
  await bench.registry.comeBack();
  await expectOnce(ids);
  const declared = bench.registry.ledger.map(({ transmissionFailure }) => transmissionFailure);
  expect(declared).toEqual(ids.map(() => null));
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

test("a listing that refuses the account leaves documents reconciling until the account is valid again", async () => {
  const id = await bench.accept();
  bench.registry.next("SendInvoices", { kind: "cut" });
  await bench.settle();
  const [account] = bench.registry.accounts;
  const { key } = account!;
  account!.key = "another";
  await bench.processAll([id], 1);
  expect(await bench.get(id)).toMatchObject({ stage: "reconciling", number: 1 });
  account!.key = key;
  await expectOnce([id]);
  expect(bench.registry.count("SendInvoices")).toBe(1);
});

test.each([
  ["whose response was lost is looked up before the next try", true, 1],
  ["that never arrived is tried again", false, 2],
])("a requested cancellation %s", async (_name, arrives, tries) => {
  const id = await bench.accept();
  await bench.processAll([id]);
  const cancel = () => cancelDocument(bench.appliance, id, CAUSE);
  bench.registry.next("CancelInvoice", { kind: "cut", arrives });
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
