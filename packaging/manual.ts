/** Writes the manual page `fiscal(1)` from the same descriptions as the help, in English and Greek. */
import type { EventEmitter } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { type CommandContext, createContext } from "../commands/context.ts";
import type { ProgramIo } from "../commands/io.ts";
import { loadCommand } from "../commands/define.ts";
import { createRoot } from "../commands/root-command.ts";
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
} as const satisfies Record<string, Text>;

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
  return `${lines.join("\n")}\n`;
}

function ioOf(language: Language, version: string): ProgramIo {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const outputSettings = { language, quiet: false, colour: "never", fields: [] } as const;
  const place = { env: {}, cwd: "/", version, packageRoot: "/" };
  return { ...place, stdin, stdout, stderr, outputSettings, onInterrupt: () => () => {} };
}

/** Every command that can be run, loaded. */
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
      .map((argument) => `.TP\n.B ${escape(argument.name())}\n${escape(argument.description)}`),
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
  return options.map(({ flags, description }) => `.TP\n.B ${escape(flags)}\n${escape(description)}`);
}

/** A hyphen stays one that can be copied, and no line becomes a request of roff. */
function escape(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll(/^(?=[.'])/gm, "\\&");
}
