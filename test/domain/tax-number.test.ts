import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { authorityFile } from "../helpers/authority-files.ts";
import {
  isCountryCode,
  isEuCountry,
  isValidAfm,
  maskTaxNumbers,
  normaliseTaxCode,
} from "../../src/domain/tax-number.ts";

test.each([
  ["123456783", "123456783"],
  [" 094 259-216 ", "094259216"],
  ["094.259.216", "094259216"],
  ["094\u00a0259\u2011216", "094259216"],
  ["che-123.456.788", "CHE123456788"],
  ["  -. ", ""],
  ["EL094259216", "EL094259216"],
  ["094/259/216", "094/259/216"],
])("normalises a tax number: %j is %j", (code, normal) => expect(normaliseTaxCode(code)).toBe(normal));

test.each([
  ["client:order-094012834.1", "client:order-*********.1"],
  ["client:EL094012834", "client:EL*********"],
  ["a::094.012.834_b", "a::*********_b"],
  ["client:1094012834", "client:1094012834"],
  ["client:123456789", "client:123456789"],
])("in %s, Greek tax numbers are masked: %s", (text, masked) => expect(maskTaxNumbers(text)).toBe(masked));

describe("a Greek tax number", () => {
  test.each([
    ["123456783", true],
    ["094012834", true],
    ["094259216", true],
    ["099999999", true],
    // A remainder of 10 requires the check digit 0.
    ["095304080", true],
    ["095304081", false],
    ["123456789", false],
    ["094529216", false],
    ["000000000", false],
    ["94051189", false],
    ["0942592160", false],
    ["09425921A", false],
    ["+94259216", false],
    ["", false],
    // Full-width and Arabic-Indic digits are digits in Unicode.
    ["\uff10\uff19\uff14\uff12\uff15\uff19\uff12\uff11\uff16", false],
    ["\u0660\u0669\u0664\u0662\u0665\u0669\u0662\u0661\u0666", false],
    ["094259216\n", false],
  ])("%j: %s", (code, valid) => expect(isValidAfm(code)).toBe(valid));

  const eightDigits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 8, maxLength: 8 });
  const remainderOf = (digits: readonly number[]) =>
    digits.slice(0, 8).reduce((sum, digit, index) => sum + digit * 2 ** (8 - index), 0) % 11;

  test("has exactly one check digit, except for the number 000000000", () => {
    fc.assert(
      fc.property(eightDigits, (digits) => {
        const fitting = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].filter((last) =>
          isValidAfm([...digits, last].join("")),
        );
        const isNobody = digits.every((digit) => digit === 0);
        expect(fitting).toEqual(isNobody ? [] : [remainderOf(digits) % 10]);
      }),
    );
  });

  test("with one wrong digit is detected, unless the remainder changes between 10 and 0", () => {
    const slip = { at: fc.integer({ min: 0, max: 8 }), by: fc.integer({ min: 1, max: 9 }) };
    fc.assert(
      fc.property(eightDigits, slip.at, slip.by, (digits, at, by) => {
        const code = [...digits, remainderOf(digits) % 10];
        const mistaken = code.with(at, (code[at]! + by) % 10);
        const remainders = [remainderOf(code), remainderOf(mistaken)].toSorted((a, b) => a - b);
        const isBlindSpot = at < 8 && remainders[0] === 0 && remainders[1] === 10;
        const isNobody = mistaken.every((digit) => digit === 0);
        expect(isValidAfm(mistaken.join(""))).toBe(isBlindSpot && !isNobody);
      }),
      { numRuns: 2000 },
    );
  });
});

interface Vectors {
  valid: string[];
  invalid: { code: string; why: string }[];
  edge: { code: string; treat_as: "valid" | "invalid" }[];
}
const { path: VECTORS, missing } = authorityFile("providers/afm-vectors.json");

test("matches the collected tax numbers of other implementations", ({ skip }) => {
  skip(missing !== false, String(missing));
  const { valid, invalid, edge } = JSON.parse(readFileSync(VECTORS, "utf8")) as Vectors;
  const expected = [
    ...valid.map((code) => [code, true]),
    ...invalid.map(({ code }) => [code, false]),
    ...edge.map(({ code, treat_as }) => [code, treat_as === "valid"]),
  ];
  const found = expected.map(([code]) => [code, isValidAfm(normaliseTaxCode(String(code)))]);
  expect(found).toEqual(expected);
});

describe("a country", () => {
  test.each([
    ["GR", { known: true, eu: true }],
    ["DE", { known: true, eu: true }],
    ["HR", { known: true, eu: true }],
    ["CH", { known: true, eu: false }],
    ["GB", { known: true, eu: false }],
    // Northern Ireland, as in VAT numbers.
    ["XI", { known: true, eu: false }],
    // A VAT prefix, a reserved code, a user-assigned one, a withdrawn one.
    ["EL", { known: false, eu: false }],
    ["UK", { known: false, eu: false }],
    ["XK", { known: false, eu: false }],
    ["AN", { known: false, eu: false }],
    ["gr", { known: false, eu: false }],
    ["", { known: false, eu: false }],
  ])("%j is %j", (country, expected) => {
    expect({ known: isCountryCode(country), eu: isEuCountry(country) }).toEqual(expected);
  });

  test("is one of the 249 of ISO 3166-1 or Northern Ireland, 27 of them in the EU", () => {
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    expect(pairs.filter(isCountryCode)).toHaveLength(250);
    expect(pairs.filter(isEuCountry)).toHaveLength(27);
    expect(pairs.filter((pair) => isEuCountry(pair) && !isCountryCode(pair))).toEqual([]);
  });
});
