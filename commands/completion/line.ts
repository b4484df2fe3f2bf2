/** Parses a command line that is still being typed: the command it has reached, the given flags, and the expected next word. */
import type { Argument, Command, Option } from "commander";

/** What the last word can be. */
export type Wanted =
  | { kind: "command" }
  | { kind: "flag" }
  | { kind: "value"; option: Option }
  | { kind: "argument"; argument: Argument }
  | { kind: "nothing" };

export interface Line {
  command: Command;
  wanted: Wanted;
  /** The typed part of the last word; of `--flag=value` the value. */
  typed: string;
  /** `--flag=` if flag and value are one word. */
  lead: string;
  /** The flags on the line, with their values. */
  given: ReadonlyMap<Option, string | undefined>;
}

/** `words` is the line without the program's name; the cursor is at the last one, which may be empty. */
export async function readLine(
  root: Command,
  words: readonly string[],
  load: (command: Command) => Promise<void>,
): Promise<Line> {
  const given = new Map<Option, string | undefined>();
  const typed = words.at(-1) ?? "";
  let command = root;
  let operands = 0;
  let awaiting: Option | undefined;
  let isOver = false;
  for (const word of words.slice(0, -1)) {
    if (awaiting !== undefined && endsValues(awaiting, given, word)) awaiting = undefined;
    if (awaiting !== undefined) {
      given.set(awaiting, word);
      if (!awaiting.variadic) awaiting = undefined;
    } else if (isOver || !word.startsWith("-") || word === "-") {
      const next = operands === 0 ? command.commands.find((known) => isCalled(known, word)) : undefined;
      if (next === undefined) operands += 1;
      else await load(next);
      command = next ?? command;
    } else if (word === "--") {
      isOver = true;
    } else {
      const [name = "", value] = splitFlag(word);
      const option = optionNamed(command, name);
      if (option !== undefined && takesValue(option) && value === undefined) awaiting = option;
      else if (option !== undefined) given.set(option, value);
    }
  }
  if (awaiting !== undefined && !endsValues(awaiting, given, typed))
    return { command, wanted: { kind: "value", option: awaiting }, typed, lead: "", given };
  return { command, given, ...wantedOf(command, typed, operands, isOver) };
}

/** The next flag ends the values of a flag that takes several. */
function endsValues(option: Option, given: Line["given"], word: string): boolean {
  return option.variadic && given.has(option) && word.startsWith("-");
}

function wantedOf(
  command: Command,
  typed: string,
  operands: number,
  isOver: boolean,
): Pick<Line, "wanted" | "typed" | "lead"> {
  const [name = "", value] = splitFlag(typed);
  if (!isOver && value !== undefined) {
    const option = optionNamed(command, name);
    const wanted: Wanted = option === undefined ? { kind: "nothing" } : { kind: "value", option };
    return { wanted, typed: value, lead: `${name}=` };
  }
  if (!isOver && typed.startsWith("-") && typed !== "-") return { wanted: { kind: "flag" }, typed, lead: "" };
  if (command.commands.length > 0 && operands === 0) return { wanted: { kind: "command" }, typed, lead: "" };
  const known = command.registeredArguments;
  const last = known.at(-1);
  const argument = known[operands] ?? (last?.variadic === true ? last : undefined);
  const wanted: Wanted = argument === undefined ? { kind: "nothing" } : { kind: "argument", argument };
  return { wanted, typed, lead: "" };
}

function splitFlag(word: string): [name: string, value: string | undefined] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at === -1 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

function isCalled(command: Command, word: string): boolean {
  return command.name() === word || command.aliases().includes(word);
}

function optionNamed(command: Command, name: string): Option | undefined {
  return optionsOf(command).find((option) => option.long === name || option.short === name);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** The flags that are valid here: the command's own and those of every command above it. */
export function optionsOf(command: Command): Option[] {
  const own = [...command.options];
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}
