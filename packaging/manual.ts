/** Writes the manual page `fiscal(1)` from the same descriptions as the help, in English and Greek. */
import type { EventEmitter } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { type CommandContext, createContext } from "../commands/context.ts";
import type { ProgramIo } from "../commands/io.ts";
import { loadCommand } from "../commands/define.ts";
import { EXIT } from "../commands/exit.ts";
import { createRoot } from "../commands/root-command.ts";
import { ENVIRONMENT_SECRETS, environmentName, SETTINGS } from "../src/config/settings.ts";
import type { Language, Text } from "../src/foundation/text.ts";

/** The layout of a folder of `man -M`. */
const FILES: Readonly<Record<Language, string>> = { en: "man1/fiscal.1", el: "el/man1/fiscal.1" };

export async function writeManual(folder: string, version: string): Promise<void> {
  for (const [language, name] of Object.entries(FILES) as [Language, string][]) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, await manualPage(language, version));
  }
}

const TITLES = {
  name: { en: "NAME", el: "ΟΝΟΜΑ" },
  synopsis: { en: "SYNOPSIS", el: "ΣΥΝΟΨΗ" },
  options: { en: "GLOBAL OPTIONS", el: "ΓΕΝΙΚΕΣ ΕΠΙΛΟΓΕΣ" },
  commands: { en: "COMMANDS", el: "ΕΝΤΟΛΕΣ" },
  exits: { en: "EXIT STATUS", el: "ΚΩΔΙΚΟΙ ΕΞΟΔΟΥ" },
  environment: { en: "ENVIRONMENT", el: "ΜΕΤΑΒΛΗΤΕΣ ΠΕΡΙΒΑΛΛΟΝΤΟΣ" },
} as const satisfies Record<string, Text>;

/** As in docs/command-line.md. */
const EXIT_MEANINGS: Readonly<Record<keyof typeof EXIT, Text>> = {
  done: { en: "done", el: "ολοκληρώθηκε" },
  failure: { en: "failure", el: "αποτυχία" },
  usage: { en: "usage or invalid input", el: "λάθος στην εντολή ή στα δεδομένα" },
  notFound: { en: "not found", el: "δεν βρέθηκε" },
  refused: {
    en: "rejected by the provider or the authority",
    el: "απορρίφθηκε από τον πάροχο ή την ΑΑΔΕ",
  },
  unavailable: { en: "unavailable: try again", el: "μη διαθέσιμο: δοκιμάστε ξανά" },
  configuration: { en: "configuration or storage", el: "ρυθμίσεις ή αποθήκευση" },
  interrupted: { en: "interrupted", el: "διακόπηκε" },
};

const ABOUT_VARIABLES: Text = {
  en: `Flags override the environment, and the environment overrides the configuration file, which FISCAL_CONFIG names.
NO_COLOR and FORCE_COLOR decide on colours, and LC_ALL, LC_MESSAGES and LANG on the language.`,
  el: `Οι επιλογές υπερισχύουν του περιβάλλοντος, και αυτό του αρχείου ρυθμίσεων, που το ορίζει η FISCAL_CONFIG.
Οι NO_COLOR και FORCE_COLOR ορίζουν τα χρώματα, και οι LC_ALL, LC_MESSAGES και LANG τη γλώσσα.
Οι περιγραφές που ακολουθούν είναι στα αγγλικά.`,
};

export async function manualPage(language: Language, version: string): Promise<string> {
  const context = createContext(ioOf(language, version), () => ({}));
  const root = createRoot(context);
  const section = (name: keyof typeof TITLES) => `.SH ${TITLES[name][language]}`;
  const lines = [
    `.TH FISCAL 1 "" "fiscal ${version}"`,
    section("name"),
    `fiscal \\- ${escape(root.description())}`,
    section("synopsis"),
    escape(`fiscal ${root.usage()}`),
    section("options"),
    ...optionsOf(root),
    section("commands"),
  ];
  for (const command of await verbsBelow(root, context)) lines.push(...describe(command));
  lines.push(section("exits"), ...exitCodes(language));
  lines.push(section("environment"), escape(ABOUT_VARIABLES[language]), ...variables());
  return `${lines.join("\n")}\n`;
}

function ioOf(language: Language, version: string): ProgramIo {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const outputSettings = { language, quiet: false, colour: "never", fields: [] } as const;
  const place = { env: {}, cwd: "/", version, packageRoot: "/" };
  return { ...place, stdin, stdout, stderr, outputSettings, onInterrupt: () => () => {} };
}

async function verbsBelow(parent: Command, context: CommandContext): Promise<Command[]> {
  const verbs: Command[] = [];
  for (const command of parent.createHelp().visibleCommands(parent)) {
    await loadCommand(command, context);
    verbs.push(...(command.commands.length === 0 ? [command] : await verbsBelow(command, context)));
  }
  return verbs;
}

function describe(command: Command): string[] {
  const notes: string[] = [];
  // Commander's types hide that a command emits what its help consists of.
  (command as Command & EventEmitter).emit("afterHelp", {
    command,
    error: false,
    write: (text: string) => void notes.push(text),
  });
  return [
    `.SS ${escape(command.createHelp().commandUsage(command))}`,
    escape(command.description()),
    ...command.registeredArguments
      .filter(({ description }) => description !== "")
      .map((argument) => described(argument.name(), argument.description)),
    ...optionsOf(command),
    ".PP",
    ...notes.join("").trim().split("\n").map(noteLine),
  ];
}

/** An example stays on one line, so that it can be copied. */
function noteLine(line: string): string {
  if (line === "") return ".PP";
  return line.startsWith("  $") ? `.nf\n${escape(line)}\n.fi` : escape(line);
}

function optionsOf(command: Command): string[] {
  const options = command.createHelp().visibleOptions(command);
  return options.map(({ flags, description }) => described(flags, description));
}

function exitCodes(language: Language): string[] {
  return Object.entries(EXIT).map(([name, code]) =>
    described(String(code), EXIT_MEANINGS[name as keyof typeof EXIT][language]),
  );
}

/** In English only, as in docs/configuration.md. */
function variables(): string[] {
  return [
    ...Object.entries(SETTINGS).map(([path, { doc }]) => described(environmentName(path), doc)),
    ...Object.values(ENVIRONMENT_SECRETS).map(({ variable, doc }) => described(variable, doc)),
  ];
}

function described(term: string, description: string): string {
  return `.TP\n.B ${escape(term)}\n${escape(description)}`;
}

/** A hyphen stays one that can be copied, and no line becomes a request of roff. */
function escape(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&");
}
