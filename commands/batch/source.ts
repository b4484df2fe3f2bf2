/** Files of documents, as one stream of bodies: .json (one or an array), .ndjson (one a line), .csv (decisions 13). */
import { AppError, type ErrorObject, validationError } from "../../src/errors.ts";
import type { MerchantObject } from "../../src/merchants/object.ts";
import { errorObjectOf, UsageError } from "../exit.ts";
import { isRecord, nameOf, parseJson, readBytes, readText } from "../input.ts";
import type { ProgramIo } from "../io.ts";
import { type Format, withFormat } from "./format.ts";
import { linesOf } from "./lines.ts";

/** One document of a file, or what is wrong with it where no body could be made of it. */
export type BatchItem = {
  /** Where it stands, for messages: `documents.csv, line 12`. */
  place: string;
  /** The caller's own reference; null where there is none. */
  reference: string | null;
} & ({ body: unknown } | { error: ErrorObject });

/** What bodies take that do not say it themselves. */
export interface Defaults {
  merchant?: MerchantObject | undefined;
  provider?: string | undefined;
  series?: string | undefined;
}

/** The documents of `file` in order. One that is not what its format says ends with an item that has the error. */
export async function* readItems(
  io: ProgramIo,
  file: string,
  format: Format | undefined,
  defaults: Defaults,
  signal: AbortSignal,
): AsyncGenerator<BatchItem> {
  const name = nameOf(file);
  const source = await withFormat(readBytes(io, file, signal), format);
  const items = { json: readJsonItems, ndjson: readLineItems, csv: readCsvItems }[source.format](
    source.bytes,
    name,
    defaults,
  );
  try {
    yield* items;
  } catch (error) {
    if (!(error instanceof AppError && error.code === "validation_failed") && !(error instanceof UsageError))
      throw error;
    yield { place: name, reference: null, error: errorObjectOf(error) };
  }
}

async function* readJsonItems(
  bytes: AsyncIterable<Buffer>,
  name: string,
  defaults: Defaults,
): AsyncGenerator<BatchItem> {
  const content = parseJson(await readText(bytes, name), name);
  const bodies: unknown[] = Array.isArray(content) ? content : [content];
  for (const [index, body] of bodies.entries()) {
    yield itemOf(Array.isArray(content) ? `${name}, document ${index + 1}` : name, complete(body, defaults));
  }
}

async function* readLineItems(
  bytes: AsyncIterable<Buffer>,
  name: string,
  defaults: Defaults,
): AsyncGenerator<BatchItem> {
  for await (const { text, line } of linesOf(bytes, name)) {
    const place = `${name}, line ${line}`;
    yield parseLine(text, place, defaults);
  }
}

function parseLine(text: string, place: string, defaults: Defaults): BatchItem {
  try {
    return itemOf(place, complete(parseJson(text, place), defaults));
  } catch (error) {
    return { place, reference: null, error: errorObjectOf(error) };
  }
}

async function* readCsvItems(
  bytes: AsyncIterable<Buffer>,
  name: string,
  defaults: Defaults,
): AsyncGenerator<BatchItem> {
  const { merchant } = defaults;
  if (merchant === undefined)
    throw new UsageError("--merchant is missing: a CSV file does not name its merchant");
  if (merchant.tax_id === null) {
    throw validationError([
      {
        path: "merchant",
        message: "has no tax number to issue under; set it with `fiscal merchants update --tax-id`",
      },
    ]);
  }
  const { readCsvDocuments } = await import("../../src/documents/csv.ts");
  const supplier = { taxId: merchant.tax_id, branch: merchant.branch, name: merchant.name };
  for await (const row of readCsvDocuments(bytes, { supplier })) {
    const place = `${name}, line ${row.line}`;
    if ("problems" in row)
      yield { place, reference: row.reference, error: validationError(row.problems).toObject() };
    else yield { place, reference: row.reference, body: complete(row.body, defaults) };
  }
}

function itemOf(place: string, body: unknown): BatchItem {
  const reference = isRecord(body) ? body["external_reference"] : undefined;
  return { place, reference: typeof reference === "string" ? reference : null, body };
}

/** What the body itself says stands. What is no object is left as it is: accepting refuses it. */
function complete(body: unknown, defaults: Defaults): unknown {
  if (!isRecord(body)) return body;
  return {
    ...(defaults.merchant === undefined ? {} : { merchant: defaults.merchant.id }),
    ...(defaults.provider === undefined ? {} : { provider: defaults.provider }),
    ...(defaults.series === undefined ? {} : { series: defaults.series }),
    ...body,
  };
}
