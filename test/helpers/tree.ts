/** Loads the whole tree of commands, with the notes and examples of their help. */
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { createContext } from "../../commands/context.ts";
import type { Language } from "../../src/foundation/text.ts";
import { EXAMPLES } from "../../commands/options.ts";
import { type CommandLine, readCommandLine } from "./command-lines.ts";
import { createIo } from "./program.ts";
import { loadCommand } from "../../commands/define.ts";
import { createRoot } from "../../commands/root-command.ts";

/** Nouns whose standard output carries a protocol. */
export const SPEAKS_A_PROTOCOL: ReadonlySet<string> = new Set(["mcp"]);

export interface Tree {
  root: Command;
  /** Every noun and verb. */
  commands: Command[];
  /** The texts after the help, without examples. */
  notes: Map<Command, string[]>;
  examples: Map<Command, CommandLine[]>;
}

export async function openTree(language: Language = "en"): Promise<Tree> {
  const stream = () => Object.assign(new PassThrough(), { columns: 100 });
  const pieces: string[] = [];
  const stdout = stream();
  const io = createIo({
    stdin: stream(),
    stdout: Object.assign(stdout, { write: (text: string) => pieces.push(text) > 0 }),
    stderr: stream(),
    outputSettings: { language, quiet: false, colour: "never", fields: [] },
  });
  const context = createContext(io, () => ({}));
  const root = createRoot(context);
  const commands: Command[] = [];
  const load = async (parent: Command) => {
    for (const command of parent.commands.filter((known) => !known.name().startsWith("__"))) {
      await loadCommand(command, context);
      commands.push(command);
      await load(command);
    }
  };
  await load(root);
  const notes = new Map<Command, string[]>();
  const examples = new Map<Command, CommandLine[]>();
  for (const command of commands) {
    pieces.length = 0;
    command.outputHelp();
    // The first piece is the help itself.
    const [, ...added] = pieces.map((piece) => piece.trim());
    notes.set(
      command,
      added.filter((piece) => !piece.startsWith(EXAMPLES[language])),
    );
    examples.set(command, added.filter((piece) => piece.startsWith(EXAMPLES[language])).flatMap(linesOf));
  }
  return { root, commands, notes, examples };
}

/** As it is typed: `documents list`. */
export function nameOf(command: Command): string {
  const { parent } = command;
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`;
}

function linesOf(piece: string): CommandLine[] {
  const [, ...lines] = piece.split("\n");
  return lines.map((line) => readCommandLine(line.replace(/^ {2}\$ /, "")));
}
