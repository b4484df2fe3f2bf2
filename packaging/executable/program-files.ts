/** Selects the files that the executable and the container image need. */
import { readdir, readFile } from "node:fs/promises";
import { join, sep } from "node:path";

const DATABASE = "node_modules/better-sqlite3";

/** The platforms for which better-sqlite3 has a binary. */
export const TARGETS = [
  "linux-x64",
  "linux-arm64",
  "darwin-x64",
  "darwin-arm64",
  "win32-x64",
  "win32-arm64",
] as const;

/** Everything that `bin/run.js` runs, reads or shows. */
const PATHS = ["bin", "dist", "examples", "package.json", "config.example.toml"];
/** Only for developers, who install the package. */
const LEFT_OUT = /^dist\/types\/|^dist\/adapter-test\.js$|^examples\/(adapter|webhooks)\//;

/** Returns the path of better-sqlite3's native module for `target`, below the root of the package. */
export function nativePart(target: string): string {
  return `${DATABASE}/prebuilds/${target}.node`;
}

/** Reads the files for `target` from the built package in `root`. Paths are relative to it, with `/` between folders. */
export async function programFiles(
  root: string,
  target: string,
): Promise<{ path: string; content: Buffer }[]> {
  const database = ["lib", "package.json", "LICENSE"].map((name) => `${DATABASE}/${name}`);
  const paths = [...PATHS, ...database, nativePart(target)];
  const files = (await Promise.all(paths.map((path) => filesAt(root, path)))).flat();
  const kept = files.filter((path) => !LEFT_OUT.test(path)).sort();
  return Promise.all(kept.map(async (path) => ({ path, content: await readFile(join(root, path)) })));
}

/** The path, if it is a file, or the files in that folder. */
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
