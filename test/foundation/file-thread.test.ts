import { expect, test, vi } from "vitest";
import { readInThread } from "../../src/foundation/file-thread.ts";
import { buildPng } from "../helpers/pictures.ts";
import { workbookOf } from "../helpers/workbooks.ts";
import { createTurns, takeTurn } from "../../src/foundation/turns.ts";

async function read(job: Parameters<typeof readInThread>[0]): Promise<unknown[]> {
  const parts: unknown[] = [];
  for await (const part of readInThread(job)) parts.push(part);
  return parts;
}

test("a workbook arrives in parts of 1,000 rows", async () => {
  const bytes = await workbookOf(Array.from({ length: 2500 }, (_, index) => [index, "x"]));
  const parts = (await read({ job: "workbook", bytes, sheet: undefined })) as unknown[][];
  expect(parts.map((rows) => rows.length)).toEqual([1000, 1000, 500]);
  expect(parts[2]?.at(-1)).toEqual([2499, "x"]);
});

test("this thread goes on while a file is read", async () => {
  const bytes = await workbookOf(Array.from({ length: 20_000 }, (_, index) => [index, "x", "y"]));
  let turns = 0;
  let isRead = false;
  const turn = () => void (isRead || ((turns += 1), setImmediate(turn)));
  turn();
  await read({ job: "workbook", bytes, sheet: undefined });
  isRead = true;
  // If this thread read the file, there would be no turn between its parts.
  expect(turns).toBeGreaterThan(100);
});

test("files of a kind take turns, and logos do not keep workbooks waiting", async () => {
  const logos = [1, 2].map(() => readInThread({ job: "logo", bytes: buildPng() }));
  await logos[0]?.next();
  let isRead = false;
  const second = logos[1]?.next().then(() => (isRead = true));
  const bytes = await workbookOf([["x"]]);
  expect(await read({ job: "workbook", bytes, sheet: undefined })).toHaveLength(1);
  expect(isRead).toBe(false);
  await logos[0]?.return(undefined);
  expect(await second).toBe(true);
  await logos[1]?.return(undefined);
});

test("a refusal keeps its code and both languages", async () => {
  const reading = read({ job: "workbook", bytes: Buffer.from("no workbook"), sheet: undefined });
  await expect(reading).rejects.toMatchObject({
    code: "validation_failed",
    text: { el: expect.stringContaining("κατεστραμμένο") },
  });
});

test("a logo arrives as bytes", async () => {
  const [logo] = await read({ job: "logo", bytes: buildPng() });
  expect(logo).toMatchObject({ embedded: expect.any(Uint8Array), sent: expect.any(Uint8Array) });
});

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
