import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createWriteTurns } from "../../../server/workers/write-turns.ts";

afterEach(() => vi.useRealTimers());

/** Lets everything run that only waits for promises. */
const settle = () => new Promise<void>((turn) => setImmediate(turn));

describe("the turns to write", () => {
  test("come in the order in which they were asked for, so nobody waits for more turns than there are others", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 2, maxLength: 6 }),
        async (units) => {
          const turns = createWriteTurns();
          let begun = 0;
          let longest = 0;
          /** Writes again at once, each time over as many steps as its unit takes. */
          const write = async (owner: object, unit: number) => {
            for (let count = 0; count < 20; count += 1) {
              const before = begun;
              const end = await turns.take(owner);
              longest = Math.max(longest, begun - before);
              begun += 1;
              for (let step = 0; step < unit; step += 1) await Promise.resolve();
              end();
            }
          };
          await Promise.all(units.map((unit) => write({}, unit)));
          expect(begun).toBe(20 * units.length);
          // The turn in progress and one of each other process.
          expect(longest).toBeLessThanOrEqual(units.length);
        },
      ),
      { numRuns: 10 },
    );
  });

  test("go on when a process ends in its turn, or while it waits", async () => {
    const turns = createWriteTurns();
    const [first, second, third] = [{}, {}, {}];
    await turns.take(first);
    const begun = vi.fn<() => void>();
    void turns.take(second).then(begun);
    const last = turns.take(third);
    turns.forget(second);
    turns.forget(first);
    (await last)();
    await settle();
    expect(begun).not.toHaveBeenCalled();
  });

  test("go on without a process that does not use its turn, whose late end then ends no other turn", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const turns = createWriteTurns();
    const endLate = await turns.take({});
    const next = turns.take({});
    await vi.advanceTimersByTimeAsync(150);
    await next;
    endLate();
    const begun = vi.fn<() => void>();
    void turns.take({}).then(begun);
    await settle();
    expect(begun).not.toHaveBeenCalled();
  });
});
