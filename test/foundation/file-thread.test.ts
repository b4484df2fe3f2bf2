import { expect, test } from "vitest";
import { readInThread } from "../../src/foundation/file-thread.ts";
import { buildPng } from "../helpers/pictures.ts";
import { workbookOf } from "../helpers/workbooks.ts";

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
  const timer = setInterval(() => (turns += 1), 5);
  await read({ job: "workbook", bytes, sheet: undefined });
  clearInterval(timer);
  expect(turns).toBeGreaterThan(10);
});

test("two files are read at the same time, and others wait for their turn", async () => {
  const bytes = await workbookOf([["x"]]);
  const open = [1, 2].map(() => readInThread({ job: "workbook", bytes, sheet: undefined }));
  for (const reading of open) await reading.next();
  let isRead = false;
  const third = read({ job: "workbook", bytes, sheet: undefined }).then(() => (isRead = true));
  await new Promise((done) => setTimeout(done, 200));
  expect(isRead).toBe(false);
  for (const reading of open) await reading.return(undefined);
  expect(await third).toBe(true);
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
