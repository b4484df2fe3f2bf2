import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDecimals, type Decimals, findDelimiter } from "../../src/intake/csv-dialect.ts";

describe("findDelimiter", () => {
  test.each<[header: string, delimiter: string | undefined]>([
    ["reference;type;issue_date", ";"],
    ["reference,type,issue_date", ","],
    ["reference\ttype\tissue_date", "\t"],
    ['"Reference" ; "TYPE"', ";"],
    ["reference,unit_prise,type", ","],
    ["type;reference,series", undefined],
    ["reference", undefined],
    ["A-1;11.1;2026-11-02", undefined],
    ["", undefined],
  ])("finds the delimiter of %j: %j", (header, delimiter) => {
    expect(findDelimiter(header)).toBe(delimiter);
  });
});

type Digits = [whole: string, decimals: string];

/** The English text of a refused number; throws where it is read. */
function refusalOf(decimals: Decimals, text: string): string {
  const reading = decimals.read(text);
  if ("problem" in reading) return reading.problem.en;
  throw new Error(`Read ${text}`);
}

describe("decimals", () => {
  test.each<[text: string, digits: Digits]>([
    ["2", ["2", ""]],
    ["007", ["7", ""]],
    ["0", ["", ""]],
    ["12,50", ["12", "50"]],
    ["12.50", ["12", "50"]],
    [",5", ["", "5"]],
    ["0,500", ["", "500"]],
    ["0.125", ["", "125"]],
    ["1234,567", ["1234", "567"]],
    ["1.234,56", ["1234", "56"]],
    ["1,234.56", ["1234", "56"]],
    ["1.234.567", ["1234567", ""]],
    ["1,234,567", ["1234567", ""]],
    ["1.234.567,8", ["1234567", "8"]],
    ["1 234,56", ["1234", "56"]],
    ["1 234", ["1234", ""]],
    ["1 234,567", ["1234", "567"]],
    ["12,50 €", ["12", "50"]],
    ["€12.50", ["12", "50"]],
    ["€ 1.234,50", ["1234", "50"]],
    ["1\u00a0234,50\u00a0€", ["1234", "50"]],
    ["1\u202f234,50\u202f€", ["1234", "50"]],
    ["12,50 EUR", ["12", "50"]],
  ])("reads %j without further evidence", (text, [whole, decimals]) => {
    expect(createDecimals().read(text)).toEqual({ whole, decimals });
  });

  test.each<[text: string, message: RegExp]>([
    ["-1", /credit a refund with a document of type 5\.1, 5\.2 or 11\.4/],
    ["−1,50", /must not be negative/],
    ["€ -1,50", /must not be negative/],
    ["1,50-", /must not be negative/],
    ["(1,50)", /must not be negative/],
    ["1E+05", /shortened by a spreadsheet/],
    ["1,23E+08", /shortened by a spreadsheet/],
    ["12 50", /has a misplaced space/],
    ["1 2,50", /has a misplaced space/],
    ["5 + 3", /has a misplaced space/],
    ["one", /must be a number/],
    ["5,", /must be a number/],
    ["1.2.3", /must be a number/],
    ["1.234.56", /must be a number/],
    ["1,2345,678", /must be a number/],
    ["0.123.456", /must be a number/],
    ["1.234,567.8", /must be a number/],
    ["$5", /must be a number/],
    ["€", /must be a number/],
    ["١٢", /must be a number/],
  ])("refuses %j", (text, message) => {
    expect(refusalOf(createDecimals(), text)).toMatch(message);
  });

  test.each<[text: string, evidence: string[], digits: Digits]>([
    ["1,234", ["12,50"], ["1", "234"]],
    ["1,234", ["12.50"], ["1234", ""]],
    ["1.234", ["12,50"], ["1234", ""]],
    ["1.234", ["0.5"], ["1", "234"]],
    ["1,234", ["1.234.567"], ["1", "234"]],
    ["1,234", ["9.999", "4", "12,50"], ["1", "234"]],
    ["1,234", ["1 000,00"], ["1", "234"]],
  ])("reads %j after %j by the sign those prove", (text, evidence, [whole, decimals]) => {
    const signs = createDecimals();
    for (const [index, number] of evidence.entries()) signs.note(number, index + 2);
    expect(signs.read(text)).toEqual({ whole, decimals });
  });

  test.each([
    {
      evidence: [],
      says: /the comma may be the decimal sign or group thousands, and no number of the file shows which/,
    },
    {
      evidence: ["9,999", "2", "one", ""],
      says: /no number of the file shows which; write prices with two decimals/,
    },
    {
      evidence: ["12,50", "1.5"],
      says: /the file has a decimal comma in line 2 and a decimal point in line 3/,
    },
  ])("refuses 1,234 after $evidence", ({ evidence, says }) => {
    const signs = createDecimals();
    for (const [index, number] of evidence.entries()) if (number !== "") signs.note(number, index + 2);
    expect(refusalOf(signs, "1,234")).toMatch(says);
  });

  test("refuses a number whose decimal sign differs from the first number in the file, and names that number's line", () => {
    const signs = createDecimals();
    signs.note("12,50", 7);
    signs.note("12.50", 9);
    expect(signs.read("3,5")).toEqual({ whole: "3", decimals: "5" });
    const message =
      "has a decimal point, but the file has a decimal comma in line 7; use one sign in the whole file";
    expect(refusalOf(signs, "3.5")).toBe(message);
  });

  test("never quotes the number in a problem", () => {
    const written = fc.stringMatching(/^[0-9][0-9.,E+-]{4,12}$/);
    fc.assert(
      fc.property(written, (text) => {
        const digits = createDecimals().read(text);
        if ("problem" in digits) expect(JSON.stringify(digits.problem)).not.toContain(text);
      }),
    );
  });
});
