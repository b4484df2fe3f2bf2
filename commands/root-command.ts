/** The root of the command line: the global options, the form of the help in the reader's language, and the nouns. */
import { type Command, Help, type HelpConfiguration } from "commander";
import type { CommandContext } from "./context.ts";
import { COLOUR_WORDS, columnsOf, LANGUAGES, type ProgramIo } from "./io.ts";
import { addCommands } from "./define.ts";
import { HIDDEN_NOUNS, NOUNS } from "./nouns.ts";
import { choice } from "./options.ts";
import { ProgramCommand, requireFields } from "./program-command.ts";
import { sameInBoth, type Text } from "../src/foundation/text.ts";

/** Longer lines are hard to follow on a wide screen. */
const HELP_WIDTH_MAX = 120;

/** `printHelp` writes help to stdout. */
export function createRoot(
  context: CommandContext,
  printHelp: (text: string) => void = (text) => void context.io.stdout.write(text),
): Command {
  const { inLanguage } = context;
  const root = new ProgramCommand("fiscal")
    .description(
      inLanguage({
        en: "Issues Greek fiscal documents and accounts for every one of them.",
        el: "Εκδίδει ελληνικά φορολογικά παραστατικά και κρατά λογαριασμό για το καθένα.",
      }),
    )
    .usage("[--config F] [--data-dir D] [--live] [--json] <noun> <verb>")
    .exitOverride();
  // Before the first noun is added, because nouns and verbs inherit these settings when they are added.
  configureHelp(root, context, printHelp);
  addGlobalOptions(root, context);
  addCommands(root, context, { ...NOUNS, ...HIDDEN_NOUNS });
  root.hook("preAction", (_root, command) => {
    const { jsonFields = [] } = context.options;
    if (jsonFields.length > 0) requireFields(command, jsonFields);
  });
  return root;
}

function configureHelp(root: Command, context: CommandContext, printHelp: (text: string) => void): void {
  const { io, inLanguage } = context;
  const helpWidth = (stream: ProgramIo["stdout"]) => Math.min(columnsOf(io, stream), HELP_WIDTH_MAX);
  root
    .configureHelp(helpIn(context))
    .configureOutput({
      writeOut: printHelp,
      writeErr: (text) => io.stderr.write(text),
      // The program prints errors itself, once.
      outputError: () => {},
      getOutHelpWidth: () => helpWidth(io.stdout),
      getErrHelpWidth: () => helpWidth(io.stderr),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .helpCommand(false)
    .helpOption(
      "-h, --help",
      inLanguage({ en: "show help for the command", el: "εμφανίζει τη βοήθεια της εντολής" }),
    );
}

function addGlobalOptions(root: Command, { io, inLanguage }: CommandContext): void {
  root
    .version(
      io.version,
      "-V, --version",
      inLanguage({ en: "print the version", el: "τυπώνει την έκδοση του προγράμματος" }),
    )
    .option("--config <file>", inLanguage({ en: "configuration file", el: "αρχείο ρυθμίσεων" }))
    .option(
      "--data-dir <folder>",
      inLanguage({
        en: "folder of the database and the master key",
        el: "ο φάκελος όπου βρίσκονται η βάση δεδομένων και το κύριο κλειδί",
      }),
    )
    .option(
      "--live",
      inLanguage({
        en: "live mode instead of test mode",
        el: "παραγωγική λειτουργία αντί για δοκιμαστική",
      }),
    )
    .option(
      "--json",
      inLanguage({
        en: "print the API's own object or list; --json=id,status prints these fields",
        el: "τυπώνει το αντικείμενο ή τη λίστα του API· με --json=id,status μόνο αυτά τα πεδία",
      }),
    )
    .option(
      "--quiet",
      inLanguage({
        en: "print only the result and errors, no progress or notes",
        el: "μόνο το αποτέλεσμα και τα σφάλματα: ούτε πρόοδος ούτε σημειώσεις",
      }),
    )
    .option(
      "--color <when>",
      inLanguage({
        en: "colours: auto, always or never; NO_COLOR and FORCE_COLOR also work",
        el: "χρώματα: auto (μόνο σε τερματικό), always ή never· ισχύουν και τα NO_COLOR και FORCE_COLOR",
      }),
      choice(COLOUR_WORDS)("--color"),
    )
    .option("--no-color", inLanguage({ en: "the same as --color never", el: "όπως το --color never" }))
    .option(
      "--lang <el|en>",
      inLanguage({ en: "language of messages, tables and help", el: "η γλώσσα όσων διαβάζει άνθρωπος" }),
      choice(LANGUAGES)("--lang"),
    );
}

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

function helpIn({ inLanguage }: CommandContext): HelpConfiguration {
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
