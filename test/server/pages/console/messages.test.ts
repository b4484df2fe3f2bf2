import { expect, test } from "vitest";
import { statusOf } from "../../../../server/pages/console/document-parts.ts";
import { TEXTS } from "../../../../server/pages/console/messages.ts";
import type { DocumentObject } from "../../../../src/journal/document-object.ts";
import { layOutBars } from "../../../../server/pages/console/chart.ts";
import { formatQuantity } from "../../../../server/pages/console/format.ts";

test("every message has both languages", () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    if (typeof text === "function") continue;
    expect([name, text.en.trim() !== "", text.el.trim() !== ""]).toEqual([name, true, true]);
  }
});

test("counts in messages follow the language", () => {
  expect(TEXTS.tooMany(1500)).toMatchObject({
    en: expect.stringContaining("in 1,500 seconds"),
    el: expect.stringContaining("σε 1.500 δευτερόλεπτα"),
  });
});

test("a stage keeps the capitals of its words", () => {
  const waiting = { status: "pending", stage: "awaiting_mark", cancellation_mark: null } as DocumentObject;
  expect(statusOf(waiting).in("el")).toContain('<span class="stage">αναμένει ΜΑΡΚ</span>');
});

test("a chart has bars above its zero line, and below it for negative values", () => {
  const { bars, zero } = layOutBars([30n, 0n, -10n]);
  expect(zero).toBe(105);
  expect(bars.map(({ y, height }) => [y, height])).toEqual([
    [0, 105],
    [105, 0],
    [105, 35],
  ]);
});

test("a chart shows small values next to large ones, and nothing for zero", () => {
  expect(layOutBars([1n, 1_000_000n]).bars[0]!.height).toBe(1);
  expect(layOutBars([0n, 0n]).bars.every(({ height }) => height === 0)).toBe(true);
});

test.each([
  ["2.5", "2,5", "2.5"],
  // With a point it would read as two and a half thousand in Greek.
  ["2.500", "2,5", "2.5"],
  ["1234.50", "1.234,5", "1,234.5"],
  ["0.000001", "0,000001", "0.000001"],
  // Beyond the precision of a double.
  ["12345678901234.567891", "12.345.678.901.234,567891", "12,345,678,901,234.567891"],
])("the quantity %s is %s in Greek and %s in English", (quantity, greek, english) => {
  expect(formatQuantity(quantity)).toEqual({ el: greek, en: english });
});
