import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { decodeCsv } from "../../src/intake/csv-encoding.ts";
import { chunksOf } from "../helpers/csv.ts";

async function decode(bytes: Buffer, cuts: readonly number[] = []): Promise<string> {
  let text = "";
  for await (const piece of decodeCsv(chunksOf(bytes, cuts))) text += piece;
  return text;
}

const GREEK = "Ά,έ;Ψωμί Ωμέγα € “α”\r\n";

describe("decodeCsv", () => {
  test.each<[encoding: string, bytes: Buffer]>([
    ["UTF-8", Buffer.from(GREEK)],
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${GREEK}`)],
    ["Windows-1253", iconv.encode(GREEK, "windows-1253")],
    ["UTF-16 LE with a byte order mark", iconv.encode(GREEK, "utf-16le", { addBOM: true })],
    ["UTF-16 BE with a byte order mark", iconv.encode(GREEK, "utf-16be", { addBOM: true })],
  ])("reads %s, wherever the bytes are cut", async (_encoding, bytes) => {
    expect(await decode(bytes)).toBe(GREEK);
    expect(await decode(bytes, Array.from(bytes.keys()))).toBe(GREEK);
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

  test("replaces bytes that Windows-1253 does not define", async () => {
    expect(await decode(Buffer.from([0xd8, 0xd2, 0xff]))).toBe("Ψ\ufffd\ufffd");
  });
});
