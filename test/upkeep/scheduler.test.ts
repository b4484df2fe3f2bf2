/** Jobs that are due at the same time start together, each of them only once its last run has ended. */
import { afterEach, expect, test, vi } from "vitest";
import { startScheduler } from "../../src/upkeep/scheduler.ts";
import { openBench } from "../helpers/appliance.ts";
import { forEachTest } from "../helpers/set-up.ts";

const bench = forEachTest(() => openBench({ env: { FISCAL_ISSUING__LEASE_SECONDS: "5" } }));
afterEach(() => vi.useRealTimers());

test("a job that takes long, or fails, holds up no other one, and is waited for at the end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const slow = Promise.withResolvers<number>();
  const issuing = {
    poke: vi.fn(),
    rescue: vi.fn(() => slow.promise),
    renew: vi.fn(() => Promise.reject(new Error("disk on fire"))),
    rescheduleAfterClockJump: async () => {},
  };
  const scheduler = await startScheduler(bench.appliance, issuing as never, {});
  issuing.poke.mockClear();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(issuing.poke).toHaveBeenCalledTimes(4);
  expect(issuing.renew).toHaveBeenCalledTimes(4);
  expect(issuing.rescue).toHaveBeenCalledTimes(1);
  expect(bench.logged.filter((line) => line.includes("disk on fire"))).toHaveLength(4);

  let hasStopped = false;
  const stopped = scheduler.stop().then(() => (hasStopped = true));
  await vi.advanceTimersByTimeAsync(2_000);
  expect(hasStopped).toBe(false);
  slow.resolve(0);
  await stopped;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(issuing.poke).toHaveBeenCalledTimes(4);
});
