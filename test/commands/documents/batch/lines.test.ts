import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../../../commands/documents/batch/read-files.ts";
import { sameInBoth } from "../../../../src/foundation/text.ts";

const NAME = sameInBoth("x.ndjson");

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes.length; index += size) yield bytes.subarray(index, index + size);
}

async function collect(bytes: Buffer, size = 7): Promise<{ text: string; line: number }[]> {
  const lines: { text: string; line: number }[] = [];
  for await (const line of linesOf(piecesOf(bytes, size), NAME)) lines.push(line);
  return lines;
}

describe("linesOf", () => {
  test("numbers lines as an editor does, and skips blank ones", async () => {
    expect(await collect(Buffer.from("a\n\n  \nb"))).toEqual([
      { text: "a", line: 1 },
      { text: "b", line: 4 },
    ]);
  });

  test("drops a byte order mark", async () => {
    expect(await collect(Buffer.from("\ufeffa\n"))).toEqual([{ text: "a", line: 1 }]);
  });

  test("yields the same lines for any chunk boundaries, also inside Greek letters", async () => {
    const text = fc.stringMatching(/^[α-ωa-z{}" ]{0,12}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.integer({ min: 1, max: 9 }), async (texts, size) => {
        const lines = await collect(Buffer.from(texts.join("\n")), size);
        const expected = texts.map((line, index) => ({ text: line, line: index + 1 }));
        expect(lines).toEqual(expected.filter(({ text: line }) => line.trim() !== ""));
      }),
    );
  });

  test("rejects text that is not UTF-8 and names the input", async () => {
    await expect(collect(Buffer.from([0x61, 0x0a, 0xe1, 0x0a]))).rejects.toThrow(
      /x\.ndjson is not UTF-8 after line/,
    );
    await expect(collect(Buffer.from([0x61, 0xce]))).rejects.toThrow(/x\.ndjson is not UTF-8/);
  });

  test("rejects an endless line before it fills the memory", async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(1024 * 1024, "a");
    }
    const read = async () => {
      for await (const line of linesOf(endless(), NAME)) expect(line).toBeUndefined();
    };
    await expect(read()).rejects.toThrow(/line 1 is longer than 4194304 characters/);
  });
});
