/**
 * Replaces package.json by the manifest of the distributed package while `npm pack` runs: bundled libraries are not installed again, and
 * nothing is built. `--restore` puts the project's own back, which an interrupted run left in `build/`.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Which Node runs it (bin/fiscal.js checks it). A clone brings its own, so that npm need not warn there about the machine's. */
const ENGINES = { node: "^22.22.2 || ^24.15 || >=26" };
/** Loaded from `node_modules`: the native database, and what the types and the suite for adapters refer to. */
const NOT_BUNDLED = ["better-sqlite3", "kysely", "valibot"];

const MANIFEST = join(import.meta.dirname, "..", "package.json");
const OWN = join(import.meta.dirname, "..", "build", "own-package.json");

function restore(): void {
  if (existsSync(OWN)) renameSync(OWN, MANIFEST);
}

function replace(): void {
  restore();
  const text = readFileSync(MANIFEST, "utf8");
  const {
    scripts: _scripts,
    devDependencies: _development,
    optionalDependencies: _runtimes,
    overrides: _overrides,
    allowScripts: _allowed,
    dependencies,
    ...kept
  } = JSON.parse(text) as Record<string, object> & { dependencies: Record<string, string> };
  const installed = Object.fromEntries(NOT_BUNDLED.map((name) => [name, dependencies[name]]));
  mkdirSync(dirname(OWN), { recursive: true });
  writeFileSync(OWN, text);
  writeFileSync(
    MANIFEST,
    `${JSON.stringify({ ...kept, engines: ENGINES, dependencies: installed }, null, 2)}\n`,
  );
}

if (process.argv.includes("--restore")) restore();
else replace();
