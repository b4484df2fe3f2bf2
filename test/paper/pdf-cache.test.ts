import fc from "fast-check";
import { expect, test } from "vitest";
import { createPdfCache, digestPaper } from "../../src/paper/render-in-turn.ts";
import { buildFullPaper, buildTestPaper } from "../helpers/papers.ts";

test("what was used last is kept, within the total size", () => {
  const cache = createPdfCache(10);
  const keep = (key: string, size: number) => cache.keep(key, Buffer.alloc(size));
  const kept = () => ["a", "b", "c", "d"].filter((key) => cache.find(key) !== undefined);
  keep("a", 4);
  keep("b", 4);
  cache.find("a");
  keep("c", 4);
  expect(kept()).toEqual(["a", "c"]);
  keep("d", 11);
  expect(kept()).toEqual(["a", "c"]);
  keep("d", 10);
  expect(kept()).toEqual(["d"]);
});

test("the total never exceeds its limit", () => {
  const sizes = fc.array(fc.tuple(fc.nat({ max: 20 }), fc.nat({ max: 60 })));
  fc.assert(
    fc.property(sizes, (entries) => {
      const cache = createPdfCache(100);
      for (const [key, size] of entries) cache.keep(String(key), Buffer.alloc(size));
      const total = Array.from({ length: 21 }, (_, key) => cache.find(String(key))?.length ?? 0);
      expect(total.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(100);
    }),
  );
});

test("papers have the same digest only if everything on them is the same", () => {
  const paper = buildFullPaper();
  expect(digestPaper(buildFullPaper())).toBe(digestPaper(paper));
  const logo = Buffer.from(paper.stationery.logo!);
  logo[20] = logo[20]! ^ 1;
  const others = [
    { ...paper, stationery: { ...paper.stationery, logo } },
    { ...paper, stationery: { ...paper.stationery, logo: undefined } },
    { ...paper, cancellation: { mark: null, day: "2026-11-05" } },
    buildTestPaper("1.1"),
  ];
  expect(new Set([paper, ...others].map(digestPaper)).size).toBe(5);
});
