import { expect, test } from "vitest";
import { createTurns } from "../../src/paper/pdf-rendering.ts";

const OPTIONS = { tooMany: { en: "Too many", el: "Πάρα πολλά" }, retryAfterSeconds: 2 };

test("runs one piece of work at a time, in order, and continues after a failure", async () => {
  const turns = createTurns({ ...OPTIONS, waitingMax: 5 });
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise((turn) => setImmediate(turn));
    log.push(`${name} ends`);
    if (name === "b") throw new Error("failed");
    return name;
  };
  const results = await Promise.allSettled(["a", "b", "c"].map((name) => turns.run(work(name))));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("rejects callers beyond the limit, with a time to retry", async () => {
  const turns = createTurns({ ...OPTIONS, waitingMax: 2 });
  let open: () => void = () => undefined;
  const gate = new Promise<void>((turn) => {
    open = turn;
  });
  const taken = Array.from({ length: 3 }, () => turns.run(() => gate));
  await expect(turns.run(() => gate)).rejects.toMatchObject({
    code: "service_unavailable",
    retryable: true,
    retryAfterSeconds: 2,
  });
  open();
  await Promise.all(taken);
  await expect(turns.run(async () => 1)).resolves.toBe(1);
});
