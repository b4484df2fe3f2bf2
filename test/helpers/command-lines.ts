/** Command lines as help and documentation show them: read, and run in this process. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Run, RunOptions, Workshop } from "./program.ts";

export interface CommandLine {
  /** As it is written. */
  text: string;
  /** Behind `fiscal`. */
  words: string[];
  /** The file that the result goes to: `> file`. */
  into: string | undefined;
  /** What stands behind `  # `. */
  note: string | undefined;
}

/** Throws for what a shell would do and this does not: pipes, variables, several commands. */
export function readCommandLine(text: string): CommandLine {
  const [command = "", note] = text.split("  # ", 2);
  const words: string[] = [];
  for (const [, single, double, plain] of command.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)) {
    if (plain !== undefined && /[|&;$`<(]/.test(plain)) throw new Error(`this is not run here: ${text}`);
    words.push(single ?? double ?? plain ?? "");
  }
  if (words.shift() !== "fiscal") throw new Error(`it does not begin with fiscal: ${text}`);
  const at = words.indexOf(">");
  if (at === -1) return { text, words, into: undefined, note };
  const into = words[at + 1];
  if (into === undefined || words.length > at + 2) throw new Error(`it does not end with its file: ${text}`);
  return { text, words: words.slice(0, at), into, note };
}

/** Runs it in the workshop's folder, and writes the result to its file where it says so. */
export async function runCommandLine(
  workshop: Workshop,
  { words, into }: CommandLine,
  options: RunOptions,
): Promise<Run> {
  const run = await workshop.runBare(words, options);
  if (into !== undefined) await writeFile(join(workshop.folder, into), run.stdout);
  return run;
}
