/** Commander's help in the language of the reader: its own words, and what commands say about themselves. */
import { Help, type HelpConfiguration } from "commander";
import { EXAMPLE_HEAD, EXAMPLE_NOTE } from "../options.ts";
import type { Language } from "./language.ts";

/** What stands in usage lines. */
const USAGE_WORDS = ["[options]", "[command]"];

export function helpIn({ text }: Language): HelpConfiguration {
  const base = new Help();
  return {
    showGlobalOptions: true,
    styleTitle: text,
    commandDescription: (command) => text(base.commandDescription(command)),
    subcommandDescription: (command) => text(base.subcommandDescription(command)),
    // Commander adds choices and defaults behind the description.
    optionDescription: (option) => translatePart(base.optionDescription(option), option.description, text),
    argumentDescription: (argument) =>
      translatePart(base.argumentDescription(argument), argument.description, text),
    commandUsage: (command) => translateUsage(base.commandUsage(command), text),
    subcommandTerm: (command) => translateUsage(base.subcommandTerm(command), text),
  };
}

function translateUsage(usage: string, text: Language["text"]): string {
  return USAGE_WORDS.reduce((line, word) => line.replace(word, text(word)), usage);
}

function translatePart(whole: string, part: string, text: Language["text"]): string {
  return part === "" ? whole : whole.replace(part, () => text(part));
}

/**
 * A piece of help as commander hands it out: the formatted help itself, or a text that a command added behind it. The
 * lines of examples stay, but for the notes behind them.
 */
export function translatePiece(piece: string, { text }: Language): string {
  const core = piece.trim();
  const [head, ...lines] = core.split("\n");
  const translated =
    head === EXAMPLE_HEAD
      ? [text(head), ...lines.map((line) => translateNote(line, text))].join("\n")
      : text(core);
  return piece.replace(core, () => translated);
}

function translateNote(line: string, text: Language["text"]): string {
  const [command = "", note] = line.split(EXAMPLE_NOTE, 2);
  return note === undefined ? line : `${command}${EXAMPLE_NOTE}${text(note)}`;
}
