/** Reads command lines from help and documentation, and runs them in this process. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Run, type RunOptions, wordsOf, type Workshop } from "./program.ts";

export interface CommandLine {
  /** The text as written. */
  text: string;
  /** The arguments after `fiscal`. */
  words: string[];
  /** The file that standard output is redirected to: `> file`. */
  into: string | undefined;
  /** The comment after `  # `. */
  note: string | undefined;
}

/** Throws for shell features that are not supported: pipes, variables, several commands. */
export function readCommandLine(text: string): CommandLine {
  const [command = "", note] = text.split("  # ", 2);
  const words = wordsOf(command);
  if (/[|&;$`<(]/.test(command.replaceAll(/'[^']*'|"[^"]*"/g, "")))
    throw new Error(`this is not run here: ${text}`);
  if (words.shift() !== "fiscal") throw new Error(`it does not begin with fiscal: ${text}`);
  const at = words.indexOf(">");
  if (at === -1) return { text, words, into: undefined, note };
  const into = words[at + 1];
  if (into === undefined || words.length > at + 2) throw new Error(`it does not end with its file: ${text}`);
  return { text, words: words.slice(0, at), into, note };
}

/** Runs it in the workshop's folder, and writes the output to its file if it names one. */
export async function runCommandLine(
  workshop: Workshop,
  { words, into }: CommandLine,
  options: RunOptions,
): Promise<Run> {
  const run = await workshop.runBare(words, options);
  if (into !== undefined) await writeFile(join(workshop.folder, into), run.stdout);
  return run;
}
