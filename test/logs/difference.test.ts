import fc from "fast-check";
import { expect, test } from "vitest";
import { diffJson, applyDifference } from "../../src/logs/difference.ts";

test("lists only what was normalised or filled in", () => {
  const sent = { tax_id: { code: "12 34" }, lines: [{ quantity: "1" }] };
  const kept = { tax_id: { code: "1234" }, branch: 0, lines: [{ quantity: "1", unit: "piece" }] };
  const difference = diffJson(sent, kept);
  expect(difference).toEqual([[["tax_id", "code"], "12 34"], [["branch"]], [["lines", 0, "unit"]]]);
  expect(applyDifference(structuredClone(kept), difference)).toEqual(sent);
});

test("restores any JSON value from any other", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
      // JSON has no -0.
      const [sent, kept] = JSON.parse(JSON.stringify([left, right])) as [unknown, unknown];
      const stored = JSON.parse(JSON.stringify(diffJson(sent, kept))) as ReturnType<typeof diffJson>;
      expect(applyDifference(structuredClone(kept), stored)).toEqual(sent);
    }),
  );
});

test("is empty for equal values", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(diffJson(structuredClone(value), value)).toEqual([]);
    }),
  );
});
