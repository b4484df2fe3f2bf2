/** A clock running ahead schedules work too late. Once it is set back, that work is rescheduled. */
import { expect, test } from "vitest";
import { openRegistryBench } from "../helpers/registry-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const HOURS_MS = 6 * 3_600_000;

const bench = forEachTest(openRegistryBench);

test("a lease that ends hours ahead is taken over soon after the clock is set back", async () => {
  bench.advance(HOURS_MS);
  const id = await bench.accept();
  const { claimGroups } = await import("../../src/issuing/claims.ts");
  const { appliance } = bench;
  const adapter = appliance.providers.get("registry_direct");
  await appliance.store.write((trx) =>
    claimGroups(trx, adapter, {
      leaseMs: 60_000,
      maySend: true,
      free: (_kind, claimed) => 8 - claimed.length,
      excluded: () => [],
      mayReadAll: () => true,
      onUnreadable: () => {},
      onUnsendable: async () => {},
    }),
  );
  bench.advance(-HOURS_MS);
  expect(await appliance.issuing.rescue()).toBe(0);
  bench.advance(61_000);
  expect(await appliance.issuing.rescue()).toBe(1);
  expect(await bench.get(id)).toMatchObject({ stage: "reconciling" });
});

test("a stage that began hours ahead ends as soon as any other", async () => {
  bench.registry.next("SendInvoices", "cut before filing");
  bench.advance(HOURS_MS);
  const id = await bench.accept();
  await bench.settle();
  expect(await bench.get(id)).toMatchObject({ stage: "reconciling" });
  bench.advance(-HOURS_MS);
  await bench.appliance.issuing.rescheduleAfterClockJump();
  const [document] = await bench.processAll([id], 10);
  expect(document).toMatchObject({ status: "issued" });
});

test.each([{ wasSetBack: false }, { wasSetBack: true }])(
  "keeps the pause between two attempts (%o)",
  async ({ wasSetBack }) => {
    bench.registry.next("SendInvoices", "429");
    const id = await bench.accept();
    await bench.settle();
    const sends = () => bench.registry.requests.filter((line) => line.startsWith("SendInvoices")).length;
    const before = sends();
    for (let jump = 0; jump < 3; jump += 1) {
      await bench.appliance.issuing.rescheduleAfterClockJump(wasSetBack);
      await bench.settle();
    }
    expect(sends()).toBe(before);
    expect(await bench.get(id)).toMatchObject({ stage: "queued" });
  },
);
