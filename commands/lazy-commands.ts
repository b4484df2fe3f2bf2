/** Lists commands by name and summary, and loads a command's module only when it is called or its help is shown. */
import type { Command } from "commander";
import type { Text } from "../src/foundation/text.ts";
import type { CommandContext } from "./context.ts";

/** Gives `command` its flags, examples and action, or its own commands. */
export type Define = (command: Command, context: CommandContext) => void;

export interface LazyCommand {
  readonly name: string;
  /** As in usage lines, for example `<document>`. */
  readonly arguments?: string;
  /** Its heading in the help. */
  readonly group?: Text;
  /** One line for the help, which does not list a command without it. */
  readonly summary?: Text;
  load(): Promise<Define>;
}

const unloaded = new WeakMap<Command, LazyCommand["load"]>();

/** Adds `commands` to `parent`, in the order of its help. */
export function addCommands(
  parent: Command,
  context: CommandContext,
  commands: readonly LazyCommand[],
): void {
  for (const { name, arguments: expected = "", group, summary, load } of commands) {
    const command = parent.command(`${name} ${expected}`, { hidden: summary === undefined });
    if (summary !== undefined) command.description(context.inLanguage(summary));
    if (group !== undefined) command.helpGroup(context.inLanguage(group));
    unloaded.set(command.helpCommand(false), load);
  }
  parent.hook("preSubcommand", (_parent, command) => loadCommand(command, context));
}

/** Loads the module that defines `command`; does nothing the second time. */
export async function loadCommand(command: Command, context: CommandContext): Promise<void> {
  const load = unloaded.get(command);
  unloaded.delete(command);
  const define = await load?.();
  define?.(command, context);
}
