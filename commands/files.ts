/** Reads input files, and secrets in small ones; `-` is standard input. Writes output files atomically: complete, or not at all. */
import { createReadStream } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { parseStrictJson } from "../server/json.ts";
import { AppError } from "../src/foundation/errors.ts";
import { explainSystemError } from "../src/foundation/system.ts";
import { joinTexts, sameInBoth, type Text } from "../src/foundation/text.ts";
import { UsageError } from "./exit.ts";
import { type ProgramIo, write } from "./io.ts";
import { randomUUID } from "node:crypto";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";

/** Limits files that are held in memory; .ndjson and .csv are streamed and have no limit. */
const WHOLE_FILE_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Yields the bytes of `file`, or of standard input for `-`. The first read throws a usage error if the file cannot be read.
 * Once `signal` is aborted the next read throws its reason, because ending would make half a file look complete.
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

/** Turns an error of the operating system into a usage error that names the file. Returns other errors unchanged. */
export function asUsageError(error: unknown, file: string): unknown {
  if (!isSystemError(error)) return error;
  const reason = REASONS[error.code] ?? explainSystemError(error);
  return new UsageError(
    {
      en: `${file} cannot be used: ${reason.en}`,
      el: `το ${file} δεν μπορεί να χρησιμοποιηθεί: ${reason.el}`,
    },
    { cause: error },
  );
}

const REASONS: Record<string, Text> = {
  ENOENT: { en: "there is no such file or folder", el: "δεν υπάρχει τέτοιο αρχείο ή φάκελος" },
  EISDIR: { en: "it is a folder", el: "είναι φάκελος" },
  EACCES: { en: "permission denied", el: "δεν επιτρέπεται να ανοίξει" },
  ENOTDIR: { en: "part of its path is not a folder", el: "ένα μέρος της διαδρομής του δεν είναι φάκελος" },
};

/** Whether an error comes from the operating system. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  return error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
}

/** Reads `source` as UTF-8, with or without BOM. `name` is for messages. */
export async function readText(source: AsyncIterable<Buffer>, name: Text): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    if (bytes > WHOLE_FILE_BYTES_MAX) {
      throw new UsageError({
        en: `${name.en} is larger than ${WHOLE_FILE_BYTES_MAX} bytes; use .ndjson with one document per line`,
        el: `${name.el}: ξεπερνά τα ${WHOLE_FILE_BYTES_MAX} byte· χρησιμοποιήστε .ndjson, ένα παραστατικό ανά γραμμή`,
      });
    }
    chunks.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
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
export async function readSmallFile(io: ProgramIo, file: string, bytesMax: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of readBytes(io, file)) {
    bytes += chunk.length;
    if (bytes > bytesMax) {
      const { en, el } = nameOf(file);
      throw new UsageError({
        en: `${en} has more than ${bytesMax} bytes; check that it is the right file`,
        el: `${el}: έχει πάνω από ${bytesMax} byte· δείτε μήπως είναι λάθος αρχείο`,
      });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Far longer than any secret. */
const SECRET_BYTES_MAX = 4096;

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

/** Removes the unfinished file when it is disposed of; does nothing then once it is finished. */
export interface Output extends AsyncDisposable {
  write(content: string | Uint8Array): Promise<void>;
  /** Moves the file to its place; until then an existing file stays untouched. */
  finish(): Promise<void>;
}

/**
 * Starts a file next to its final path, readable only by its owner. Throws a usage error if the path cannot be written, before
 * the command does anything else.
 */
export function startFile(io: ProgramIo, path: string): Promise<Output> {
  return startFileAt(resolve(io.cwd, path), path);
}

/** As `startFile`, at the absolute path `target`; `path` is the given one, for messages. */
async function startFileAt(target: string, path: string): Promise<Output> {
  const draft = join(dirname(target), `.fiscal-draft-${randomUUID()}`);
  try {
    return writeDraft(await open(draft, "wx", 0o600), draft, target, path);
  } catch (error) {
    throw asUsageError(error, path);
  }
}

/** Starts the file `path`, or stdout if `path` is undefined or `-`. */
export async function startOutput(io: ProgramIo, path: string | undefined): Promise<Output> {
  if (path !== undefined && path !== "-") return startFile(io, path);
  return {
    write: (content) => write(io.stdout, content),
    async finish() {},
    async [Symbol.asyncDispose]() {},
  };
}

function writeDraft(file: FileHandle, draft: string, target: string, path: string): Output {
  let isOpen = true;
  const remove = async () => {
    if (isOpen) await file.close();
    isOpen = false;
    await rm(draft, { force: true });
  };
  return {
    write: (content) => file.writeFile(content),
    async finish() {
      await file.sync();
      isOpen = false;
      await file.close();
      try {
        await rename(draft, target);
      } catch (error) {
        await remove();
        throw asUsageError(error, path);
      }
    },
    async [Symbol.asyncDispose]() {
      if (isOpen) await remove();
    },
  };
}

/** Also true for a broken link: writing to it would create a file at its target. */
export async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Writes `bytes` to a temporary file and moves it to `path`, so that an interrupted run leaves no partial file that the next
 * run would skip. `name` is the path for messages.
 */
export async function writePdf(path: string, name: string, bytes: Uint8Array): Promise<void> {
  try {
    await using file = await startFileAt(path, name);
    await file.write(bytes);
    await file.finish();
  } catch (error) {
    throw asUsageError(error, name);
  }
}
