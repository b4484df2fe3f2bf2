import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AppError } from "../../src/foundation/errors.ts";
import { parseQuestion, vatPrefixOf } from "../../src/tax-ids/question.ts";
import { LOOKUP_COUNTRIES } from "../../src/domain/tax-number.ts";

function refusalOf(country: string, code: string): AppError | undefined {
  try {
    parseQuestion({ country, code });
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

describe("parseQuestion", () => {
  test.each([
    ["GR", " 123.456-783 ", "123456783"],
    ["DE", "129 273 398", "129273398"],
    ["AT", "u12345678", "U12345678"],
    ["IE", "1x23456l", "1X23456L"],
    ["IE", "8+12345a", "8+12345A"],
    ["NL", "004495445b01", "004495445B01"],
    ["CY", "10259033P", "10259033P"],
    ["XI", "GD001", "GD001"],
    ["RO", "19", "19"],
    // Here the prefix belongs to the number: French keys may be letters, and eleven characters are complete.
    ["FR", "FR123456789", "FR123456789"],
    ["NL", "NL1234567890", "NL1234567890"],
    // The prefix of another country is part of the number.
    ["ES", "X1234567L", "X1234567L"],
    ["SI", "EL123456", "EL123456"],
  ])("normalises %s %j to %s", (country, code, normal) => {
    expect(parseQuestion({ country, code })).toEqual({ country, code: normal });
  });

  test.each([
    ["GR", "123456789", "has a wrong check digit"],
    ["GR", "000000000", "has a wrong check digit"],
    ["GR", "12345678", "a leading zero may have been lost"],
    ["GR", "", "must be a Greek tax number (ΑΦΜ): 9 digits"],
    ["GR", "EL123456783", "without the prefix EL"],
    ["GR", "GR 123456783", "without the prefix GR"],
    ["DE", "DE129273398", "without the prefix DE"],
    ["AT", "ATU12345678", "without the prefix AT"],
    ["IT", "IT00743110157", "without the prefix IT"],
    ["SE", "se-556188840401", "without the prefix SE"],
    ["FR", "FRK7399859412", "without the prefix FR"],
    ["NL", "NL004495445B01", "without the prefix NL"],
    ["DE", "1", "2 to 12 letters and digits"],
    ["DE", "1234567890123", "2 to 12 letters and digits"],
    ["DE", "12/34", "2 to 12 letters and digits"],
    ["CY", "ΑΒ123", "2 to 12 letters and digits"],
    ["DE", " ", "2 to 12 letters and digits"],
    ["DE", `12${" ".repeat(59)}`, "at most 60 characters"],
  ])("rejects %s %j: %s", (country, code, says) => {
    const refusal = refusalOf(country, code);
    expect(refusal?.code).toBe("validation_failed");
    expect(refusal?.message).toMatch(/^code: /);
    expect(refusal?.message).toContain(says);
  });

  test.each(["US", "EL", "GB", "gr", "", "CH"])("rejects the country %j", (country) => {
    expect(refusalOf(country, "123456783")?.message).toMatch(/^country: must be one of AT, BE, .*GR.*, XI$/);
  });

  test("reports both problems at once", () => {
    expect(refusalOf("US", "?")?.message).toMatch(/^country: .*; code: /);
  });

  test("counts characters before normalising", () => {
    expect(parseQuestion({ country: "DE", code: `12${" ".repeat(58)}` }).code).toBe("12");
  });

  test("does not repeat the input in messages", () => {
    const text = fc.string({ minLength: 4, unit: fc.constantFrom(..."QXY7893Ω/") });
    fc.assert(
      fc.property(text, fc.constantFrom(...LOOKUP_COUNTRIES), (code, country) => {
        expect(refusalOf(country, code)?.message ?? "").not.toContain(code);
        expect(refusalOf(code, "123")?.message ?? "").not.toContain(code);
      }),
    );
  });

  test("returns a form that the registry accepts, and accepts its own result", () => {
    fc.assert(
      fc.property(fc.constantFrom(...LOOKUP_COUNTRIES), fc.string({ maxLength: 16 }), (country, code) => {
        if (refusalOf(country, code) !== undefined) return;
        const question = parseQuestion({ country, code });
        expect(question.code).toMatch(/^[0-9A-Z+*]{2,12}$/);
        expect(parseQuestion(question)).toEqual(question);
      }),
    );
  });
});

test("the countries are those of the EU with Northern Ireland, and only Greece has a prefix that is not its country", () => {
  expect(LOOKUP_COUNTRIES.filter((country) => vatPrefixOf(country) !== country)).toEqual(["GR"]);
  expect(vatPrefixOf("GR")).toBe("EL");
  const countries =
    "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ");
  expect(LOOKUP_COUNTRIES).toEqual(countries);
});
