/**
 * Runs a program of the tests and checks: `node test/tool.ts vitest run`. What they need has its own lock file, in this
 * folder, and is installed on first use and whenever that file has changed (docs/decisions/0012). Without a program, it
 * only installs: do so before several checks start at once.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

const HERE = import.meta.dirname;
const MODULES = join(HERE, "node_modules");
const LOCK = join(HERE, "package-lock.json");
/** A copy of the installed lock file. `npm ci` deletes it first, so that an interrupted installation is repeated. */
const INSTALLED = join(MODULES, ".installed.json");

function main(command: readonly string[]): number {
  const failed = isInstalled() ? 0 : install();
  return failed !== 0 || command.length === 0 ? failed : run(command, process.cwd());
}

function isInstalled(): boolean {
  return existsSync(INSTALLED) && readFileSync(INSTALLED, "utf8") === readFileSync(LOCK, "utf8");
}

function install(): number {
  process.stderr.write("Installing what tests and checks need\n");
  // The npm that runs this script, if one does: an older one may come first in PATH.
  const started = process.env["npm_execpath"];
  const npm = started === undefined ? ["npm"] : [process.execPath, started];
  const exitCode = run([...npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], HERE);
  if (exitCode === 0) copyFileSync(LOCK, INSTALLED);
  return exitCode;
}

/** Returns the exit code. */
function run([program = "", ...args]: readonly string[], cwd: string): number {
  const folders = [MODULES, resolve(HERE, "../node_modules")].map((folder) => join(folder, ".bin"));
  const env = { ...process.env, PATH: [...folders, process.env["PATH"]].join(delimiter) };
  // npm writes programs for Windows as scripts of its shell.
  const { status, error } = spawnSync(program, args, {
    cwd,
    env,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (error !== undefined) throw error;
  return status ?? 1;
}

process.exitCode = main(process.argv.slice(2));
