import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeDrawable, wrapText } from "../../src/paper/canvas.ts";
import { isLight } from "../../src/paper/sheet.ts";
import { describeExemption } from "../../src/paper/labels.ts";
import { pdfFileName } from "../../src/paper/paper.ts";
import {
  formatGreekEuro,
  formatGreekNumber,
  formatGreekQuantity,
  createWording,
} from "../../src/paper/labels.ts";

test.each([
  [0, "0,00"],
  [5, "0,05"],
  [99_999, "999,99"],
  [123_456, "1.234,56"],
  [100_000_000, "1.000.000,00"],
  [1_250_000_000_000_000, "12.500.000.000.000,00"],
])("formats %i cents as %s", (cents, text) => {
  expect(formatGreekNumber(cents)).toBe(text);
  expect(formatGreekEuro(cents)).toBe(`${text}\u00a0€`);
});

test.each([
  ["1", "1"],
  ["2.5", "2,5"],
  ["1.500", "1,5"],
  ["3.000", "3"],
  ["0.125", "0,125"],
  ["007", "7"],
  ["1234567.1", "1.234.567,1"],
])("formats the quantity %s as %s", (quantity, text) => {
  expect(formatGreekQuantity(quantity)).toBe(text);
});

describe("exemptions", () => {
  test("every cause from 1 to 31 has a name in both languages", () => {
    const causes = Array.from({ length: 31 }, (_, index) => describeExemption(index + 1));
    for (const { el, en } of causes) {
      expect(el).toMatch(/[Α-Ωα-ω]/);
      expect(en).not.toMatch(/[Α-Ωα-ω]/);
    }
    expect(() => describeExemption(32)).toThrow(RangeError);
  });

  test.each([
    [16, "Άρθρο 45 (πρώην 39α) Κώδικα ΦΠΑ: αντίστροφη επιβάρυνση"],
    [2, "Άρθρο 5 Κώδικα ΦΠΑ: μεταβίβαση επιχείρησης"],
    [26, "ΠΟΛ. 1167/2015"],
  ])("cause %i is %s", (cause, el) => expect(describeExemption(cause).el).toBe(el));
});

test.each([
  ["TIM", 17, "TIM-17.pdf"],
  ["ΤΠΥ-Α/2", 8, "TPY-A-2-8.pdf"],
  ["Θψώ", 1, "THpso-1.pdf"],
  ["../x", 1, "_x-1.pdf"],
  ["..", 1, "_-1.pdf"],
  ["-rf", 1, "_rf-1.pdf"],
])("the PDF of %s %i is named %s", (series, number, name) => {
  expect(pdfFileName(series, number)).toBe(name);
});

test("prints both languages or one, and text equal in both once", () => {
  const words = { el: "Μετρητά", en: "Cash" };
  expect(createWording(undefined).format(words)).toBe("Μετρητά / Cash");
  expect(createWording("el").format(words)).toBe("Μετρητά");
  expect(createWording("en").format(words)).toBe("Cash");
  expect(createWording(undefined).format({ el: "POS", en: "POS" })).toBe("POS");
});

test.each([
  ["#ffffff", true],
  ["#ffff66", true],
  ["#000000", false],
  ["#1f3a5f", false],
  ["#c2410c", false],
])("%s is light: %s", (color, light) => expect(isLight(color)).toBe(light));

describe("text", () => {
  const characters = (text: string) => [...text].length;

  test("wraps into lines that fit and loses no character except spaces", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), fc.integer({ min: 1, max: 20 }), (text, width) => {
        const lines = wrapText(text, width, characters);
        expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        for (const line of lines) expect(characters(line)).toBeLessThanOrEqual(width);
        expect(lines.length).toBeGreaterThan(0);
      }),
    );
  });

  test.each([
    ["a\tb\nc\u0000d", "a b c d"],
    ["e\u0301", "é"],
    ["a\u202eb\u200bc\ufeff", "abc"],
    ["漢x", "\ufffdx"],
  ])("draws %j as %j", (text, drawn) => {
    expect(makeDrawable(text, (codePoint) => codePoint < 0x3000)).toBe(drawn);
  });
});
