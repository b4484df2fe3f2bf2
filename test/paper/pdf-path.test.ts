import { win32 } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PATH_TEMPLATE, pathOf } from "../../src/paper/pdf-files.ts";

const DOCUMENT = {
  id: "doc_0352G5BY3W1fmL9avdcsD0",
  issue_date: "2026-11-02",
  mark: "400000000000001",
  number: 17,
  series: "ΤΙΜ",
  type: "1.1",
} as const;

test.each([
  [PATH_TEMPLATE, "shop", {}, "shop/2026/TIM-17"],
  [PATH_TEMPLATE, "../..", {}, "_/2026/TIM-17"],
  [PATH_TEMPLATE, "con", { series: "../A" }, "_con/2026/_A-17"],
  ["/../{year}-{month}-{day}/{type}_{mark}.pdf", "x", {}, "_/2026-11-02/1.1_400000000000001"],
  ["{series}\\{number}", "x", { series: "A/B" }, "A-B-17"],
])("%s for the merchant %s and %o is %s", (template, merchant, parts, path) => {
  expect(pathOf(template, { ...DOCUMENT, ...parts }, merchant)).toBe(path);
});

test("no series and no merchant lead out of the folder or to a name that Windows refuses", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (series, merchant) => {
      const path = pathOf(PATH_TEMPLATE, { ...DOCUMENT, series }, merchant);
      expect(path).toMatch(/^[A-Za-z0-9_][\w.-]*\/2026\/[A-Za-z0-9_][\w.-]*17$/);
      for (const name of path.split("/")) expect(name).not.toMatch(/^(con|nul|aux|prn)$|[. ]$/i);
      expect(win32.normalize(path).split(win32.sep)).toHaveLength(3);
    }),
  );
});
