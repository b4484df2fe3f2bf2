/** Every listed defect can still be planted. Planting all takes minutes: see run.ts. */
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { findPlace, readDefects } from "./plant.ts";

test("every defect has its place, and the tests that catch it exist", () => {
  const defects = readDefects();
  expect(defects.length).toBeGreaterThan(60);
  for (const defect of defects) findPlace(resolve(import.meta.dirname, "../.."), defect);
});
