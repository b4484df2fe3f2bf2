/** Where the PDFs of many documents go: to a folder, or into one archive. */
import { dirname, join, resolve } from "node:path";
import { createZipArchive } from "../../../src/paper/pdf-archive.ts";
import { makePath } from "../../../src/foundation/system.ts";
import { asUsageError } from "../../input.ts";
import type { ProgramIo } from "../../io.ts";
import { exists, startFile, writePdf } from "../../output-file.ts";

export interface PdfTarget {
  /** Whether the file is there already, so that it need not be written. */
  has(name: string): Promise<boolean>;
  add(name: string, bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  /** Removes an unfinished archive. */
  discard(): Promise<void>;
}

/** The files of an interrupted run stay, and are skipped by the next one. */
export function startFolder(io: ProgramIo, folder: string, force: boolean): PdfTarget {
  createFolder(resolve(io.cwd, folder), folder);
  return {
    has: async (name) => !force && (await exists(resolve(io.cwd, folder, name))),
    async add(name, bytes) {
      const path = join(folder, name);
      createFolder(dirname(resolve(io.cwd, path)), dirname(path));
      await writePdf(resolve(io.cwd, path), path, bytes);
    },
    async finish() {},
    async discard() {},
  };
}

/** With the default permissions; only the files in it are private. */
function createFolder(path: string, name: string): void {
  try {
    makePath(path, 0o777);
  } catch (error) {
    throw asUsageError(error, name);
  }
}

/** Written as it grows. */
export async function startArchive(io: ProgramIo, path: string): Promise<PdfTarget> {
  const file = await startFile(io, path);
  const archive = createZipArchive();
  const write = async (pieces: readonly Uint8Array[]) => {
    for (const piece of pieces) await file.write(piece);
  };
  return {
    has: async () => false,
    add: (name, bytes) => write(archive.add(name, bytes)),
    async finish() {
      await write(archive.end());
      await file.finish();
    },
    discard: () => file.discard(),
  };
}
