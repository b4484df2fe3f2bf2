/** What is found out about a CSV: its encoding, its delimiter and its decimal sign. */
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { createDecimals, type Decimals, findDelimiter } from "../../src/intake/csv-dialect.ts";
import { decodeCsv } from "../../src/intake/csv-encoding.ts";
import { chunksOf } from "../helpers/csv.ts";

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
])("the delimiter of %j is %j", (header, delimiter) => {
  expect(findDelimiter(header)).toBe(delimiter);
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

  test.each([[[]], [["9,999", "2", "one", ""]], [["12,50", "1.5"]]])("refuses 1,234 after %j", (evidence) => {
    const signs = createDecimals();
    for (const [index, number] of evidence.entries()) if (number !== "") signs.note(number, index + 2);
    expect(refusalOf(signs, "1,234")).toMatch(/is ambiguous: .* write prices with two decimals/);
  });

  test("refuses a number whose decimal sign differs from the first number in the file, and names that number's line", () => {
    const signs = createDecimals();
    signs.note("12,50", 7);
    signs.note("12.50", 9);
    expect(signs.read("3,5")).toEqual({ whole: "3", decimals: "5" });
    const message = "has another decimal sign than line 7; use one sign in the whole file";
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

async function decode(bytes: Buffer, cuts: readonly number[] = []): Promise<string> {
  let text = "";
  for await (const piece of decodeCsv(chunksOf(bytes, cuts))) text += piece;
  return text;
}

describe("decodeCsv", () => {
  /** The other encodings are those of csv-roundtrip.test.ts. */
  test("reads UTF-16 BE with a byte order mark, wherever the bytes are cut", async () => {
    const text = "Ά,έ;Ψωμί Ωμέγα € “α”\r\n";
    const bytes = iconv.encode(text, "utf-16be", { addBOM: true });
    expect(await decode(bytes)).toBe(text);
    expect(await decode(bytes, Array.from(bytes.keys()))).toBe(text);
  });

  test.each(["", "a", "ab", "α"])("reads a file containing only %j", async (text) => {
    expect(await decode(Buffer.from(text))).toBe(text);
  });

  test("decides at the first byte that is not ASCII, even far from the start", async () => {
    const ascii = "reference;".repeat(20_000);
    expect(await decode(iconv.encode(`${ascii}Ψωμί`, "windows-1253"), [70_000])).toBe(`${ascii}Ψωμί`);
    expect(await decode(Buffer.from(`${ascii}Ψωμί`), [70_000, ascii.length + 1])).toBe(`${ascii}Ψωμί`);
  });

  test("decides the same wherever the bytes are cut", async () => {
    // Places a two-byte letter across the end of the bytes that decide.
    const filler = fc.constantFrom(65_533, 65_534, 65_535, 65_536, 65_537);
    await fc.assert(
      fc.asyncProperty(
        filler,
        fc.array(fc.nat(140_000), { maxLength: 5 }),
        fc.boolean(),
        async (length, cuts, isUtf8) => {
          const text = `α${"x".repeat(length)}ω${"y".repeat(100)}`;
          const bytes = isUtf8 ? Buffer.from(text) : iconv.encode(text, "windows-1253");
          expect(await decode(bytes, cuts)).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("refuses UTF-8 that continues in another encoding, instead of guessing again", async () => {
    const bytes = Buffer.concat([Buffer.from("ω".repeat(40_000)), iconv.encode("Ψωμί", "windows-1253")]);
    await expect(decode(bytes)).rejects.toMatchObject({ code: "validation_failed" });
    await expect(decode(bytes)).rejects.toThrow(/continues in another encoding; save .* as CSV UTF-8/);
    const marked = Buffer.concat([Buffer.from("\ufeff"), iconv.encode("Ψωμί", "windows-1253")]);
    await expect(decode(marked)).rejects.toThrow(/continues in another encoding/);
  });

  test("refuses UTF-8 with a byte order mark that ends within a letter", async () => {
    await expect(decode(Buffer.from("\ufeffω").subarray(0, 4))).rejects.toThrow(
      /continues in another encoding/,
    );
  });

  test.each<[what: string, bytes: Buffer]>([
    ["a workbook", Buffer.from([0x50, 0x4b, 3, 4, 0x14, 0, 6, 0])],
    ["UTF-16 without a byte order mark", Buffer.from("reference", "utf16le")],
  ])("refuses %s", async (_what, bytes) => {
    await expect(decode(bytes)).rejects.toThrow(/not text; save the sheet as CSV UTF-8/);
  });

  test("replaces a character whose end is missing", async () => {
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from("Ψωμί", "utf16le")]);
    expect(await decode(marked.subarray(0, -1))).toBe("Ψωμ\ufffd");
  });

  test("replaces bytes that Windows-1253 does not define", async () => {
    expect(await decode(Buffer.from([0xd8, 0xd2, 0xff, 0x81]))).toBe("Ψ\ufffd\ufffd\ufffd");
  });
});
