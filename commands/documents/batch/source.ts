/** Files of documents, as one stream of bodies: .json (one or an array), .ndjson (one a line), .csv and .xlsx (decisions 13). */
import { AppError } from "../../../src/foundation/errors.ts";
import { errorObjectOf, UsageError } from "../../exit.ts";
import { isRecord, nameOf, parseJson, readBytes, readText } from "../../input.ts";
import type { ProgramIo } from "../../io.ts";
import { type Format, formatOf, withFormat } from "./file-format.ts";
import { linesOf } from "./ndjson-lines.ts";
import { type BatchItem, complete, type Defaults, type Reading } from "./reading.ts";
import { readCsvItems, readWorkbookItems } from "./tables.ts";

type Content = AsyncIterable<Buffer>;
type Reader = (content: Content, name: string, reading: Reading) => AsyncGenerator<BatchItem>;

const READERS: Record<Format, Reader> = {
  json: readJsonItems,
  ndjson: readLineItems,
  csv: readCsvItems,
  xlsx: readWorkbookItems,
};

/** The documents of `file` in order. One that is not what its format says ends with an item that has the error. */
export async function* readItems(io: ProgramIo, file: string, reading: Reading): AsyncGenerator<BatchItem> {
  const name = nameOf(file);
  const bytes = counted(readBytes(io, file, reading.signal), reading);
  const source = await withFormat(bytes, formatOf(file, reading.format));
  try {
    yield* READERS[source.format](source.bytes, name, reading);
  } catch (error) {
    if (!(error instanceof AppError && error.code === "validation_failed") && !(error instanceof UsageError))
      throw error;
    yield { place: name, reference: null, error: errorObjectOf(error) };
  }
}

async function* counted(bytes: Content, reading: Reading): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    reading.onBytes(chunk.length);
    yield chunk;
  }
}

async function* readJsonItems(
  bytes: Content,
  name: string,
  { defaults }: Reading,
): AsyncGenerator<BatchItem> {
  const content = parseJson(await readText(bytes, name), name);
  const bodies: unknown[] = Array.isArray(content) ? content : [content];
  for (const [index, body] of bodies.entries()) {
    yield itemOf(Array.isArray(content) ? `${name}, document ${index + 1}` : name, complete(body, defaults));
  }
}

async function* readLineItems(
  bytes: Content,
  name: string,
  { defaults }: Reading,
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

function itemOf(place: string, body: unknown): BatchItem {
  const reference = isRecord(body) ? body["external_reference"] : undefined;
  return { place, reference: typeof reference === "string" ? reference : null, body };
}
