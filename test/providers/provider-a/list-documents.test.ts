/** Compares a period with the list of provider_a (docs/provider-a.md#invoice-list). */
import { beforeEach, expect, test } from "vitest";
import { reconcile } from "../../../src/books/reconcile/reconcile.ts";
import { openProviderABench, TODAY } from "../../helpers/provider-a-bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(() => openProviderABench({ listPageSize: 2 }));
beforeEach(() => bench.connect());

const waits: number[] = [];
const compare = () =>
  reconcile(bench.appliance, {
    mode: "test",
    merchantId: undefined,
    from: TODAY,
    through: TODAY,
    signal: undefined,
    wait: async (ms) => void waits.push(ms),
  });

/** Hides the MARK of a document here, as if another program had sent it. */
async function forget(id: string): Promise<void> {
  await bench.appliance.store.write((trx) =>
    trx.query((db) =>
      db
        .updateTable("documents")
        .set({ phase: "failed", status: "failed", mark: null, uid: null })
        .where("id", "=", id),
    ),
  );
}

test("reads every page of the list, and finds each document by the id that it was sent with", async () => {
  for (let count = 0; count < 3; count += 1) await bench.issue();
  expect(await compare()).toMatchObject({ differences: [], compared: 3, notCompared: [] });
  expect(bench.fake.count(LIST)).toBe(2);
  const calls = (await bench.calls()).slice(-2);
  expect(calls).toMatchObject([
    { operation: "lookup", purpose: "operation", outcome: "ok" },
    { operation: "lookup", purpose: "operation", outcome: "ok" },
  ]);
});

test("finds a document that the provider dated on the day after", async () => {
  await bench.issue();
  bench.fake.ledger[0]!.day = "2026-11-22";
  expect(await compare()).toMatchObject({ differences: [], compared: 1 });
});

test("reports a document without a MARK here, which can be taken over by its id", async () => {
  const id = await bench.issue();
  await forget(id);
  const { mark } = bench.fake.ledger[0]!;
  expect(await compare()).toMatchObject({
    differences: [{ kind: "missing_here", document: id, mark }],
    adoptable: [{ document: id, mark }],
  });
});

const LIST = "GET /invoices/find_all_invoices";

test.each([
  { fault: { kind: "garbled", done: true, on: LIST }, reason: "unavailable" },
  { fault: { kind: "html", done: true, on: LIST }, reason: "unavailable" },
  { fault: { kind: "error", done: true, on: LIST }, reason: "unavailable" },
] as const)("names what was not compared after $fault.kind", async ({ fault, reason }) => {
  await bench.issue();
  bench.fake.next(fault);
  expect(await compare()).toMatchObject({ differences: [], notCompared: [{ reason, merchant: "shop" }] });
});

test("waits as long as the provider asks", async () => {
  await bench.issue();
  bench.fake.next({ kind: "limited", retryAfterSeconds: 7, on: LIST });
  expect(await compare()).toMatchObject({ differences: [], compared: 1, notCompared: [] });
  expect(waits).toEqual([7000]);
});
