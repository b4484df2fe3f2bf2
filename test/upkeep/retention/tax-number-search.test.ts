/** A tax number is found however it is written, and not in other numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { containsNumber, parseSearchedNumber } from "../../../src/upkeep/retention/erasure-run.ts";

const NUMBER = "094012834";
const searched = parseSearchedNumber(NUMBER);
const WRITTEN: [how: string, text: string][] = [
  ["as it is", NUMBER],
  ["after EL", `EL${NUMBER}`],
  ["after GR and a hyphen", `GR-${NUMBER}`],
  ["after other letters", `inv${NUMBER}x`],
  ["without the leading zero", "94012834"],
  ["without the leading zero, after EL", "EL 94012834"],
  ["with spaces", "094 012 834"],
  ["with dots", "094.012.834"],
  ["with slashes", NUMBER.split("").join("/")],
  ["with underscores", "094_012_834"],
  ["with colons and hyphens", "09:40-12:834"],
  ["with commas", "094,012,834"],
  ["with no-break spaces", "094\u00a0012\u00a0834"],
  ["with spaces in a URL", "?code=EL%20094%20012%20834"],
  ["in JSON", JSON.stringify({ vat: `EL${NUMBER}` })],
  ["in XML", `<vatNumber>${NUMBER}</vatNumber>`],
  ["in XML with spaces", "<vat>EL&#160;094 012 834</vat>"],
];

test.each(WRITTEN)("finds it %s", (_how, text) => {
  expect(searched.isIn(text)).toBe(true);
  expect(containsNumber({ list: [{ [text]: 1 }] }, searched)).toBe(true);
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."αβγ ,;()<>"), maxLength: 10 }), (around) => {
      expect(searched.isIn(`${around} ${text} ${around}`)).toBe(true);
    }),
    { numRuns: 10 },
  );
});

test.each([
  ["a longer number", "1094012834"],
  ["a MARK that contains it", "400094012834001"],
  ["part of it", "09401283"],
  ["a number of other digits", "094012835"],
])("does not find it in %s", (_what, text) => {
  expect(searched.isIn(text)).toBe(false);
});

test("a number with letters is found whole, with or without its country", () => {
  const foreign = parseSearchedNumber("ATU12345678");
  for (const text of ["ATU12345678", "at u12345678", "U 123.456.78"]) expect(foreign.isIn(text)).toBe(true);
  expect(foreign.isIn("BU12345678")).toBe(false);
});
