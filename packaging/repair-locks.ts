/**
 * Repairs the lock files after npm has written them (`npm run lock`), so that `npm ci` does the same with every npm, on every machine:
 * no addresses, so that npm asks the registry that the machine is set up for; no `engines`, because packages run on the Node that is
 * installed with them, while npm compares them with the Node that runs npm, warns for each, and skips optional ones; and
 * `gypfile: false` where a package brings its binaries, without which npm before 11 compiles it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Locked {
  resolved?: string;
  link?: boolean;
  engines?: object;
  gypfile?: boolean;
}

const ROOT = join(import.meta.dirname, "..");
const NOT_COMPILED = new Set(["node_modules/better-sqlite3"]);

for (const folder of ["", "test"]) {
  const file = join(ROOT, folder, "package-lock.json");
  const lock = JSON.parse(readFileSync(file, "utf8")) as { packages: Record<string, Locked> };
  for (const [path, locked] of Object.entries(lock.packages)) {
    // The entry with an empty path is a copy of package.json.
    if (path === "") continue;
    delete locked.engines;
    if (locked.link !== true) delete locked.resolved;
    if (NOT_COMPILED.has(path)) locked.gypfile = false;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
