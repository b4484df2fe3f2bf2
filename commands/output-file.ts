/** Writes output files atomically: complete, or not at all. */
import { randomUUID } from "node:crypto";
import { type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { asUsageError } from "./input.ts";
import { type ProgramIo, write } from "./io.ts";

export interface Output {
  write(content: string | Uint8Array): Promise<void>;
  /** Moves the file to its place; until then an existing file stays untouched. */
  finish(): Promise<void>;
  /** Removes the unfinished file; does nothing once it is finished. */
  discard(): Promise<void>;
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
  return { write: (content) => write(io.stdout, content), async finish() {}, async discard() {} };
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
    async discard() {
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
  const file = await startFileAt(path, name);
  try {
    await file.write(bytes);
    await file.finish();
  } catch (error) {
    await file.discard();
    throw asUsageError(error, name);
  }
}
