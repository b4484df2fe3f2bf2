import type { LookupAddress } from "node:dns";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createResolver, type Resolver } from "../../src/foundation/guarded-connector.ts";
import { NoTurnError } from "../../src/foundation/turns.ts";

const ADDRESS: LookupAddress = { address: "192.0.2.1", family: 4 };
const SECOND_MS = 1000;

let asked: string[];
let resolver: Resolver;
beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  // The servers of names in `silent.` never answer; the system gives up after twenty seconds.
  resolver = createResolver((hostname) => {
    asked.push(hostname);
    const gone = Object.assign(new Error("gone"), { code: "EAI_AGAIN" });
    return new Promise((settle, fail) => {
      if (hostname.endsWith("silent.example")) setTimeout(() => fail(gone), 20 * SECOND_MS);
      else settle([ADDRESS]);
    });
  });
});
afterEach(() => vi.useRealTimers());

const outcomeOf = (hostname: string, mode: "test" | "live") =>
  resolver.resolve(hostname, mode).then(
    () => "found",
    (error: unknown) => (error instanceof NoTurnError ? "no turn" : (error as { code: string }).code),
  );

test("a name is queried once for all who ask at the same time, and again after some seconds; what was found stays known", async () => {
  const outcomes = ["a.example", "a.example"].map((name) => outcomeOf(name, "test"));
  expect(await Promise.all(outcomes)).toEqual(["found", "found"]);
  await resolver.resolve("a.example", "test");
  expect(resolver.known("a.example")).toEqual([ADDRESS]);
  expect(asked).toEqual(["a.example"]);
  await vi.advanceTimersByTimeAsync(6 * SECOND_MS);
  expect(resolver.known("a.example")).toEqual([ADDRESS]);
  await resolver.resolve("a.example", "test");
  expect(asked).toEqual(["a.example", "a.example"]);
});

test("names that never answer keep neither known names nor live ones waiting", async () => {
  await resolver.resolve("met.example", "test");
  await vi.advanceTimersByTimeAsync(6 * SECOND_MS);
  const silent = Array.from({ length: 90 }, (_, index) => outcomeOf(`${index}.silent.example`, "test"));
  expect(await outcomeOf("met.example", "test")).toBe("found");
  expect(await outcomeOf("new.example", "live")).toBe("found");
  await vi.advanceTimersByTimeAsync(6 * SECOND_MS);
  const outcomes = await Promise.all(silent);
  expect(outcomes.filter((outcome) => outcome === "EAI_AGAIN")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "no turn")).toHaveLength(89);
});

test("a name that did not answer is not queried again for a minute", async () => {
  const first = outcomeOf("a.silent.example", "live");
  await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
  expect(await first).toBe("EAI_AGAIN");
  expect(await outcomeOf("a.silent.example", "live")).toBe("EAI_AGAIN");
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(61 * SECOND_MS);
  const again = outcomeOf("a.silent.example", "live");
  await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
  expect(await again).toBe("EAI_AGAIN");
  expect(asked).toHaveLength(2);
});

test("a query that is late keeps its turn until the system gives up", async () => {
  const late = outcomeOf("a.silent.example", "test");
  await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
  expect(await late).toBe("EAI_AGAIN");
  const next = outcomeOf("b.example", "test");
  await vi.advanceTimersByTimeAsync(5 * SECOND_MS);
  expect(await next).toBe("no turn");
  await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
  expect(await outcomeOf("b.example", "test")).toBe("found");
});
