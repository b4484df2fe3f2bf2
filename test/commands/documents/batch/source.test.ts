import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Format } from "../../../../commands/documents/batch/file-format.ts";
import type { BatchItem } from "../../../../src/intake/accept-items.ts";
import { type Reading, readItems } from "../../../../commands/documents/batch/read-files.ts";
import type { ProgramIo } from "../../../../commands/io.ts";
import type { MerchantObject } from "../../../../src/merchants/merchant-object.ts";
import { csvOf } from "../../../helpers/issuing.ts";
import { receipt, SUPPLIER } from "../../../helpers/receipts.ts";

const MERCHANT: MerchantObject = {
  id: "mer_0000000000000000000001",
  object: "merchant",
  external_id: "shop",
  name: "Shop",
  tax_id: SUPPLIER,
  branch: 0,
  metadata: {},
  archived: false,
  created: "2026-01-01T00:00:00.000Z",
};

function ioWith(stdin: PassThrough): ProgramIo {
  const { stdout, stderr } = process;
  return {
    env: {},
    cwd: "/",
    stdin,
    stdout,
    stderr,
    version: "0",
    packageRoot: "/",
    onInterrupt: () => () => {},
  };
}

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
  for await (const item of readItems(ioWith(stdin), "-", readingWith({ format, defaults: { merchant } })))
    items.push(item);
  return items;
}

describe("readItems", () => {
  test.each<{ what: string; text: string; format: Format; places: string[] }>([
    {
      what: "one body",
      text: JSON.stringify(receipt("A"), null, 2),
      format: "json",
      places: ["standard input"],
    },
    {
      what: "an array",
      text: JSON.stringify([receipt("A"), receipt("B")]),
      format: "json",
      places: ["standard input, document 1", "standard input, document 2"],
    },
    {
      what: "one a line",
      text: `\n${JSON.stringify(receipt("A"))}\n`,
      format: "ndjson",
      places: ["standard input, line 2"],
    },
    {
      what: "CSV",
      text: csvOf(["A,11.1,2026-01-15,x,1,1.00,24%"]),
      format: "csv",
      places: ["standard input, line 2"],
    },
  ])(
    "yields the place of each document of $what, with or without the format",
    async ({ text, format, places }) => {
      for (const given of [format, undefined]) {
        const items = await read(text, given, MERCHANT);
        expect(items.map(({ place }) => place.en)).toEqual(places);
        expect(items[0]).toMatchObject({
          reference: "A",
          body: { merchant: MERCHANT.id, external_reference: "A" },
        });
      }
    },
  );

  test("yields a value that is not an object unchanged, so that accepting refuses it", async () => {
    const items = await read("[1, null, [], {}]", "json", MERCHANT);
    expect(items.map((item) => "body" in item && item.body)).toEqual([
      1,
      null,
      [],
      { merchant: MERCHANT.id },
    ]);
  });

  test.each<{ what: string; text: string; format: Format; merchant?: MerchantObject }>([
    { what: "broken JSON", text: "{", format: "json" },
    { what: "a CSV without a merchant", text: csvOf([]), format: "csv" },
    {
      what: "a CSV of a merchant without a tax number",
      text: csvOf([]),
      format: "csv",
      merchant: { ...MERCHANT, tax_id: null },
    },
    { what: "a CSV with a strange header", text: "a,b\n1,2\n", format: "csv", merchant: MERCHANT },
  ])("yields one item with an error for $what", async ({ text, format, merchant }) => {
    const items = await read(text, format, merchant);
    expect(items).toMatchObject([
      {
        place: { en: "standard input", el: "τυπική είσοδος" },
        reference: null,
        error: { code: "validation_failed" },
      },
    ]);
  });

  test.each<{ format: Format; text: string }>([
    { format: "csv", text: csvOf(["A,11.1,2026-01-15,first of two,1,1.00,24%"]) },
    { format: "ndjson", text: JSON.stringify(receipt("A")) },
    { format: "json", text: JSON.stringify(receipt("A")) },
  ])("never yields part of a $format file as complete after an abort", async ({ format, text }) => {
    const stdin = new PassThrough();
    stdin.write(text);
    const controller = new AbortController();
    const next = readItems(
      ioWith(stdin),
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
});
