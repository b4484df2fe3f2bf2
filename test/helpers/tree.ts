/** The whole tree of commands with every noun loaded, and what they add behind their help. */
import { PassThrough } from "node:stream";
import type { Command } from "commander";
import { createContext } from "../../commands/context.ts";
import type { ProgramIo } from "../../commands/io.ts";
import { EXAMPLE_HEAD } from "../../commands/options.ts";
import { type CommandLine, readCommandLine } from "./command-lines.ts";
import { loadCommand } from "../../commands/lazy-commands.ts";
import { createRoot } from "../../commands/root-command.ts";

/** Nouns whose standard output is a protocol's, not a result. */
export const SPEAKS_A_PROTOCOL: ReadonlySet<string> = new Set(["mcp"]);

export interface Tree {
  root: Command;
  /** Every noun, every verb, each once. */
  commands: Command[];
  /** What stands behind the help of each, but for the examples. */
  notes: Map<Command, string[]>;
  examples: Map<Command, CommandLine[]>;
}

export async function openTree(): Promise<Tree> {
  const stream = () => Object.assign(new PassThrough(), { columns: 100 });
  const pieces: string[] = [];
  const stdout = stream();
  const io: ProgramIo = {
    env: {},
    cwd: "/",
    stdin: stream(),
    stdout: Object.assign(stdout, { write: (text: string) => pieces.push(text) > 0 }),
    stderr: stream(),
    version: "0",
    packageRoot: "/",
    onInterrupt: () => () => {},
  };
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
    // First comes the help itself.
    const [, ...added] = pieces.map((piece) => piece.trim());
    notes.set(
      command,
      added.filter((piece) => !piece.startsWith(EXAMPLE_HEAD)),
    );
    examples.set(command, added.filter((piece) => piece.startsWith(EXAMPLE_HEAD)).flatMap(linesOf));
  }
  return { root, commands, notes, examples };
}

function linesOf(piece: string): CommandLine[] {
  const [, ...lines] = piece.split("\n");
  return lines.map((line) => readCommandLine(line.replace(/^ {2}\$ /, "")));
}
