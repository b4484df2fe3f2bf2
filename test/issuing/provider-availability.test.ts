/** An account or kind of call that gets no answer must not hold up the rest (docs/contract.md#provider-availability). */
import { expect, test } from "vitest";
import { openHangingBench } from "../helpers/hanging-lists.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(openHangingBench);

/** The turn of a document is its acceptance, since nothing else is waiting in its series. */
const TURN_MS_MAX = 10_000;

test("lost answers of one merchant and a list operation that hangs delay no document of another", async () => {
  const [unlucky, healthy] = [await bench.connect("unlucky"), await bench.connect("healthy")];
  bench.listsHang = true;
  for (const series of ["A", "B", "C"]) {
    bench.faults.set(series, "lost");
    await bench.accept(unlucky, series);
    await bench.pass(1);
  }
  await bench.pass(120);
  for (let count = 0; count < 14; count += 1) {
    const acceptedMs = bench.appliance.clock.nowMs();
    const id = await bench.accept(healthy, "H");
    await bench.pass(30);
    expect(bench.issuedAtMs.get(id)! - acceptedMs).toBeLessThanOrEqual(TURN_MS_MAX);
  }
});

test("sends of one merchant that hang delay no document of another", async () => {
  const [silent, healthy] = [await bench.connect("silent"), await bench.connect("healthy")];
  for (let count = 0; count < 12; count += 1) {
    bench.faults.set(`S${count}`, "down");
    await bench.accept(silent, `S${count}`);
  }
  await bench.pass(1);
  for (let count = 0; count < 20; count += 1) {
    const acceptedMs = bench.appliance.clock.nowMs();
    const id = await bench.accept(healthy, "H");
    await bench.pass(10);
    expect(bench.issuedAtMs.get(id)! - acceptedMs).toBeLessThanOrEqual(TURN_MS_MAX);
  }
});
