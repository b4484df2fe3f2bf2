/** The flags of a verb that become the body of its operation. */
import type { Command } from "commander";
import type { Problem } from "../src/foundation/errors.ts";
import { joinTexts, SEMICOLON, type Text } from "../src/foundation/text.ts";
import type { WordTable } from "../src/domain/code-words.ts";
import { checkWith } from "../src/foundation/validation.ts";
import { fieldAt, setAt, withNulls } from "../src/operations/body-fields.ts";
import type { BodyFlag, LocalOperation, Operation } from "../src/operations/operation.ts";
import type { CommandContext } from "./context.ts";
import { UsageError } from "./exit.ts";
import { type FlagValues, optionOf, wordOf } from "./flags.ts";
import { nameOf, readBytes, readJsonInput, readText } from "./input.ts";
import type { ProgramIo } from "./io.ts";
import { day, instant, keyValue, REPEATABLE } from "./options.ts";
import { askFor } from "./ui/prompt.ts";

type BodyFlags = Readonly<Record<string, BodyFlag>>;

export function addBodyFlags(command: Command, { inLanguage }: CommandContext, flags: BodyFlags): void {
  for (const flag of Object.values(flags))
    command.option(`--${flag.name}`, inLanguage(flag.help), parserOf(flag));
}

/** Only reads the form of the value: the operation's schema checks the whole body. */
function parserOf({
  name,
  kind,
  words,
  isRemovable,
}: BodyFlag): (value: string, previous: unknown) => unknown {
  const flag = `--${wordOf(name)}`;
  const offered = words === undefined ? {} : { words };
  if (kind === "pairs") return keyValue(flag) as (value: string, previous: unknown) => unknown;
  if (kind === "integer") return (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : value);
  if (kind === "list") {
    const readAll = (value: string, previous: unknown) => [
      ...((previous as string[] | undefined) ?? []),
      ...value.split(",").map((item) => item.trim()),
    ];
    return Object.assign(readAll, offered, REPEATABLE);
  }
  if (name.endsWith("<instant>")) return instant(flag);
  if (name.endsWith("<day>"))
    return (value) => (value === "" && isRemovable === true ? "" : day(flag)(value));
  return Object.assign((value: string) => value, offered);
}

/** The code that `value` means. Anything else is left for the schema. */
async function codeOf(name: string, meanings: WordTable<string>, value: string): Promise<string> {
  const { readWord } = await import("../src/intake/cell-values.ts");
  const reading = Object.hasOwn(meanings, value) ? undefined : readWord(meanings, value);
  if (reading === undefined) return value;
  if ("value" in reading) return reading.value;
  const { en, el } = reading.problem;
  throw new UsageError({ en: `--${wordOf(name)} ${en}`, el: `η --${wordOf(name)} ${el}` });
}

/** The body that the flags give, after asking for what is missing. Throws UsageError if the operation would refuse it. */
export async function readBody(
  { io }: CommandContext,
  operation: LocalOperation | Operation,
  given: FlagValues,
): Promise<Record<string, unknown> | undefined> {
  const { body: schema, verb } = operation;
  if (schema === undefined) return undefined;
  const flags = verb?.flags ?? {};
  const body: Record<string, unknown> = {};
  for (const [path, flag] of Object.entries(flags)) {
    const text = given[optionOf(flag.name)] ?? (flag.ask && (await ask(flag, flag.ask)));
    const value = typeof text === "string" ? await readValue(io, flag, text) : text;
    if (value !== undefined) setAt(body, path.split("."), flag.isRemovable ? withNulls(value) : value);
  }
  if ("method" in operation && operation.method === "PATCH" && Object.keys(body).length === 0)
    throw nothingToChange(Object.values(flags));
  const checked = checkWith(schema, body, "");
  if ("problems" in checked) throw new UsageError(joinTexts(checked.problems.map(nameFlag), SEMICOLON));
  return body;

  async function ask(flag: BodyFlag, message: Text): Promise<unknown> {
    const answer = await askFor(io, undefined, { flag: `--${wordOf(flag.name)}`, message });
    return parserOf(flag)(answer, undefined);
  }

  /** The problem in the words of the terminal: `--branch must be at most 9999`. */
  function nameFlag({ path, message }: Problem): Text {
    const named = Object.entries(flags).map(([field, { name }]) => ({ path: field.split("."), name }));
    const found = fieldAt(named, path);
    const flag = found === undefined ? path : `--${wordOf(found.name)}`;
    return { en: `${flag} ${message.en}`, el: `η ${flag} ${message.el}` };
  }
}

/** The value itself, what its file holds, or the code that it means. */
async function readValue(io: ProgramIo, { name, kind, meanings }: BodyFlag, value: string): Promise<unknown> {
  if (meanings !== undefined) return codeOf(name, meanings, value);
  if (kind !== "file" && kind !== "json") return value;
  return kind === "json" ? readJsonInput(io, value) : readText(readBytes(io, value), nameOf(value));
}

function nothingToChange(flags: readonly BodyFlag[]): UsageError {
  const names = flags.map(({ name }) => `--${wordOf(name)}`);
  const last = names.pop();
  return new UsageError({
    en: `nothing to change: give ${names.join(", ")} or ${last}`,
    el: `δεν δόθηκε τίποτα προς αλλαγή: δώστε ${names.join(", ")} ή ${last}`,
  });
}
