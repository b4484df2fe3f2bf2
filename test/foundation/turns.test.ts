import { expect, test } from "vitest";
import { createTurns } from "../../src/foundation/turns.ts";

test("one piece of work at a time, in the order of asking, and a failure holds up nobody", async () => {
  const turns = createTurns("PDFs", 5, 2);
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((turn) => setImmediate(turn));
    log.push(`${name} ends`);
    if (name === "b") throw new Error("failed");
    return name;
  };
  const results = await Promise.allSettled(["a", "b", "c"].map((name) => turns.take(work(name))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("more than may wait are turned away, and told when to come again", async () => {
  const turns = createTurns("PDFs", 2, 2);
  let open: () => void = () => undefined;
  const gate = new Promise<void>((turn) => {
    open = turn;
  });
  const taken = Array.from({ length: 3 }, () => turns.take(() => gate));
  await expect(turns.take(() => gate)).rejects.toMatchObject({
    code: "service_unavailable",
    retryable: true,
    retryAfterSeconds: 2,
  });
  open();
  await Promise.all(taken);
  await expect(turns.take(async () => 1)).resolves.toBe(1);
});
