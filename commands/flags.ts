/** Flags made of the fields of operations: those of the query with the API's own checks, and those that become the body. */
import { readDay } from "../src/foundation/days.ts";
import { PAGE_FIELDS, type QueryField, readParameter } from "../src/operations/field.ts";
import type { Appliance } from "../src/appliance.ts";
import type { Context } from "../src/journal/context.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import type { BodyFlag, LocalOperation, Operation } from "../src/operations/operation.ts";
import type { CommandContext } from "./context.ts";
import { UsageError } from "./exit.ts";
import { merchantIdOf } from "./merchants/find-merchant.ts";
import type { FlagHelp, Flags } from "./define.ts";
import { MONTH, readMonth } from "./common-flags.ts";
import { day, instant, keyValue, listOf, optionOf, type Reader, type Words, wordOf } from "./options.ts";
import type { Problem } from "../src/foundation/errors.ts";
import { joinTexts, SEMICOLON, type Text } from "../src/foundation/text.ts";
import { checkWith } from "../src/foundation/validation.ts";
import { fieldAt, setAt, withNulls } from "../src/operations/body-fields.ts";
import { nameOf, readBytes, readJsonInput, readText } from "./input-files.ts";
import type { ProgramIo } from "./io.ts";
import { askFor } from "./ui/prompt.ts";

/** The values of flags, by commander's names. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** What the command line says, while the appliance is open. */
export interface Given {
  context: CommandContext;
  appliance: Appliance;
  mode: Mode;
  params: Readonly<Record<string, string>>;
  flags: FlagValues;
}

type Query = Pick<Operation, "query">;

/** The flags of the filters: those of the creation, or the others. A list has the flags of pages between them. */
export function filterFlags({ query }: Query, which: "creation" | "others"): Flags {
  const flags = Object.entries(query)
    .filter(
      ([name, parameter]) =>
        name.startsWith("created[") === (which === "creation") && !isOfPages(name, parameter),
    )
    .map(([, parameter]) => flagOf(parameter));
  return {
    ...Object.fromEntries(flags.flat()),
    ...(which === "others" && ISSUED_FROM in query ? MONTH : {}),
  };
}

/** Of every list. */
export const PAGE_FLAGS: Flags = {
  ...Object.fromEntries(Object.values(PAGE_FIELDS).flatMap(flagOf)),
  "--all": { en: "every item, page by page", el: "όλα, σελίδα προς σελίδα" },
};

/** The parameters that `--month` gives. */
const ISSUED_FROM = "issue_date[gte]";
const ISSUED_THROUGH = "issue_date[lte]";

/** A list without pages has a limit of its own. */
function isOfPages(name: string, parameter: QueryField<unknown>): boolean {
  return (PAGE_FIELDS as Operation["query"])[name] === parameter;
}

function flagOf(parameter: QueryField<unknown>): [string, FlagHelp][] {
  const { flag, json } = parameter;
  if (flag === undefined) return [];
  const read = flag.name.endsWith("<merchant>")
    ? undefined
    : json["format"] === "date-time"
      ? instant
      : checkedAs(parameter);
  return [[`--${flag.name}`, { ...flag.help, ...(read === undefined ? {} : { read }) }]];
}

/** Checks values as the API does, and says which words completion can offer. */
function checkedAs(parameter: QueryField<unknown>): Reader {
  const { json, repeats } = parameter;
  return (flag) => {
    const check = (given: string | readonly string[]): unknown => {
      const read = readParameter(parameter, given, flag);
      if ("value" in read) return read.value;
      const { en, el } = read.problems[0]!.message;
      throw new UsageError({ en: `${flag} ${en}`, el: `η ${flag} ${el}` });
    };
    if (json["format"] === "date") return (value) => check(isoDay(value));
    if (!repeats) return Object.assign(check, wordsOf(json));
    const readAll = listOf(String);
    return Object.assign(
      (value: string, previous: never) => check(readAll(value, previous)),
      readAll,
      wordsOf(json),
    );
  };
}

/** A day that is written day first as `YYYY-MM-DD`; anything else as it is. */
function isoDay(value: string): string {
  const read = readDay(value);
  return "value" in read ? read.value : value;
}

function wordsOf(json: Readonly<Record<string, unknown>>): Partial<Words> {
  if (json["type"] === "boolean") return { words: ["true", "false"] };
  const { enum: words } = (json["items"] ?? json) as { enum?: readonly string[] };
  return words === undefined ? {} : { words };
}

/** The values that flags give to the parameters of `operation`; merchants by their ids, and the `customers` that are meant. */
export async function queryOf(
  context: Context,
  mode: Mode,
  { query }: Query,
  flags: FlagValues,
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  let customer: string | undefined;
  for (const [name, parameter] of Object.entries(query)) {
    if (isOfPages(name, parameter) || parameter.flag === undefined) continue;
    const value = flags[optionOf(parameter.flag.name)];
    const isMerchant = parameter.flag.name.endsWith("<merchant>");
    if (parameter.flag.name.endsWith("<customer>")) customer = value as string | undefined;
    else values[name] = isMerchant ? await merchantIdOf(context, value as string | undefined) : value;
  }
  if (customer !== undefined) {
    const { findMeantCustomers } = await import("../src/documents/search-documents.ts");
    const merchantId = values["merchant"] as string | undefined;
    values["customers"] = await findMeantCustomers(context, { mode, merchantId, text: customer });
  }
  if (ISSUED_FROM in query && typeof flags["month"] === "string") {
    const others = ["issued-from", "issued-to"].map((flag) => [flag, flags[optionOf(flag)]]);
    const { from, through } = readMonth(flags["month"], Object.fromEntries(others));
    Object.assign(values, { [ISSUED_FROM]: from, [ISSUED_THROUGH]: through });
  }
  return values;
}

export function bodyFlags(flags: Readonly<Record<string, BodyFlag>> = {}): Flags {
  return Object.fromEntries(
    Object.values(flags).map((flag) => [`--${flag.name}`, { ...flag.help, read: formOf(flag) }]),
  );
}

/** Only reads the form of the value: the operation's schema checks the whole body. */
function formOf({ name, kind, words, isRemovable }: BodyFlag): Reader {
  const offered = words === undefined ? {} : { words };
  if (kind === "pairs") return keyValue;
  if (kind === "integer") return () => (value) => (/^-?\d{1,15}$/.test(value) ? Number(value) : value);
  if (kind === "list") return () => Object.assign(listOf(String), offered);
  if (name.endsWith("<instant>")) return instant;
  if (name.endsWith("<day>"))
    return (flag) => (value) => (value === "" && isRemovable === true ? "" : day(flag)(value));
  return () => Object.assign((value: string) => value, offered);
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
    const name = `--${wordOf(flag.name)}`;
    return formOf(flag)(name)(await askFor(io, undefined, { flag: name, message }), undefined as never);
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
  // Anything that is no word is left for the schema.
  if (meanings !== undefined)
    return (await import("./named-code.ts")).codeMeant(meanings, value, `--${wordOf(name)}`);
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
