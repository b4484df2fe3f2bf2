/** What a machine needs to run the program: for the executable and the container image, less than the package has. */
import { type ArchivedFile, collectFiles } from "./executable/archive.ts";

const DATABASE = "node_modules/better-sqlite3";

/** The platforms that better-sqlite3 brings a binary for. */
export const TARGETS = [
  "linux-x64",
  "linux-arm64",
  "darwin-x64",
  "darwin-arm64",
  "win32-x64",
  "win32-arm64",
] as const;

/** What `bin/run.js` runs, reads and shows. */
const PATHS = ["bin", "dist", "examples", "package.json", "config.example.toml"];
/** For developers, who install the package. */
const LEFT_OUT = /^dist\/(compiled|types)\/|^dist\/adapter-test\.js$|\.map$|^examples\/(adapter|webhooks)\//;

/** The native part of the database for `target`, below the root of the package. */
export function nativePart(target: string): string {
  return `${DATABASE}/prebuilds/${target}.node`;
}

/** The files for `target` out of the built package in `root`. */
export async function programFiles(root: string, target: string): Promise<ArchivedFile[]> {
  const database = ["package.json", "LICENSE", "lib"].map((name) => `${DATABASE}/${name}`);
  return collectFiles(root, [...PATHS, ...database, nativePart(target)], (path) => LEFT_OUT.test(path));
}
