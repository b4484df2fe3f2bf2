/** Running a few lines in a process of their own. */
import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../..");

/** How lines for `runModule` name a file of ours: its path from the root as a string literal. */
export function literalOf(file: string): string {
  return JSON.stringify(pathToFileURL(join(ROOT, file)).href);
}

/** What the ES module `program` writes to standard output. `flags` are the runtime's own. */
export async function runModule(program: string, flags: readonly string[] = []): Promise<string> {
  const args = [...flags, "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout;
}
