/** Flags made of the parameters of operations, with the API's own checks. */
import type { Command } from "commander";
import { readDay } from "../src/foundation/days.ts";
import { PAGE_FIELDS, type QueryField, readParameter } from "../src/operations/field.ts";
import type { Context } from "../src/journal/context.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import type { Operation } from "../src/operations/operation.ts";
import type { CommandContext } from "./context.ts";
import { UsageError } from "./exit.ts";
import { merchantIdOf } from "./merchants/find-merchant.ts";
import { addFlags } from "./define.ts";
import { MONTH, readMonth } from "./issue-dates.ts";
import { instant } from "./options.ts";

/** The values of flags, by commander's names. */
export type FlagValues = Readonly<Record<string, unknown>>;

/** Adds the flags of the filters: those of the creation, or the others. A list has the flags of pages between them. */
export function addFilters(
  command: Command,
  context: CommandContext,
  { query }: Pick<Operation, "query">,
  which: "creation" | "others",
): void {
  for (const [name, parameter] of Object.entries(query)) {
    const isWanted = name.startsWith("created[") === (which === "creation");
    if (isWanted && !isOfPages(name, parameter)) addFlag(command, context, parameter);
  }
  if (which === "others" && ISSUED_FROM in query) addFlags(command, context, MONTH);
}

/** The parameters that `--month` gives. */
const ISSUED_FROM = "issue_date[gte]";
const ISSUED_THROUGH = "issue_date[lte]";

/** A list without pages has a limit of its own. */
function isOfPages(name: string, parameter: QueryField<unknown>): boolean {
  return (PAGE_FIELDS as Operation["query"])[name] === parameter;
}

export function addFlag(
  command: Command,
  { inLanguage }: CommandContext,
  parameter: QueryField<unknown>,
): void {
  const { flag } = parameter;
  if (flag !== undefined)
    command.option(`--${flag.name}`, inLanguage(flag.help), parserOf(`--${wordOf(flag.name)}`, parameter));
}

/** `document <id>` → `document`. */
export function wordOf(name: string): string {
  return name.split(" ", 1)[0] ?? "";
}

/** `created-from <instant>` → `createdFrom`, as commander names its value. */
export function optionOf(name: string): string {
  return wordOf(name).replaceAll(/-(\w)/g, (_dash, letter: string) => letter.toUpperCase());
}

type Parser = (value: string, previous: unknown) => unknown;

/** Checks values as the API does, and says which words completion can offer. A day will do for an instant. */
function parserOf(flag: string, parameter: QueryField<unknown>): Parser {
  const { json, repeats, flag: { name = "" } = {} } = parameter;
  if (name.endsWith("<merchant>")) return (value) => value;
  if (json["format"] === "date-time") return instant(flag);
  if (json["format"] === "date") return (value) => check(flag, parameter, isoDay(value));
  const words = wordsOf(json);
  if (!repeats) return Object.assign((value: string) => check(flag, parameter, value), words);
  const readAll = (value: string, previous: unknown) => {
    const items = value.split(",").map((word) => word.trim());
    return check(flag, parameter, [...((previous as string[] | undefined) ?? []), ...items]);
  };
  return Object.assign(readAll, words, { isRepeatable: true });
}

/** A day that is written day first as `YYYY-MM-DD`; anything else as it is. */
function isoDay(value: string): string {
  const read = readDay(value);
  return "value" in read ? read.value : value;
}

function wordsOf(json: Readonly<Record<string, unknown>>): { words?: readonly string[] } {
  if (json["type"] === "boolean") return { words: ["true", "false"] };
  const { enum: words } = (json["items"] ?? json) as { enum?: readonly string[] };
  return words === undefined ? {} : { words };
}

function check(flag: string, parameter: QueryField<unknown>, given: string | string[]): unknown {
  const read = readParameter(parameter, given, flag);
  if ("value" in read) return read.value;
  const { en, el } = read.problems[0]!.message;
  throw new UsageError({ en: `${flag} ${en}`, el: `η ${flag} ${el}` });
}

/** The values that flags give to the parameters of `operation`; merchants by their ids, and the `customers` that are meant. */
export async function queryOf(
  context: Context,
  mode: Mode,
  { query }: Pick<Operation, "query">,
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
    const { findMeantCustomers } = await import("../src/documents/document-customers.ts");
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
