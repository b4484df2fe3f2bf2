/** Describes a noun, or a verb with its flags and its outcome. Its module is loaded only when it is called or its help is shown. */
import type { Command } from "commander";
import type { Text } from "../src/foundation/text.ts";
import type { CommandContext } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { addExamples, type Example, type Reader } from "./options.ts";
import type { LocalOperation, Operation } from "../src/operations/operation.ts";
import type { Row } from "../src/operations/view.ts";
import { printLine, printNote, printProblem } from "./io.ts";
import { printJson } from "./ui/json.ts";
import { printFields } from "./ui/table.ts";

/** The help of a flag. Its value is a text unless `read` reads it. */
export interface FlagHelp extends Text {
  read?: Reader;
  initial?: unknown;
}

/** By the flag with its placeholder: `--date <day>`. */
export type Flags = Readonly<Record<string, FlagHelp>>;

/** The values of `flags`, by commander's names: `{ yes?: true; tlsCert?: string }` of `--yes` and `--tls-cert <file>`. */
export type OptionsOf<Own extends Flags> = {
  [Flag in keyof Own as NameOf<Flag>]?: ValueOf<Flag, Own[Flag]>;
};

type ValueOf<Flag, Help> = Help extends { read: MakesParser<infer Value> }
  ? Value
  : Help extends { initial: infer Value }
    ? Value
    : Flag extends `--no-${string}`
      ? false
      : Flag extends `${string} ${string}`
        ? string
        : true;

type MakesParser<Value> = (flag: string) => (value: string, previous: never) => Value;

type NameOf<Flag> = Flag extends `${infer Word} ${string}`
  ? NameOf<Word>
  : Flag extends `--no-${infer Word}`
    ? CamelCase<Word>
    : Flag extends `--${infer Word}`
      ? CamelCase<Word>
      : never;

type CamelCase<Word> = Word extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Word;

/** What a verb ends with, unless it prints itself. */
export interface Outcome {
  /** Printed with `--json`. */
  object: unknown;
  /** For people: fields, a line, or a function that prints. */
  shown: readonly Row[] | Text | (() => Promise<void>);
  /** Printed on stderr afterwards, with `--json` too. */
  notes?: readonly Text[];
  /** The same with `--quiet` too. */
  problems?: readonly Text[];
  /** If it is not 0. */
  exitCode?: ExitCode;
}

interface HandVerb<Own extends Flags> {
  /** An argument with help of its own; the others are named where the noun lists its verbs. */
  argument?: readonly [name: string, help: FlagHelp];
  flags?: Own;
  notes?: Text;
  examples: readonly Example[];
  /** It may be the first verb that is run, so it creates a missing database. */
  makesDatabase?: true;
  /** `words` are the arguments. */
  run(
    context: CommandContext,
    options: OptionsOf<Own>,
    ...words: never[]
  ): Promise<Outcome | ExitCode | void>;
  /** What it prints with `--json`, if a person may choose from them. */
  fields?: readonly string[];
}

export function verb<Own extends Flags>(own: HandVerb<Own>): Define {
  return (command, context) => {
    if (own.argument !== undefined) {
      const [name, help] = own.argument;
      const read = help.read?.(name);
      if (read === undefined) command.argument(name, context.inLanguage(help));
      else command.argument(name, context.inLanguage(help), read);
    }
    addFlags(command, context, own.flags ?? {});
    command.action((...given: unknown[]) => {
      context.makesDatabase = own.makesDatabase === true;
      const words = given.slice(0, -2) as never[];
      const work = own.run(context, command.opts<OptionsOf<Own>>(), ...words);
      return context.end(work.then((end) => (typeof end === "object" ? present(context, end) : end)));
    });
    if (own.notes !== undefined) command.addHelpText("after", `\n${context.inLanguage(own.notes)}`);
    addExamples(command, context, own.examples);
    if (own.fields !== undefined) printed.set(command, own.fields);
  };
}

export function noun(verbs: Commands, ...examples: Example[]): Define {
  return (command, context) => {
    addCommands(command, context, verbs);
    addExamples(command, context, examples);
  };
}

function addFlags(command: Command, { inLanguage }: CommandContext, flags: Flags): void {
  for (const [flag, { read, initial, ...help }] of Object.entries(flags)) {
    const parser = read?.(flag.split(" ", 1)[0]!) as
      | ((value: string, previous: unknown) => unknown)
      | undefined;
    if (parser === undefined) command.option(flag, inLanguage(help), initial as string);
    else command.option(flag, inLanguage(help), parser, initial);
  }
}

/** Gives `command` its flags, examples and action, or its own commands. */
export type Define = (command: Command, context: CommandContext) => void;

/** Its texts are one line of the help, which does not list a command without them. */
export interface LazyCommand extends Text {
  /** As in usage lines, for example `<document>`. */
  readonly arguments?: string;
  /** Its heading in the help. */
  readonly group?: Text;
  /** If it is made of one. */
  readonly operation?: Operation | LocalOperation;
  load(): Promise<Define>;
}

/** By name, in the order of the help. */
export type Commands = Readonly<Record<string, LazyCommand>>;

const sources = new WeakMap<Command, LazyCommand>();
const loaded = new WeakSet<Command>();

export function addCommands(parent: Command, context: CommandContext, commands: Commands): void {
  for (const [name, source] of Object.entries(commands)) {
    const { arguments: expected = "", group, en, el } = source;
    const command = parent.command(`${name} ${expected}`, { hidden: en === "" });
    command.description(context.inLanguage({ en, el })).helpCommand(false);
    if (group !== undefined) command.helpGroup(context.inLanguage(group));
    sources.set(command, source);
  }
  parent.hook("preSubcommand", (_parent, command) => loadCommand(command, context));
}

/** Loads the module that defines `command`; does nothing the second time. */
export async function loadCommand(command: Command, context: CommandContext): Promise<void> {
  if (loaded.has(command)) return;
  loaded.add(command);
  const define = await sources.get(command)?.load();
  define?.(command, context);
}

/** The operation that `command` is made of; undefined for a verb written by hand. */
export function operationOf(command: Command): LazyCommand["operation"] {
  return sources.get(command)?.operation;
}

/** The fields that each command prints with `--json`. */
const printed = new WeakMap<Command, readonly string[]>();

/** The fields of `command`, sorted; undefined if `--json` takes none there. */
export function fieldsOf(command: Command): string[] | undefined {
  const fields = printed.get(command);
  return fields && [...new Set(fields)].toSorted();
}

/** Prints an object for programs, or the same for people. */
async function present(
  { io, options }: CommandContext,
  { object, shown, notes = [], problems = [], exitCode = EXIT.done }: Outcome,
): Promise<ExitCode> {
  if (options.json === true) await printJson(io, object);
  else if (typeof shown === "function") await shown();
  else await ("en" in shown ? printLine(io, shown) : printFields(io, shown));
  for (const note of notes) await printNote(io, note);
  for (const problem of problems) await printProblem(io, problem);
  return exitCode;
}
