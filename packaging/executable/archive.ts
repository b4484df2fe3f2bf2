/**
 * Packs the files for the executable: a line of JSON that lists them with their lengths, then their contents. `main.cjs`
 * unpacks this format.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";

export interface Archive {
  /** Compressed with gzip. */
  readonly bytes: Buffer;
  /** SHA-256 of the uncompressed content, in hexadecimal. Identifies the build. */
  readonly id: string;
}

export interface ArchivedFile {
  /** Relative to the root, with `/` between folders. */
  readonly path: string;
  readonly content: Buffer;
}

/** Reads files below `root`. Each of `paths` is a file, or a folder; files that match `leaveOut` are skipped. */
export async function collectFiles(
  root: string,
  paths: readonly string[],
  leaveOut: (path: string) => boolean,
): Promise<ArchivedFile[]> {
  const files = (await Promise.all(paths.map((path) => filesAt(root, path)))).flat();
  const kept = files.filter((path) => !leaveOut(path)).sort();
  return Promise.all(kept.map(async (path) => ({ path, content: await readFile(join(root, path)) })));
}

async function filesAt(root: string, path: string): Promise<string[]> {
  const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true }).catch(
    (error: unknown) => {
      if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return undefined;
      throw error;
    },
  );
  if (entries === undefined) return [path];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root, sep).length).replaceAll(sep, "/"));
}

export function packFiles(files: readonly ArchivedFile[]): Archive {
  const list = files.map(({ path, content }) => [path, content.length]);
  const plain = Buffer.concat([
    Buffer.from(`${JSON.stringify(list)}\n`),
    ...files.map(({ content }) => content),
  ]);
  return { bytes: gzipSync(plain, { level: 9 }), id: createHash("sha256").update(plain).digest("hex") };
}
