import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDecimals, findDelimiter } from "../../src/intake/csv-dialect.ts";

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
  ])("of %j is %j", (header, delimiter) => {
    expect(findDelimiter(header)).toBe(delimiter);
  });
});

type Digits = [whole: string, decimals: string];

describe("a number", () => {
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
  ])("%j is clear by itself", (text, [whole, decimals]) => {
    expect(createDecimals().read(text)).toEqual({ whole, decimals });
  });

  test.each<[text: string, message: RegExp]>([
    ["-1", /credited with a document of type 5\.1 or 5\.2/],
    ["−1,50", /must not be negative/],
    ["€ -1,50", /must not be negative/],
    ["1,50-", /must not be negative/],
    ["(1,50)", /must not be negative/],
    ["1E+05", /shortened by a spreadsheet/],
    ["1,23E+08", /shortened by a spreadsheet/],
    ["12 50", /has a space where none belongs/],
    ["1 2,50", /has a space where none belongs/],
    ["5 + 3", /has a space where none belongs/],
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
  ])("%j is refused", (text, message) => {
    expect(createDecimals().read(text)).toEqual({ message: expect.stringMatching(message) });
  });

  test.each<[text: string, evidence: string[], digits: Digits]>([
    ["1,234", ["12,50"], ["1", "234"]],
    ["1,234", ["12.50"], ["1234", ""]],
    ["1.234", ["12,50"], ["1234", ""]],
    ["1.234", ["0.5"], ["1", "234"]],
    ["1,234", ["1.234.567"], ["1", "234"]],
    ["1,234", ["9.999", "4", "12,50"], ["1", "234"]],
    ["1,234", ["1 000,00"], ["1", "234"]],
  ])("%j after %j is told by them", (text, evidence, [whole, decimals]) => {
    const signs = createDecimals();
    for (const [index, number] of evidence.entries()) signs.note(number, index + 2);
    expect(signs.read(text)).toEqual({ whole, decimals });
  });

  test.each([
    {
      evidence: [],
      says: /whether the comma is the decimal sign or groups thousands, and no number of the file tells/,
    },
    {
      evidence: ["9,999", "2", "one", ""],
      says: /no number of the file tells; write prices with two decimals/,
    },
    {
      evidence: ["12,50", "1.5"],
      says: /the file has a decimal comma in line 2 and a decimal point in line 3/,
    },
  ])("such as 1,234 is refused after $evidence", ({ evidence, says }) => {
    const signs = createDecimals();
    for (const [index, number] of evidence.entries()) if (number !== "") signs.note(number, index + 2);
    expect(signs.read("1,234")).toEqual({ message: expect.stringMatching(says) });
  });

  test("with the other sign than the file's first is refused, and names the line of that one", () => {
    const signs = createDecimals();
    signs.note("12,50", 7);
    signs.note("12.50", 9);
    expect(signs.read("3,5")).toEqual({ whole: "3", decimals: "5" });
    const message =
      "has a decimal point, but the file has a decimal comma in line 7; use one sign in the whole file";
    expect(signs.read("3.5")).toEqual({ message });
  });

  test("never shows in a message", () => {
    const written = fc.stringMatching(/^[0-9][0-9.,E+-]{4,12}$/);
    fc.assert(
      fc.property(written, (text) => {
        const digits = createDecimals().read(text);
        if ("message" in digits) expect(digits.message).not.toContain(text);
      }),
    );
  });
});
