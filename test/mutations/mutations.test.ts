/** Every listed defect can still be planted, and the list for people has it. Planting all takes minutes: see run.ts. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { DEFECTS } from "./defects.ts";
import { describeRow, findPlace } from "./plant.ts";

const ROOT = resolve(import.meta.dirname, "../..");

test("every defect has its place, and the tests that catch it exist", () => {
  for (const defect of DEFECTS) findPlace(ROOT, defect);
});

test("test/mutations.md lists every defect", () => {
  const page = readFileSync(join(ROOT, "test/mutations.md"), "utf8").split("\n");
  const rows = page.filter((line) => /^\| \d/.test(line));
  expect(rows).toEqual(DEFECTS.map((defect, index) => describeRow(index + 1, defect)));
});
