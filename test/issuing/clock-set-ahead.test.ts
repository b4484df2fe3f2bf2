/** A clock that is set ahead must not cut short the waits that protect against registering a document twice. */
import { beforeEach, expect, test } from "vitest";
import { cancelSurplusMarks } from "../../src/issuing/surplus-marks.ts";
import { type ClockWatch, createClockWatch } from "../../src/upkeep/clock-watch.ts";
import { openGatewayBench } from "../helpers/gateway-bench.ts";
import { forEachTest } from "../helpers/set-up.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP_MS = 10_000;

let watch: ClockWatch;
let sent: string;
const bench = forEachTest(openGatewayBench);
beforeEach(async () => {
  watch = createClockWatch(bench.appliance, bench.appliance.issuing, undefined);
  bench.registry.listingDelayMs = 24 * HOUR_MS;
  bench.registry.next("SendInvoices", { kind: "cut" });
  sent = await bench.accept();
  await bench.settle();
});

/** Lets time pass in which the document is polled. */
async function pollFor(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += STEP_MS) {
    bench.advance(STEP_MS);
    await bench.settle();
  }
}

const countSends = () => bench.registry.ledger.length;

/** How often the sends of the document were looked up since it was issued. */
async function countLooks(): Promise<number[]> {
  await cancelSurplusMarks(bench.appliance);
  const checks = await bench.appliance.store.read.query((db) =>
    db.selectFrom("filing_checks").select("tries"),
  );
  return checks.map(({ tries }) => tries);
}

test("a document that is not listed yet is not sent again sooner", async () => {
  await pollFor(MINUTE_MS);
  await watch.check();
  bench.setAhead(HOUR_MS);
  await watch.check();
  await pollFor(MINUTE_MS);
  expect(await bench.get(sent)).toMatchObject({ status: "pending" });
  expect(countSends()).toBe(1);
  await bench.processAll([sent]);
  expect(countSends()).toBe(2);
});

test("a document that was sent again is not checked for a second registration sooner", async () => {
  for (let steps = 0; countSends() < 2; steps += 1) {
    await pollFor(MINUTE_MS);
    expect(steps).toBeLessThan(60);
  }
  await watch.check();
  bench.setAhead(6 * HOUR_MS);
  await watch.check();
  expect(await countLooks()).toEqual([0]);
  bench.advance(9 * MINUTE_MS);
  expect(await countLooks()).toEqual([0]);
  bench.advance(MINUTE_MS);
  expect(await countLooks()).toEqual([1]);
});
