/** Commander's help in the language of the reader. */
import { Help, type HelpConfiguration } from "commander";
import type { CommandContext } from "../context.ts";
import { sameInBoth, type Text } from "../../src/foundation/text.ts";

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
    styleTitle: (title) => inLanguage(TITLES[title] ?? sameInBoth(title)),
    commandUsage: (command) => translateUsage(base.commandUsage(command)),
    subcommandTerm: (command) => translateUsage(base.subcommandTerm(command)),
  };
}
