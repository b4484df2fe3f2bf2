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
