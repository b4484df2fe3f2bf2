/** Commander's help in the language of the reader. */
import { Help, type HelpConfiguration } from "commander";
import type { CommandContext } from "../context.ts";
import { EXAMPLE_HEAD, EXAMPLE_NOTE } from "../options.ts";
import type { Catalogue } from "./language.ts";
import type { Text } from "../../src/foundation/text.ts";

/** Commander's section titles. */
const TITLES: Readonly<Record<string, Text>> = {
  "Usage:": { en: "Usage:", el: "Χρήση:" },
  "Arguments:": { en: "Arguments:", el: "Ορίσματα:" },
  "Options:": { en: "Options:", el: "Επιλογές:" },
  "Global Options:": { en: "Global options:", el: "Γενικές επιλογές:" },
  "Commands:": { en: "Commands:", el: "Εντολές:" },
};

/** Commander's placeholders in usage lines. */
const PLACEHOLDERS: Readonly<Record<string, Text>> = {
  "[options]": { en: "[options]", el: "[επιλογές]" },
  "[command]": { en: "[command]", el: "[εντολή]" },
};

export function helpIn({ inLanguage }: CommandContext): HelpConfiguration {
  const base = new Help();
  const translateUsage = (usage: string) =>
    Object.entries(PLACEHOLDERS).reduce((line, [word, text]) => line.replace(word, inLanguage(text)), usage);
  return {
    showGlobalOptions: true,
    styleTitle: (title) => inLanguage(TITLES[title] ?? title),
    commandDescription: (command) => inLanguage(base.commandDescription(command)),
    subcommandDescription: (command) => inLanguage(base.subcommandDescription(command)),
    optionDescription: ({ description }) => inLanguage(description),
    argumentDescription: ({ description }) => inLanguage(description),
    commandUsage: (command) => translateUsage(base.commandUsage(command)),
    subcommandTerm: (command) => translateUsage(base.subcommandTerm(command)),
  };
}

/**
 * A piece of help as commander hands it out: the formatted help itself, or a text that a command added behind it. The
 * lines of examples stay, but for the notes behind them.
 */
export function translatePiece(piece: string, { text }: Catalogue): string {
  const core = piece.trim();
  const [head, ...lines] = core.split("\n");
  const translated =
    head === EXAMPLE_HEAD
      ? [text(head), ...lines.map((line) => translateNote(line, text))].join("\n")
      : text(core);
  return piece.replace(core, () => translated);
}

function translateNote(line: string, text: Catalogue["text"]): string {
  const [command = "", note] = line.split(EXAMPLE_NOTE, 2);
  return note === undefined ? line : `${command}${EXAMPLE_NOTE}${text(note)}`;
}
