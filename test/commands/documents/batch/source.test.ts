import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { type Format, guessFormat, withFormat } from "../../../../commands/documents/batch/file-format.ts";
import type { BatchItem } from "../../../../src/intake/accept-items.ts";
import { linesOf, type Reading, readItems } from "../../../../commands/documents/batch/read-files.ts";
import type { MerchantObject } from "../../../../src/merchants/merchant-object.ts";
import { MERCHANT } from "../../../../src/operations/examples/objects.ts";
import { csvOf } from "../../../helpers/issuing.ts";
import { createIo } from "../../../helpers/program.ts";
import { receipt } from "../../../helpers/receipts.ts";
import * as fc from "fast-check";
import { sameInBoth } from "../../../../src/foundation/text.ts";

function readingWith(reading: Partial<Reading>): Reading {
  const signal = new AbortController().signal;
  return { defaults: {}, today: "2026-12-31", signal, note: () => {}, onBytes: () => {}, ...reading };
}

async function read(
  text: string,
  format: Format | undefined,
  merchant?: MerchantObject,
): Promise<BatchItem[]> {
  const stdin = new PassThrough();
  stdin.end(text);
  const items: BatchItem[] = [];
  for await (const item of readItems(
    createIo({ stdin }),
    "-",
    readingWith({ format, defaults: { merchant } }),
  ))
    items.push(item);
  return items;
}

const ONE = JSON.stringify(receipt("A"));
const ROW = csvOf(["A,11.1,2026-01-15,first of two,1,1.00,24%"]);

test.each<[format: Format, text: string, places: string[]]>([
  ["json", JSON.stringify(receipt("A"), null, 2), [""]],
  ["json", `[${ONE},${ONE}]`, [", document 1", ", document 2"]],
  ["ndjson", `\n${ONE}\n`, [", line 2"]],
  ["csv", ROW, [", line 2"]],
])(
  "readItems yields the place of each document of %s, with or without the format: %s",
  async (format, text, places) => {
    for (const given of [format, undefined]) {
      const items = await read(text, given, MERCHANT);
      expect(items.map(({ place }) => place.en)).toEqual(places.map((place) => `standard input${place}`));
      const body = { merchant: MERCHANT.id, external_reference: "A" };
      expect(items[0]).toMatchObject({ reference: "A", body });
    }
  },
);

test.each<[format: Format, text: string]>([
  ["csv", ROW],
  ["ndjson", ONE],
  ["json", ONE],
])("readItems never yields part of a %s file as complete after an abort", async (format, text) => {
  const stdin = new PassThrough();
  stdin.write(text);
  const controller = new AbortController();
  const next = readItems(
    createIo({ stdin }),
    "-",
    readingWith({ format, defaults: { merchant: MERCHANT }, signal: controller.signal }),
  ).next();
  const ended = next.then(
    (item) => item,
    (error: unknown) => ({ error }),
  );
  await setImmediate();
  controller.abort();
  expect(await ended).toEqual({ error: controller.signal.reason });
});

test.each<[text: string, format: Format]>([
  ['[{"a":1}]', "json"],
  ['\ufeff\n {\n  "a": 1\n}', "json"],
  ['{"a":1}\n{"a":2}\n', "ndjson"],
  ['{"a":1}', "ndjson"],
  ["reference;type\n", "csv"],
  ["", "csv"],
  ["PK\u0003\u0004\u0014\u0000", "xlsx"],
])("guessFormat %j is %s", (text, format) => {
  expect(guessFormat(text)).toBe(format);
});

test("withFormat returns every byte after examining the first ones", async () => {
  const chunks = [Buffer.from('{"a":1}\n'), Buffer.alloc(200_000, "\n"), Buffer.from('{"a":2}')];
  async function* source(): AsyncGenerator<Buffer> {
    yield* chunks;
  }
  const { format, bytes } = await withFormat(source(), undefined);
  const seen: Buffer[] = [];
  for await (const chunk of bytes) seen.push(chunk);
  expect(format).toBe("ndjson");
  expect(Buffer.concat(seen).equals(Buffer.concat(chunks))).toBe(true);
});

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
  test("yields the same lines without a byte order mark for any chunk boundaries, also inside Greek letters", async () => {
    const text = fc.stringMatching(/^[α-ωa-z{}" ]{0,12}$/);
    await fc.assert(
      fc.asyncProperty(fc.array(text), fc.integer({ min: 1, max: 9 }), async (texts, size) => {
        const lines = await collect(Buffer.from(`\ufeff${texts.join("\n")}`), size);
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
    const readOn = async () => {
      for await (const line of linesOf(endless(), NAME)) expect(line).toBeUndefined();
    };
    await expect(readOn()).rejects.toThrow(/line 1 is longer than 4194304 characters/);
  });
});
