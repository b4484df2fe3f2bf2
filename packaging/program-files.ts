/** Selects the files that the executable and the container image need to run the program: fewer than the package has. */
import { type ArchivedFile, collectFiles } from "./executable/archive.ts";

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

/** Reads the files for `target` from the built package in `root`. */
export async function programFiles(root: string, target: string): Promise<ArchivedFile[]> {
  const database = ["lib", "package.json", "LICENSE"].map((name) => `${DATABASE}/${name}`);
  return collectFiles(root, [...PATHS, ...database, nativePart(target)], (path) => LEFT_OUT.test(path));
}
