/**
 * Broken and misleading responses of provider_a: every document is filed exactly once. Cut, late, refused and failing
 * responses are the simulator's.
 */
import { expect, test } from "vitest";
import type { Fault } from "../../helpers/fake-provider-a.ts";
import { openProviderABench } from "../../helpers/provider-a-bench.ts";
import { forEachTest } from "../../helpers/set-up.ts";

const bench = forEachTest(openProviderABench);

/** Only the document is filed, and it is issued as filed, after this many sends. */
async function expectIssuedOnce(id: string, sends: number): Promise<void> {
  const { fake } = bench;
  await bench.processAll([id]);
  expect(fake.ledger.map(({ externalId }) => externalId)).toEqual([id]);
  const { mark, uid, series, num: number } = fake.ledger[0]!;
  expect(await bench.get(id)).toMatchObject({ status: "issued", mark, uid, series, number, error: null });
  expect(fake.count("POST /invoices")).toBe(sends);
}

/** How each response is read is tested in `issue.test.ts`. */
test.each<[name: string, fault: Fault, stage: string | null, sends: number]>([
  ["cut in half, with the document filed", { kind: "garbled", done: true }, "reconciling", 1],
  ["that is a gateway's page, with nothing filed", { kind: "html", done: false }, "reconciling", 2],
  ["lost, with the document listed late", { kind: "hidden", askings: 3 }, "reconciling", 1],
  ["that says the reference is taken, by this send", { kind: "duplicate", done: true }, null, 1],
  ["that wrongly says the reference is taken", { kind: "duplicate", done: false }, "reconciling", 2],
  ["that refuses an expired token", { kind: "unauthorised" }, null, 2],
])("a response %s: the document is filed once", async (_name, fault, stage, sends) => {
  await bench.connect();
  bench.fake.next(fault);
  const id = await bench.issue("11.1");
  expect(await bench.get(id)).toMatchObject({
    status: stage === null ? "issued" : "pending",
    stage,
    error: null,
  });
  await expectIssuedOnce(id, sends);
});

test("a document listed only after the second send is found by the refusal of that send", async () => {
  await bench.connect();
  // Looked up after 2, 6, 14, 30, 62 and 122 s or later: the sixth absence counts.
  bench.fake.next({ kind: "hidden", askings: 6 });
  const id = await bench.accept("11.1");
  for (const stepMs of [0, 2300, 4500, 9000, 18_000, 36_000, 70_000]) {
    bench.advance(stepMs);
    await bench.settle();
  }
  await expectIssuedOnce(id, 2);
  bench.fake.forgive(/was sent again after it had been filed/);
});
