/** A clock running ahead schedules work too late. Once it is set back, that work is rescheduled. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type RegistryBench, openRegistryBench } from "../helpers/registry-bench.ts";

const HOURS_MS = 6 * 3_600_000;

let bench: RegistryBench;
beforeEach(async () => {
  bench = await openRegistryBench();
});
afterEach(() => bench.close());

test("queued and reconciling documents continue after the clock is set back", async () => {
  bench.registry.next("SendInvoices", "cut after filing");
  bench.advance(HOURS_MS);
  const lost = await bench.accept();
  await bench.settle();
  const waiting = await bench.accept({ series: "LATER" });
  bench.advance(-HOURS_MS);
  await bench.settle();
  expect(await bench.get(waiting)).toMatchObject({ stage: "queued" });
  expect(await bench.get(lost)).toMatchObject({ stage: "reconciling" });
  await bench.appliance.issuing.rescheduleAfterClockJump();
  await bench.settle();
  expect(await bench.get(waiting)).toMatchObject({ status: "issued" });
  bench.registry.ledger[0]!.listedAtMs = 0;
  const [found] = await bench.processAll([lost], 10);
  expect(found).toMatchObject({ status: "issued" });
  expect(bench.registry.ledger).toHaveLength(2);
});

test("keeps the pause between two attempts", async () => {
  bench.registry.next("SendInvoices", "429");
  const id = await bench.accept();
  await bench.settle();
  const sends = () => bench.registry.requests.filter((line) => line.startsWith("SendInvoices")).length;
  const before = sends();
  await bench.appliance.issuing.rescheduleAfterClockJump();
  await bench.settle();
  expect(sends()).toBe(before);
  expect(await bench.get(id)).toMatchObject({ stage: "queued" });
});
