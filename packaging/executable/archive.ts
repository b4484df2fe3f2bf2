/**
 * The files that the executable carries, as one text of bytes: a line of JSON that lists them with their lengths, then
 * their contents one behind the other. `main.cjs` unpacks it; both know the form.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";
import { gzipSync } from "node:zlib";

export interface Archive {
  /** Packed with gzip. */
  readonly bytes: Buffer;
  /** SHA-256 of what was packed, in hexadecimal: the name of this build. */
  readonly id: string;
}

export interface ArchivedFile {
  /** Below the root, with `/` between folders. */
  readonly path: string;
  readonly content: Buffer;
}

/** Below `root`: each of `paths` is a file, or a folder with all that is in it. Without what `leaveOut` says. */
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
