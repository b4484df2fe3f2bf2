/** Reads files of documents as one stream: .json (one or an array), .ndjson (one per line), .csv and .xlsx. */
import { AppError } from "../../../src/foundation/errors.ts";
import { joinTexts, type Text } from "../../../src/foundation/text.ts";
import { UsageError } from "../../exit.ts";
import { isRecord, nameOf, parseJson, readBytes, readText } from "../../input-files.ts";
import type { ProgramIo } from "../../io.ts";
import { type Format, formatOf, withFormat } from "./file-format.ts";
import { type BatchItem, tableItem } from "../../../src/intake/accept-items.ts";
import { TextDecoder } from "node:util";
import type { ForeignNames } from "../../../src/intake/table-columns.ts";
import { CONNECTION_WAS_LOST, TRANSMISSION_FAILURE_KEY } from "../../../src/domain/issue-body.ts";
import type { MerchantObject } from "../../../src/merchants/merchant-object.ts";
import { type CsvFormat, describeForm } from "../../../src/intake/csv.ts";
import { supplierOf } from "../../../src/numbering/counters.ts";

/** Values for bodies that do not have their own. */
interface Defaults {
  merchant?: MerchantObject | undefined;
  provider?: string | undefined;
  series?: string | undefined;
  transmissionFailure?: boolean | undefined;
}

export interface ReadOptions {
  /** By default from the file's name or first bytes. */
  format?: Format | undefined;
  defaults: Defaults;
  /** Other names for the columns and values of tables. */
  names?: ForeignNames | undefined;
  /** The sheet of workbooks; by default the first. */
  sheet?: string | undefined;
}

export interface Reading extends ReadOptions {
  /** Today in Athens. */
  today: string;
  signal?: AbortSignal;
  /** Receives what was detected about a file, for the person. */
  note?(text: Text): void;
  /** Called with the size of each piece that was read. */
  onBytes?(bytes: number): void;
}

type Content = AsyncIterable<Buffer>;

/** Yields the documents of `file` in order. A file that does not have its format ends with an item that has the error. */
export async function* readItems(io: ProgramIo, file: string, reading: Reading): AsyncGenerator<BatchItem> {
  const name = nameOf(file);
  const counted = counting(readBytes(io, file, reading.signal), reading);
  const { format, bytes } = await withFormat(counted, formatOf(file, reading.format));
  try {
    if (format === "json") yield* readJsonItems(bytes, name, reading);
    else if (format === "ndjson") yield* readLineItems(bytes, name, reading);
    else yield* readTableItems(format, bytes, name, reading);
  } catch (error) {
    yield { place: name, reference: null, error: asValidationError(error) };
  }
}

async function* counting(bytes: Content, reading: Reading): AsyncGenerator<Buffer> {
  for await (const chunk of bytes) {
    reading.onBytes?.(chunk.length);
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
  let isEmpty = true;
  for await (const { text, line } of linesOf(bytes, name)) {
    isEmpty = false;
    const place = new Place(name, line);
    try {
      yield itemOf(place, withDefaults(parseJson(text, place), defaults));
    } catch (error) {
      yield { place, reference: null, error: asValidationError(error) };
    }
  }
  if (isEmpty) throw new AppError("validation_failed", EMPTY);
}

/** Probably a program failed to write it. */
const EMPTY: Text = {
  en: "The file is empty; a document in each line is expected",
  el: "Το αρχείο είναι κενό· αναμένεται ένα παραστατικό σε κάθε γραμμή",
};

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

/** The API's largest body: docs/contract.md#body-size. */
const LINE_CHARACTERS_MAX = 4_194_304;

/**
 * Yields the lines that are not blank, with their number from 1. Drops a byte order mark and accepts `\r\n`. Throws a usage
 * error that names `name` if the text is not UTF-8 or a line is too long.
 */
export async function* linesOf(
  bytes: AsyncIterable<Buffer>,
  name: Text,
): AsyncGenerator<{ text: string; line: number }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 0;
  let rest = "";
  for await (const chunk of bytes) {
    const parts = (rest + decode(decoder, chunk, name, line)).split("\n");
    rest = parts.pop() ?? "";
    for (const text of parts) {
      line += 1;
      if (text.trim() !== "") yield { text, line };
    }
    if (rest.length > LINE_CHARACTERS_MAX)
      throw new UsageError({
        en: `${name.en}, line ${line + 1} is longer than ${LINE_CHARACTERS_MAX} characters`,
        el: `${name.el}: η γραμμή ${line + 1} ξεπερνά τους ${LINE_CHARACTERS_MAX} χαρακτήρες`,
      });
  }
  rest += decode(decoder, undefined, name, line);
  if (rest.trim() !== "") yield { text: rest, line: line + 1 };
}

function decode(decoder: TextDecoder, chunk: Buffer | undefined, name: Text, line: number): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (error) {
    throw new UsageError(
      {
        en: `${name.en} is not UTF-8 after line ${line}; save it as UTF-8 and try again`,
        el: `${name.el}: δεν είναι UTF-8 μετά τη γραμμή ${line}· αποθηκεύστε το ως UTF-8 και δοκιμάστε ξανά`,
      },
      { cause: error },
    );
  }
}

/** Adds `defaults` where the body has no value. A body that is not an object is returned as is and refused when accepted. */
function withDefaults(body: unknown, defaults: Defaults): unknown {
  if (!isRecord(body)) return body;
  return {
    ...(defaults.merchant === undefined ? {} : { merchant: defaults.merchant.id }),
    ...(defaults.provider === undefined ? {} : { provider: defaults.provider }),
    ...(defaults.series === undefined ? {} : { series: defaults.series }),
    ...body,
    ...(defaults.transmissionFailure === true ? { metadata: withTransmissionFailure(body["metadata"]) } : {}),
  };
}

function withTransmissionFailure(metadata: unknown): unknown {
  const declared = { [TRANSMISSION_FAILURE_KEY]: CONNECTION_WAS_LOST };
  if (metadata === undefined) return declared;
  return isRecord(metadata) ? { ...declared, ...metadata } : metadata;
}

/** Each row is a line of one of the merchant's documents. */
async function* readTableItems(
  format: "csv" | "xlsx",
  bytes: Content,
  name: Text,
  { defaults, names, note, sheet, today }: Reading,
): AsyncGenerator<BatchItem> {
  const options = { supplier: supplierOf(requireMerchant(defaults.merchant)), today, names };
  const onFormat = (form: CsvFormat) => {
    // Without a header nothing was detected, and the error says what is wrong.
    if (form.delimiter !== undefined) note?.(joinTexts([name, describeForm(form)], ": "));
  };
  const { readTableDocuments } = await import("../../../src/intake/open-table.ts");
  for await (const row of readTableDocuments(bytes, format, { ...options, sheet, onFormat })) {
    const item = tableItem(row, new Place(name, row.line));
    yield "body" in item ? { ...item, body: withDefaults(item.body, defaults) } : item;
  }
}

/** Throws a usage error without a merchant, which a table does not name. */
function requireMerchant(merchant: MerchantObject | undefined): MerchantObject {
  if (merchant !== undefined) return merchant;
  throw new UsageError({
    en: "--merchant is missing: a table does not name its merchant",
    el: "λείπει η --merchant: ένας πίνακας δεν ορίζει την επιχείρησή του",
  });
}

/** `documents.csv, line 12`. Its texts are built when they are read, because a run keeps the place of every document. */
class Place implements Text {
  readonly #name: Text;
  readonly #line: number;

  constructor(name: Text, line: number) {
    this.#name = name;
    this.#line = line;
  }

  get en(): string {
    return `${this.#name.en}, line ${this.#line}`;
  }

  get el(): string {
    return `${this.#name.el}, γραμμή ${this.#line}`;
  }
}
