import { describe, expect, test } from "vitest";
import { parseNumber } from "../../src/documents/search-documents.ts";

describe("a number that is searched for", () => {
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
  ])("%s is %s and %d", (text, series, number) => {
    expect(parseNumber(text)).toEqual({ series, number });
  });

  test.each(["", "TIM", "0", "1000000000000", "12 TIM", "1.5x", " "])("%j is none", (text) => {
    expect(parseNumber(text)).toBeUndefined();
  });
});
