import { expect, test, vi } from "vitest";
import { createTurns, takeTurn } from "../../src/foundation/turns.ts";

const REFUSAL = { text: { en: "Too many", el: "Πάρα πολλά" }, retryAfterSeconds: 2 };

test("so many have a turn at the same time, the others follow in order", async () => {
  const turns = createTurns({ max: 2, waitingMax: 5, waitMs: 1000 });
  const log: string[] = [];
  const take = async (name: string) => {
    const end = await turns.take();
    log.push(name);
    return end;
  };
  const [a, b] = await Promise.all([take("a"), take("b")]);
  const [c, d] = [take("c"), take("d")];
  await new Promise((turn) => setImmediate(turn));
  expect(log).toEqual(["a", "b"]);
  b();
  const endC = await c;
  expect(log).toEqual(["a", "b", "c"]);
  a();
  endC();
  (await d)();
  (await take("e"))();
  expect(log).toEqual(["a", "b", "c", "d", "e"]);
});

test("callers beyond the limit, and those who wait too long, are refused with a time to retry", async () => {
  vi.useFakeTimers();
  const turns = createTurns({ max: 1, waitingMax: 1, waitMs: 1000 });
  const end = await turns.take();
  const refused = { code: "service_unavailable", retryable: true, retryAfterSeconds: 2 };
  const waiting = expect(takeTurn(turns, REFUSAL)).rejects.toMatchObject(refused);
  await expect(takeTurn(turns, REFUSAL)).rejects.toMatchObject(refused);
  await vi.advanceTimersByTimeAsync(1000);
  await waiting;
  end();
  (await turns.take())();
  vi.useRealTimers();
});
