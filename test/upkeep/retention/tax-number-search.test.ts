/** A tax number is found however it is written, and not in other numbers. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { containsNumber, parseSearchedNumber } from "../../../src/upkeep/retention/tax-number-search.ts";

const NUMBER = "094012834";
const searched = parseSearchedNumber(NUMBER);
const base64Of = (text: string) => Buffer.from(text).toString("base64");
const zipped = (separator: string) => NUMBER.split("").join(separator);
const digitsFrom = (zero: number) =>
  NUMBER.replace(/[0-9]/g, (digit) => String.fromCodePoint(zero + Number(digit)));

const WRITTEN: [how: string, text: string][] = [
  ["as it is", NUMBER],
  ["after EL", `EL${NUMBER}`],
  ["after GR and a hyphen", `GR-${NUMBER}`],
  ["after other letters", `inv${NUMBER}x`],
  ["without the leading zero", "94012834"],
  ["with spaces", "094 012 834"],
  ["with dots", "094.012.834"],
  ["with slashes", zipped("/")],
  ["with underscores", "094_012_834"],
  ["with colons and hyphens", "09:40-12:834"],
  ["with commas", "094,012,834"],
  ["with middle dots and apostrophes", "094·012'834"],
  ["with bars and backslashes", "094|012\\834"],
  ["with no-break spaces", "094\u00a0012\u00a0834"],
  ["with zero-width characters", zipped("\u200b\u200d\ufeff")],
  ["with soft hyphens", zipped("\u00ad")],
  ["in full-width digits", digitsFrom(0xff10)],
  ["in Arabic-Indic digits", digitsFrom(0x660)],
  ["in mathematical digits", digitsFrom(0x1d7d8)],
  ["URL-encoded", "%3094%3012834"],
  ["URL-encoded twice", "EL%2520094%2520012%2520834"],
  ["in a form", "EL+094+012+834"],
  ["in entities", "&#48;94&#x30;12834"],
  ["in JSON escapes", "\\u0030\\u00394012834"],
  ["in hex", Buffer.from(NUMBER).toString("hex")],
  ["in Base64", base64Of(NUMBER)],
  ["in Base64, one character later", base64Of(`x${NUMBER}`)],
  ["in Base64, two characters later", base64Of(`xy${NUMBER}y`)],
  ["in Base64 with separators", base64Of("customer 094 012 834")],
  ["in Base64 without the leading zero", base64Of("94012834")],
  ["in base64url", Buffer.from(`customer/${NUMBER}`).toString("base64url")],
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
  ["a MARK in Base64", base64Of("mark 400094012834001")],
  ["part of it", "09401283"],
  ["a number of other digits", "094012835"],
])("does not find it in %s", (_what, text) => {
  expect(searched.isIn(text)).toBe(false);
});

test("a number with letters is found whole, with or without its country", () => {
  const foreign = parseSearchedNumber("ATU12345678");
  for (const text of ["ATU12345678", "at u12345678", "U 123.456.78", base64Of("vat=ATU12345678")])
    expect(foreign.isIn(text)).toBe(true);
  expect(foreign.isIn("BU12345678")).toBe(false);
});
