/** What could stand under the cursor, from the commands alone; what the database knows is for stored.ts. */
import type { Argument, Command, Option } from "commander";
import type { Words } from "../options.ts";
import { type Line, optionsOf } from "./line.ts";

export interface Candidate {
  word: string;
  /** Shown beside the word where the shell can; English, as the commands have it. */
  about: string;
}

/** Commands, flags, and the words that a flag's reader takes. */
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

/** Each once, but for those that may be repeated. */
function flagsOf(command: Command, given: Line["given"]): Candidate[] {
  const flags = optionsOf(command)
    .filter((option) => !option.hidden && (!given.has(option) || isRepeatable(option)))
    .map((option) => ({ word: option.long ?? option.short ?? "", about: option.description }));
  return [...flags, { word: "--help", about: "display help for command" }];
}

function isRepeatable(option: Option): boolean {
  return option.variadic || /may be repeated/.test(option.description);
}

function wordsOf({ parseArg, argChoices }: Option | Argument): Candidate[] {
  const reader: unknown = parseArg;
  const words = hasWords(reader) ? reader.words : (argChoices ?? []);
  return words.map((word) => ({ word, about: "" }));
}

function hasWords(reader: unknown): reader is Words {
  return typeof reader === "function" && "words" in reader && Array.isArray(reader.words);
}
