/** Files that are read whole. `-` is standard input. */
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { parseStrictJson } from "../server/json.ts";
import { AppError } from "../src/foundation/errors.ts";
import { describeSystemError } from "../storage/system-errors.ts";
import { UsageError } from "./exit.ts";
import type { ProgramIo } from "./io.ts";

/** A file that is read whole is held in memory whole; .ndjson and .csv are streamed and have no limit. */
const WHOLE_FILE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * The bytes of `file`, or of standard input for `-`. A file that cannot be read is a usage error, at the first read. When
 * `signal` is aborted the next read throws its reason: an end would make half a file look like a whole one.
 */
export async function* readBytes(io: ProgramIo, file: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const source: Readable = file === "-" ? io.stdin : createReadStream(resolve(io.cwd, file));
  const stop = () => void source.destroy();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    for await (const chunk of source)
      yield typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
    signal?.throwIfAborted();
  } catch (error) {
    signal?.throwIfAborted();
    throw asUsageError(error, file);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** What the operating system says about a file, as a sentence that names the file. Other errors stay as they are. */
export function asUsageError(error: unknown, file: string): unknown {
  if (!isSystemError(error)) return error;
  const reason = REASONS[error.code] ?? describeSystemError(error);
  return new UsageError(`${file} cannot be used: ${reason}`, { cause: error });
}

const REASONS: Record<string, string> = {
  ENOENT: "there is no such file or folder",
  EISDIR: "it is a folder",
  EACCES: "it may not be opened",
  ENOTDIR: "a part of its path is no folder",
};

/** An error of the operating system about a file. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}

/** The text of the whole of `source`, UTF-8 with or without BOM. `name` is for messages. */
export async function readText(source: AsyncIterable<Buffer>, name: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > WHOLE_FILE_BYTES_MAX) {
      throw new UsageError(
        `${name} is larger than ${WHOLE_FILE_BYTES_MAX} bytes; use .ndjson, one document a line`,
      );
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (error) {
    throw new UsageError(`${name} is not UTF-8; save it as UTF-8 and try again`, { cause: error });
  }
}

export async function readJsonInput(io: ProgramIo, file: string): Promise<unknown> {
  const name = nameOf(file);
  return parseJson(await readText(readBytes(io, file), name), name);
}

/** The value of a JSON text, as strictly as the API reads it. The error names the input and the place. */
export function parseJson(text: string, name: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new UsageError(`${name}: ${error.message}`, { cause: error });
  }
}

/** Whether a parsed JSON value is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The name of an input in messages. */
export function nameOf(file: string): string {
  return file === "-" ? "standard input" : file;
}
