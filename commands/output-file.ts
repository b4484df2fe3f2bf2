/** Files that a command writes: whole in their place, or not at all. */
import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { asUsageError } from "./input.ts";
import { type ProgramIo, write } from "./io.ts";

export interface Output {
  write(content: string | Uint8Array): Promise<void>;
  /** Puts the file in its place; until then the old one, if any, stands untouched. */
  finish(): Promise<void>;
  /** Takes the unfinished file away; does nothing once it is finished. */
  discard(): Promise<void>;
}

/**
 * Begins a file beside its place, so that a path that cannot be written is found before anything else is done. Only its owner
 * may read it. A path that cannot be written is a usage error.
 */
export function startFile(io: ProgramIo, path: string): Promise<Output> {
  return startFileAt(resolve(io.cwd, path), path);
}

/** The same at `target`, which is absolute; `path` is what the person gave, for messages. */
export async function startFileAt(target: string, path: string): Promise<Output> {
  const draft = join(dirname(target), `.fiscal-draft-${randomUUID()}`);
  try {
    return writeDraft(await open(draft, "wx", 0o600), draft, target, path);
  } catch (error) {
    throw asUsageError(error, path);
  }
}

/** `path`, or stdout where there is none or it is `-`. */
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
