/** Completes commands, flags and fixed words; stored.ts completes names from the database. */
import type { Argument, Command, Option } from "commander";
import type { Words } from "../options.ts";
import { type Line, optionsOf } from "./line.ts";

export interface Candidate {
  word: string;
  /** Shown next to the word in shells that support it. */
  about: string;
}

/** Commands, flags, and the words that a flag accepts. */
export function knownCandidates({ command, wanted, given }: Line): Candidate[] {
  if (wanted.kind === "command") return commandsOf(command);
  if (wanted.kind === "flag") return flagsOf(command, given);
  if (wanted.kind === "value") return wordsOf(wanted.option);
  return wanted.kind === "argument" ? wordsOf(wanted.argument) : [];
}

function commandsOf(command: Command): Candidate[] {
  const help = command.createHelp();
  return help
    .visibleCommands(command)
    .map((known) => ({ word: known.name(), about: known.summary() || known.description() }));
}

/** Flags that are not on the line yet, those that may be repeated, and `--help`. */
function flagsOf(command: Command, given: Line["given"]): Candidate[] {
  const inherited = optionsOf(command).filter(
    (option) => !option.hidden && (!given.has(option) || isRepeatable(option)),
  );
  const help = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long === "--help");
  return [...inherited, ...help].map(({ long, short, description }) => ({
    word: long ?? short ?? "",
    about: description,
  }));
}

function isRepeatable({ variadic, parseArg }: Option): boolean {
  const parser: unknown = parseArg;
  return variadic || (typeof parser === "function" && "isRepeatable" in parser);
}

function wordsOf({ parseArg, argChoices }: Option | Argument): Candidate[] {
  const reader: unknown = parseArg;
  const words = hasWords(reader) ? reader.words : (argChoices ?? []);
  return words.map((word) => ({ word, about: "" }));
}

function hasWords(reader: unknown): reader is Words {
  return typeof reader === "function" && "words" in reader && Array.isArray(reader.words);
}
