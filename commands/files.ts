/**
 * Reads input files, and secrets in small ones; `-` is standard input. Writes output files: a regular file complete, or not at all; into
 * a device or a pipe as it comes.
 */
import { constants, createReadStream } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { parseStrictJson } from "../server/json.ts";
import { AppError } from "../src/foundation/errors.ts";
import { codeOf, explainSystemError } from "../src/foundation/system.ts";
import { joinTexts, sameInBoth, type Text } from "../src/foundation/text.ts";
import { OutputError, UsageError } from "./exit.ts";
import { type ProgramIo, write } from "./io.ts";
import { randomUUID } from "node:crypto";
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from "node:fs/promises";

/** Limits files that are read into memory as a whole; .ndjson and .csv are streamed and have no limit. */
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
    throw describeFileError(error, file);
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * Turns an error of the operating system into one that names the file: a usage error, unless the disk is full. Returns other errors
 * unchanged.
 */
export function describeFileError(error: unknown, file: string): unknown {
  if (!isSystemError(error)) return error;
  if (FULL_CODES.has(error.code)) return new OutputError(error, file);
  const reason = REASONS[error.code] ?? explainSystemError(error);
  return new UsageError(
    {
      en: `${file} cannot be used: ${reason.en}`,
      el: `το ${file} δεν μπορεί να χρησιμοποιηθεί: ${reason.el}`,
    },
    { cause: error },
  );
}

const FULL_CODES: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT"]);

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
  return textOf(Buffer.concat(chunks), name);
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
 * Starts the file `path`: next to its place, readable only by its owner. A link stays, and its target is replaced. A device, a pipe or
 * a descriptor is written into. Throws a usage error if the path cannot be written, before the command does anything else.
 */
export async function startFile(io: ProgramIo, path: string): Promise<Output> {
  const place = resolve(io.cwd, path);
  if (STDOUT.test(place)) return startPrinting(io);
  try {
    if (await isWrittenInto(place)) return outputTo(await open(place, WRITE_INTO), path);
    const target = await followLinks(place);
    const draft = join(dirname(target), `.fiscal-draft-${randomUUID()}`);
    return outputTo(await open(draft, "wx", 0o600), path, { draft, target });
  } catch (error) {
    throw describeFileError(error, path);
  }
}

/** Starts the file `path`, or stdout if `path` is undefined or `-`. */
export async function startOutput(io: ProgramIo, path: string | undefined): Promise<Output> {
  return path === undefined || path === "-" ? startPrinting(io) : startFile(io, path);
}

/** Descriptors that the process was given, such as bash's `>(…)`. */
const DESCRIPTOR = /^\/(dev\/std(out|err)|(dev|proc\/self)\/fd\/\d+)$/;
/** Written by the stream that has it already: opened a second time, a socket would refuse, and the two would not keep their order. */
const STDOUT = /^\/(dev\/stdout|(dev|proc\/self)\/fd\/1)$/;
/** Creates nothing. What a shell has written to a file before (`>>`) stays. */
const WRITE_INTO = constants.O_WRONLY | constants.O_APPEND;

/** Whether `place` is no regular file that could be replaced. A folder cannot be opened for writing, which says so. */
async function isWrittenInto(place: string): Promise<boolean> {
  if (DESCRIPTOR.test(place)) return true;
  const found = await stat(place).catch(() => undefined);
  return found !== undefined && !found.isFile();
}

/** The place itself if there is nothing yet. A link to nothing is replaced, because its target may be anywhere. */
async function followLinks(place: string): Promise<string> {
  try {
    return await realpath(place);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    return place;
  }
}

function startPrinting(io: ProgramIo): Output {
  return {
    write: (content) => write(io.stdout, content),
    async finish() {},
    async [Symbol.asyncDispose]() {},
  };
}

/** `file` is a draft that replaces its target at the end, or else what is written into. `path` is for messages. */
function outputTo(file: FileHandle, path: string, replaced?: { draft: string; target: string }): Output {
  let isFinished = false;
  const naming = (work: Promise<void>) =>
    work.catch((error: unknown) => {
      throw isSystemError(error) ? new OutputError(error, path) : error;
    });
  const finish = async () => {
    if (replaced !== undefined) await file.sync();
    await file.close();
    if (replaced !== undefined) await rename(replaced.draft, replaced.target);
    isFinished = true;
  };
  return {
    write: (content) => naming(file.writeFile(content)),
    finish: () => naming(finish()),
    async [Symbol.asyncDispose]() {
      if (isFinished) return;
      await file.close();
      if (replaced !== undefined) await rm(replaced.draft, { force: true });
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

/** Throws a usage error if `path` is a file that would be replaced. */
export async function refuseReplacing(io: ProgramIo, path: string): Promise<void> {
  const place = resolve(io.cwd, path);
  if ((await isWrittenInto(place)) || !(await exists(place))) return;
  throw new UsageError({
    en: `${path} already exists; add --force to overwrite it, or give another --output`,
    el: `το ${path} υπάρχει ήδη· προσθέστε --force για να αντικατασταθεί ή δώστε άλλη --output`,
  });
}

/** Whether two paths are the same, or are names of one regular file. */
export async function isSameFile({ cwd }: ProgramIo, left: string, right: string): Promise<boolean> {
  const [one, other] = [resolve(cwd, left), resolve(cwd, right)];
  if (one === other) return true;
  const look = (path: string) => stat(path, { bigint: true }).catch(() => undefined);
  const [found, same] = [await look(one), await look(other)];
  return found?.isFile() === true && found.dev === same?.dev && found.ino === same.ino;
}

/** Writes `bytes` to `path` whole, so that an interrupted run leaves no partial file that the next run would skip. */
export async function writePdf(io: ProgramIo, path: string, bytes: Uint8Array): Promise<void> {
  await using file = await startFile(io, path);
  await file.write(bytes);
  await file.finish();
}
