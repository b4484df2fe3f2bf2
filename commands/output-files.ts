/** Writes output files: a regular file complete, or not at all; into a device or a pipe as it comes. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../src/foundation/system.ts";
import { OutputError, UsageError } from "./exit.ts";
import { describeFileError, isSystemError } from "./file-errors.ts";
import { type ProgramIo, write } from "./io.ts";

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
