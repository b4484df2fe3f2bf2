/** Lost, broken and late responses of provider_a: every document is filed exactly once. */
import { afterEach, describe, expect, test } from "vitest";
import { retryDocument } from "../../../src/documents/retry.ts";
import type { Fault } from "../../helpers/fake-provider-a.ts";
import { CAUSE } from "../../helpers/appliance.ts";
import {
  openProviderABench,
  type ProviderABench,
  type ProviderABenchOptions,
} from "../../helpers/provider-a-bench.ts";

let bench: ProviderABench;
afterEach(() => bench.close());

async function setup(options: ProviderABenchOptions = {}): Promise<ProviderABench> {
  bench = await openProviderABench(options);
  await bench.connect();
  return bench;
}

const SEND = "POST /invoices";
const READ = "GET /invoices/{ref}";
/** Long enough for a local response, short enough for a test. */
const SHORT_TIMEOUT = { env: { FISCAL_PROVIDERS__PROVIDER_A__TIMEOUT_SECONDS: "1" } };

/** The document is issued, and nothing else was filed. */
async function expectIssuedOnce(id: string): Promise<void> {
  const { fake } = bench;
  expect(fake.ledger.map(({ externalId }) => externalId)).toEqual([id]);
  const [filing] = fake.ledger;
  expect(await bench.get(id)).toMatchObject({
    status: "issued",
    mark: filing!.mark,
    uid: filing!.uid,
    series: filing!.series,
    number: filing!.num,
    error: null,
  });
}

/** How each response is read is tested in `issue.test.ts`. */
describe("a response to a send", () => {
  const LOST = "reconciling";
  test.each<[name: string, fault: Fault, stage: string | null, sends: number]>([
    ["lost before it was read", { kind: "cut", done: false }, LOST, 2],
    ["lost after it was filed", { kind: "cut", done: true }, LOST, 1],
    ["that never arrives, with nothing filed", { kind: "hold", done: false }, LOST, 2],
    ["that never arrives, with the document filed", { kind: "hold", done: true }, LOST, 1],
    ["cut in half, with the document filed", { kind: "garbled", done: true }, LOST, 1],
    ["that is a gateway's page, with nothing filed", { kind: "html", done: false }, LOST, 2],
    ["that is an error after filing", { kind: "error", done: true }, LOST, 1],
    ["lost, with the document listed late", { kind: "hidden", askings: 3 }, LOST, 1],
    ["that says the reference is taken, by this send", { kind: "duplicate", done: true }, null, 1],
    ["that wrongly says the reference is taken", { kind: "duplicate", done: false }, LOST, 2],
    ["that limits the rate", { kind: "limited", retryAfterSeconds: 30 }, "queued", 2],
    ["that limits the rate without a pause", { kind: "limited" }, "queued", 2],
    ["that refuses an expired token", { kind: "unauthorised" }, null, 2],
    ["that arrives late", { kind: "slow", ms: 60 }, null, 1],
  ])("%s: the document is filed once", async (_name, fault, stage, sends) => {
    const { fake, accept, settle, get, processAll } = await setup(fault.kind === "hold" ? SHORT_TIMEOUT : {});
    fake.next(fault);
    const id = await accept("11.1");
    await settle();
    expect((await get(id)).stage).toBe(stage);
    if (stage === LOST) expect(await get(id)).toMatchObject({ status: "pending", error: null });
    await processAll([id]);
    await expectIssuedOnce(id);
    expect(fake.count(SEND)).toBe(sends);
  });

  test("lost, with the document listed only after the second send: the refusal of the second send finds it", async () => {
    const { fake, accept, processAll } = await setup();
    // Looked up after 2, 6, 14, 30, 62 and 122 s or later: the sixth absence counts.
    fake.next({ kind: "hidden", askings: 6 });
    const id = await accept("11.1");
    await settleInSteps([0, 2300, 4500, 9000, 18_000, 36_000, 70_000]);
    await processAll([id]);
    await expectIssuedOnce(id);
    expect(fake.count(SEND)).toBe(2);
    fake.forgive(/was sent again after it had been filed/);
  });

  test("that is lost leads to a lookup by our id before another send", async () => {
    const { fake, accept, settle, advance } = await setup();
    fake.next({ kind: "cut", done: true });
    const id = await accept("11.1");
    await settle();
    const before = fake.requests.length;
    advance(2300);
    await settle();
    const asked = fake.requests.slice(before);
    expect(asked.map(({ path }) => path)).toEqual([`/invoices/${id}`]);
    await expectIssuedOnce(id);
  });

  test.each([200, 404, 422])(
    "that is lost: HTTP %i to the lookup counts as an absence",
    async (notFoundStatus) => {
      const { fake, accept, processAll } = await setup({ habits: { notFoundStatus } });
      fake.next({ kind: "cut", done: false });
      const id = await accept("11.1");
      await processAll([id]);
      await expectIssuedOnce(id);
    },
  );
});

async function settleInSteps(stepsMs: readonly number[]): Promise<void> {
  for (const stepMs of stepsMs) {
    bench.advance(stepMs);
    await bench.settle();
  }
}

test("a provider that cannot be reached is tried four times before the document fails, and a retry issues it", async () => {
  const { appliance, fake, accept, get, processAll, merchant } = await setup();
  await fake.goDown();
  const id = await accept("11.1");
  const [document] = await processAll([id]);
  expect(document).toMatchObject({
    status: "failed",
    merchant,
    number: null,
    error: { code: "provider_unavailable", retryable: true, provider_code: null },
  });
  expect(fake.ledger).toEqual([]);
  const tries = (await bench.calls()).filter(
    ({ operation, purpose }) => operation === "issue" && purpose === "operation",
  );
  expect(tries.filter(({ settled_at }) => settled_at !== null)).toHaveLength(4);
  await fake.comeBack();
  await retryDocument(appliance, id, CAUSE);
  expect(await get(id)).toMatchObject({ status: "pending", stage: "queued", error: null });
  await processAll([id]);
  await expectIssuedOnce(id);
});

/** Nothing is learned, and nothing is sent. */
describe("a failed lookup", () => {
  const FAULTS: readonly Fault[] = [
    { kind: "cut", done: true, on: READ },
    { kind: "garbled", done: true, on: READ },
    { kind: "error", done: true, on: READ },
    { kind: "limited", retryAfterSeconds: 5, on: READ },
    { kind: "unauthorised", on: READ },
  ];

  test.each(FAULTS)(
    "after a lost response ($kind) leaves the document reconciling until it is found",
    async (fault) => {
      const { fake, accept, processAll } = await setup();
      fake.next({ kind: "cut", done: true });
      fake.next(fault);
      const id = await accept("11.1");
      await processAll([id]);
      await expectIssuedOnce(id);
      expect(fake.count(SEND)).toBe(1);
    },
  );

  test("while the provider is down never leads to another send", async () => {
    const { fake, accept, settle, advance, get, processAll } = await setup();
    fake.next({ kind: "cut", done: true });
    const id = await accept("11.1");
    await settle();
    await fake.goDown();
    await settleInSteps(Array.from({ length: 60 }, () => 61_000));
    expect(await get(id)).toMatchObject({ status: "pending", stage: "reconciling" });
    await fake.comeBack();
    advance(61_000);
    await processAll([id]);
    await expectIssuedOnce(id);
    expect(fake.count(SEND)).toBe(1);
  });
});
