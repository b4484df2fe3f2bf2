import { describe, expect, test } from "vitest";
import { parseAmount, parseNumber } from "../../src/documents/search-documents.ts";

describe("parseNumber", () => {
  test.each([
    ["12", undefined, 12],
    ["0012", undefined, 12],
    ["TIM 12", "TIM", 12],
    ["TIM-12", "TIM", 12],
    ["TIM/12", "TIM", 12],
    ["TIM #12", "TIM", 12],
    ["TIM-1 12", "TIM-1", 12],
    ["ΤΙΜ 12", "ΤΙΜ", 12],
    ["999999999999", undefined, 999_999_999_999],
  ])("parses %s as series %s and number %d", (text, series, number) => {
    expect(parseNumber(text)).toEqual({ series, number });
  });

  test.each(["", "TIM", "0", "1000000000000", "12 TIM", "1.5x", " "])("finds no number in %j", (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});

test.each([
  ["1234,56", 123_456],
  ["1234.56", 123_456],
  ["1.234,56", 123_456],
  ["1,234.56 €", 123_456],
  ["1234,5", 123_450],
  ["1.234", undefined],
  ["1.234.56", undefined],
  ["1234", undefined],
])("parses %s as %s cents", (text, cents) => {
  expect(parseAmount(text)).toBe(cents);
});
