import { expect, test } from "vitest";
import { statusOf } from "../../../../server/pages/console/document-parts.ts";
import { TEXTS } from "../../../../server/pages/console/messages.ts";
import type { DocumentObject } from "../../../../src/journal/document-object.ts";

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
  expect(statusOf((text) => text.el, waiting).text).toContain('<span class="stage">αναμένει ΜΑΡΚ</span>');
});
