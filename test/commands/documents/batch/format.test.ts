import { describe, expect, test } from "vitest";
import {
  type Format,
  formatOf,
  guessFormat,
  withFormat,
} from "../../../../commands/documents/batch/file-format.ts";

describe("formatOf", () => {
  test.each<{ file: string; given?: Format; format: Format | undefined }>([
    { file: "a.json", format: "json" },
    { file: "dir.csv/a.NDJSON", format: "ndjson" },
    { file: "a.jsonl", format: "ndjson" },
    { file: "a.CSV", format: "csv" },
    { file: "a.XLSX", format: "xlsx" },
    { file: "a.csv", given: "json", format: "json" },
    { file: "a.txt", given: "csv", format: "csv" },
    { file: "-", format: undefined },
    { file: "-", given: "csv", format: "csv" },
  ])("$file with --format $given is $format", ({ file, given, format }) => {
    expect(formatOf(file, given)).toBe(format);
  });

  test("asks for --format for an unknown extension", () => {
    expect(() => formatOf("documents.txt", undefined)).toThrow(/--format is missing/);
  });
});

describe("guessFormat", () => {
  test.each<[text: string, format: Format]>([
    ['[{"a":1}]', "json"],
    ['\ufeff\n {\n  "a": 1\n}', "json"],
    ['{"a":1}\n{"a":2}\n', "ndjson"],
    ['{"a":1}', "ndjson"],
    ["reference;type\n", "csv"],
    ["", "csv"],
    ["PK\u0003\u0004\u0014\u0000", "xlsx"],
  ])("%j is %s", (text, format) => {
    expect(guessFormat(text)).toBe(format);
  });
});

describe("withFormat", () => {
  test("returns every byte after examining the first ones", async () => {
    const chunks = [Buffer.from('{"a":1}\n'), Buffer.alloc(200_000, "\n"), Buffer.from('{"a":2}')];
    async function* source(): AsyncGenerator<Buffer> {
      yield* chunks;
    }
    const { format, bytes } = await withFormat(source(), undefined);
    const read: Buffer[] = [];
    for await (const chunk of bytes) read.push(chunk);
    expect(format).toBe("ndjson");
    expect(Buffer.concat(read).equals(Buffer.concat(chunks))).toBe(true);
  });
});
