/** Runs a few lines of code in a separate process, and finds other programs. */
import { execFile, execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");

/** The path of one of our files, relative to the root, as a string literal for code given to `runModule`. */
export function literalOf(file: string): string {
  return JSON.stringify(pathToFileURL(join(ROOT, file)).href);
}

/** Returns the standard output of the ES module `program`. `flags` are passed to Node. */
export async function runModule(program: string, flags: readonly string[] = []): Promise<string> {
  const args = [...flags, "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}

/** Whether this machine has `program`, which prints its version. */
export function isInstalled(program: string): boolean {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
