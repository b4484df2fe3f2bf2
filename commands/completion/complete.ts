/**
 * `fiscal __complete SHELL -- WORDS…`: prints completions for the scripts of `fiscal completion`, one candidate per line with a
 * tab before its description. The line `:files` or `:folders` asks the shell to complete their names. Only reads, and prints no errors,
 * because the user is still typing.
 */
import type { Command } from "commander";
import type { CommandContext } from "../context.ts";
import { write } from "../io.ts";
import { loadCommand } from "../define.ts";
import { choice } from "../options.ts";
import { printable } from "../../src/foundation/characters.ts";
import { type Shell, SHELLS } from "./completion.ts";
import {
  type Candidate,
  knownCandidates,
  type Line,
  pathsAt,
  readLine,
  startsWith,
  storedCandidates,
} from "./candidates.ts";

export function defineAnswer(command: Command, context: CommandContext): void {
  command
    .argument("<shell>", "", choice(SHELLS)("shell"))
    .argument("[words...]")
    .helpOption(false)
    .action((shell: Shell, words: string[]) => context.end(runAnswer(command, context, shell, words)));
}

/** `words` starts with the name of the program, as typed. */
async function runAnswer(
  command: Command,
  context: CommandContext,
  shell: Shell,
  words: readonly string[],
): Promise<void> {
  const { io } = context;
  const root = command.parent;
  if (root === null) return;
  const whole = shell === "bash" ? joinSplit(words) : words;
  const typed = whole.slice(1).map((word) => (shell === "fish" ? word : unquote(word)));
  // `fiscal help documents …` is completed like `fiscal documents …`.
  const meant = typed[0] === "help" && typed.length > 1 ? typed.slice(1) : typed;
  const line = await readLine(root, meant, (known) => loadCommand(known, context));
  const { text, mark, start } = readQuotations(whole.at(-1) ?? "");
  // bash replaces only what follows an open quotation mark, or else the last `=` or `:`.
  const kept = mark === "" ? line.typed.lastIndexOf(":") + 1 : line.typed.length - (text.length - start);
  const candidates = (await candidatesAt(context, line)).filter(({ word }) => startsWith(word, line.typed));
  for (const { word, about } of candidates) {
    const shown = shell === "bash" ? quote(word.slice(kept), mark) : `${line.lead}${word}`;
    await write(io.stdout, `${printable(shown)}\t${printable(about)}\n`);
  }
  const paths = pathsAt(line);
  if (paths !== undefined) await write(io.stdout, `:${paths}\n`);
}

async function candidatesAt(context: CommandContext, line: Line): Promise<Candidate[]> {
  const known = knownCandidates(line);
  if (known.length > 0) return known;
  try {
    const config = await context.configuration(flagsOf(line));
    const isLive = [...line.given.keys()].some(({ long }) => long === "--live");
    return await storedCandidates(line, config, isLive ? "live" : config.defaultMode);
  } catch {
    // A broken configuration or a locked file: the command itself reports it when it runs.
    return [];
  }
}

function flagsOf({ given }: Line): { config?: string; dataDir?: string } {
  const valueOf = (long: string) => [...given].find(([option]) => option.long === long)?.[1];
  const config = valueOf("--config");
  const dataDir = valueOf("--data-dir");
  return { ...(config === undefined ? {} : { config }), ...(dataDir === undefined ? {} : { dataDir }) };
}

/**
 * bash splits words at `=` and `:` (COMP_WORDBREAKS), so that `--type=1.1` arrives as three words. Neither is ever a word of
 * its own here, so they are joined with their neighbours.
 */
export function joinSplit(words: readonly string[]): string[] {
  const joined: string[] = [];
  let isOpen = false;
  for (const word of words) {
    const isBreak = word === "=" || word === ":";
    if ((isBreak || isOpen) && joined.length > 0) joined.push(`${joined.pop() ?? ""}${word}`);
    else joined.push(word);
    isOpen = isBreak;
  }
  return joined;
}

/** Removes quotation marks and backslashes. An unclosed quotation extends to the end. */
export function unquote(word: string): string {
  return readQuotations(word).text;
}

/** `mark` is that of an unclosed quotation, which begins at `start` of `text`; empty without one. */
function readQuotations(word: string): { text: string; mark: string; start: number } {
  let [text, mark, start] = ["", "", 0];
  for (let at = 0; at < word.length; at += 1) {
    const letter = word[at] ?? "";
    if (mark === "'" ? letter === "'" : mark !== "" && letter === mark) mark = "";
    else if (mark === "" && (letter === "'" || letter === '"')) [mark, start] = [letter, text.length];
    else if (letter === "\\" && mark !== "'") text += word[(at += 1)] ?? "";
    else text += letter;
  }
  return { text, mark, start };
}

/** Quotes for bash, which inserts the word unchanged, after `mark` if a quotation is open; zsh and fish quote it themselves. */
export function quote(word: string, mark = ""): string {
  if (mark === "'") return word.replaceAll("'", String.raw`'\''`);
  return mark === '"' ? word.replace(/["$`\\]/g, "\\$&") : word.replace(/[^\w@%+=:,./\p{L}-]/gu, "\\$&");
}
