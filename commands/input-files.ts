/** Reads input files, and secrets in small ones; `-` is standard input. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { parseStrictJson } from "../server/json.ts";
import { AppError } from "../src/foundation/errors.ts";
import { joinTexts, sameInBoth, type Text } from "../src/foundation/text.ts";
import { UsageError } from "./exit.ts";
import { describeFileError } from "./file-errors.ts";
import type { ProgramIo } from "./io.ts";

/** Limits files that are read into memory as a whole; .ndjson and .csv are streamed and have no limit. */
const WHOLE_FILE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Yields the bytes of `file`, or of standard input for `-`. The first read throws a usage error if the file cannot be read.
 * Once `signal` is aborted the next read throws its reason, because ending would make half a file look complete.
 */
export async function* readBytes(io: ProgramIo, file: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const source: Readable = file === "-" ? io.stdin : createReadStream(resolve(io.cwd, file));
  if (signal !== undefined) addAbortSignal(signal, source);
  try {
    for await (const chunk of source)
      yield typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
    signal?.throwIfAborted();
  } catch (error) {
    signal?.throwIfAborted();
    throw describeFileError(error, file);
  }
}

/** Reads `source` as UTF-8, with or without BOM. `name` is for messages. */
export async function readText(source: AsyncIterable<Buffer>, name: Text): Promise<string> {
  return textOf(await readWhole(source, name, WHOLE_FILE_BYTES_MAX, AS_LINES), name);
}

const AS_LINES: Text = {
  en: "many documents are read as .ndjson, one per line",
  el: "πολλά παραστατικά διαβάζονται ως .ndjson, ένα ανά γραμμή",
};
const RIGHT_FILE: Text = { en: "check that it is the right file", el: "δείτε μήπως είναι λάθος αρχείο" };

/** Throws UsageError with the `advice` for more than `bytesMax`. */
async function readWhole(
  source: AsyncIterable<Buffer>,
  name: Text,
  bytesMax: number,
  advice: Text,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > bytesMax)
      throw new UsageError({
        en: `${name.en} has more than ${bytesMax} bytes; ${advice.en}`,
        el: `${name.el}: έχει πάνω από ${bytesMax} byte· ${advice.el}`,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** `bytes` as UTF-8. Throws UsageError. */
export function textOf(bytes: Buffer, name: Text): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new UsageError(
      {
        en: `${name.en} is not UTF-8; save it as UTF-8 and try again`,
        el: `${name.el}: δεν είναι UTF-8· αποθηκεύστε το ως UTF-8 και δοκιμάστε ξανά`,
      },
      { cause: error },
    );
  }
}

export async function readJsonInput(io: ProgramIo, file: string): Promise<unknown> {
  const name = nameOf(file);
  return parseJson(await readText(readBytes(io, file), name), name);
}

/** Parses JSON as strictly as the API does. The error names the input and the position. */
export function parseJson(text: string, name: Text): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(joinTexts([name, error.text], ": "), { cause: error });
  }
}

/** Whether a parsed JSON value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name of an input in messages. */
export function nameOf(file: string): Text {
  return file === "-" ? STANDARD_INPUT : sameInBoth(file);
}

const STANDARD_INPUT: Text = { en: "standard input", el: "τυπική είσοδος" };

/** The bytes of `file`; `-` is standard input. Throws UsageError, in particular for more than `bytesMax`. */
export function readSmallFile(io: ProgramIo, file: string, bytesMax: number): Promise<Buffer> {
  return readWhole(readBytes(io, file), nameOf(file), bytesMax, RIGHT_FILE);
}

/** Far longer than any secret. */
const SECRET_BYTES_MAX = 65_536;

/** The secret in `file`, without the line break that editors and `echo` add at the end. Throws UsageError. */
export async function readSecretFile(io: ProgramIo, flag: string, file: string): Promise<Buffer> {
  const bytes = await readSmallFile(io, file, SECRET_BYTES_MAX);
  const secret = bytes.subarray(0, bytes.length - (/\r?\n$/.exec(bytes.toString("latin1"))?.[0].length ?? 0));
  if (secret.length === 0)
    throw new UsageError({
      en: `${flag} names a file that is empty`,
      el: `η ${flag} ορίζει ένα αρχείο που είναι κενό`,
    });
  return secret;
}
