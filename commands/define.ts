/** Describes a verb that is written by hand, or a noun, in one place: its flags, notes, examples and what it runs. */
import type { Command } from "commander";
import type { Text } from "../src/foundation/text.ts";
import type { CommandContext, MakesDatabase } from "./context.ts";
import type { ExitCode } from "./exit.ts";
import { addCommands, type Define, type LazyCommand } from "./lazy-commands.ts";
import { addExamples, type Example, type Reader } from "./options.ts";

/** The help of a flag. Its value is a text unless `read` reads it. */
export interface FlagHelp extends Text {
  read?: Reader;
  initial?: unknown;
}

/** By the flag with its placeholder: `--date <day>`. */
export type Flags = Readonly<Record<string, FlagHelp>>;

export interface HandVerb {
  /** An argument with help of its own; the others are named where the noun lists its verbs. */
  argument?: readonly [name: string, help: FlagHelp];
  flags?: Flags;
  notes?: Text;
  examples: readonly Example[];
  makesDatabase?: MakesDatabase;
  /** Called with the arguments, then the values of the flags. */
  run(context: CommandContext, ...given: never[]): Promise<ExitCode | void>;
}

export function verb({ argument, flags = {}, notes, examples, makesDatabase, run }: HandVerb): Define {
  return (command, context) => {
    if (argument !== undefined) {
      const [name, help] = argument;
      const read = help.read?.(name);
      if (read === undefined) command.argument(name, context.inLanguage(help));
      else command.argument(name, context.inLanguage(help), read);
    }
    addFlags(command, context, flags);
    command.action((...given: unknown[]) => {
      context.makesDatabase = makesDatabase;
      return context.end(run(context, ...(given as never[])));
    });
    if (notes !== undefined) command.addHelpText("after", `\n${context.inLanguage(notes)}`);
    addExamples(command, context, examples);
  };
}

export function noun(verbs: readonly LazyCommand[], ...examples: Example[]): Define {
  return (command, context) => {
    addCommands(command, context, verbs);
    addExamples(command, context, examples);
  };
}

export function addFlags(command: Command, { inLanguage }: CommandContext, flags: Flags): void {
  for (const [flag, { read, initial, ...help }] of Object.entries(flags)) {
    const parser = read?.(flag.split(" ", 1)[0]!) as
      | ((value: string, previous: unknown) => unknown)
      | undefined;
    if (parser === undefined) command.option(flag, inLanguage(help), initial as string);
    else command.option(flag, inLanguage(help), parser, initial);
  }
}
