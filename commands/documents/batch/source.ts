/** Reads files of documents as one stream: .json (one or an array), .ndjson (one per line), .csv and .xlsx. */
import { AppError } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { UsageError } from "../../exit.ts";
import { isRecord, nameOf, parseJson, readBytes, readText } from "../../input.ts";
import type { ProgramIo } from "../../io.ts";
import { type Format, formatOf, withFormat } from "./file-format.ts";
import { linesOf } from "./ndjson-lines.ts";
import type { BatchItem } from "../../../src/intake/accept-items.ts";
import { type Defaults, type Reading, withDefaults } from "./reading.ts";
import { linePlace, readCsvItems, readWorkbookItems } from "./tables.ts";

type Content = AsyncIterable<Buffer>;
type Reader = (content: Content, name: Text, reading: Reading) => AsyncGenerator<BatchItem>;

const READERS: Record<Format, Reader> = {
  json: readJsonItems,
  ndjson: readLineItems,
  csv: readCsvItems,
  xlsx: readWorkbookItems,
};

/** Yields the documents of `file` in order. A file that does not have its format ends with an item that has the error. */
export async function* readItems(io: ProgramIo, file: string, reading: Reading): AsyncGenerator<BatchItem> {
  const name = nameOf(file);
  const bytes = counted(readBytes(io, file, reading.signal), reading);
  const source = await withFormat(bytes, formatOf(file, reading.format));
  try {
    yield* READERS[source.format](source.bytes, name, reading);
  } catch (error) {
    yield { place: name, reference: null, error: asValidationError(error) };
  }
}

async function* counted(bytes: Content, reading: Reading): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    reading.onBytes(chunk.length);
    yield chunk;
  }
}

async function* readJsonItems(bytes: Content, name: Text, { defaults }: Reading): AsyncGenerator<BatchItem> {
  const content = parseJson(await readText(bytes, name), name);
  const bodies: unknown[] = Array.isArray(content) ? content : [content];
  for (const [index, body] of bodies.entries()) {
    const place = {
      en: `${name.en}, document ${index + 1}`,
      el: `${name.el}, παραστατικό ${index + 1}`,
    };
    yield itemOf(Array.isArray(content) ? place : name, withDefaults(body, defaults));
  }
}

async function* readLineItems(bytes: Content, name: Text, { defaults }: Reading): AsyncGenerator<BatchItem> {
  for await (const { text, line } of linesOf(bytes, name)) {
    yield parseLine(text, linePlace(name, line), defaults);
  }
}

function parseLine(text: string, place: Text, defaults: Defaults): BatchItem {
  try {
    return itemOf(place, withDefaults(parseJson(text, place), defaults));
  } catch (error) {
    return { place, reference: null, error: asValidationError(error) };
  }
}

/** The error of what was read. Throws every other error. */
function asValidationError(error: unknown): AppError {
  if (error instanceof UsageError) return new AppError("validation_failed", error.text, { cause: error });
  if (error instanceof AppError && error.code === "validation_failed") return error;
  throw error;
}

function itemOf(place: Text, body: unknown): BatchItem {
  const reference = isRecord(body) ? body["external_reference"] : undefined;
  return { place, reference: typeof reference === "string" ? reference : null, body };
}
