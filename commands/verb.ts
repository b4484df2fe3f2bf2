/** Makes verbs of operations: the flags, their checks, the help, and what is printed. */
import type { Command } from "commander";
import { sameInBoth, type Text } from "../src/foundation/text.ts";
import type { Context } from "../src/journal/context.ts";
import type { QueryFields } from "../src/operations/field.ts";
import {
  type LocalDefinition,
  type LocalOperation,
  type Operation,
  type OperationDefinition,
  valueOf,
} from "../src/operations/operation.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import { addBodyFlags, readBody } from "./body-flags.ts";
import { confirmChange, YES, type YesOption } from "./confirmation.ts";
import { type CommandContext, causeOf } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { addFlags } from "./define.ts";
import { addFilters, type FlagValues, queryOf } from "./flags.ts";
import { IDEMPOTENCY_KEY, useOfKey, printReplayed } from "./idempotency-key.ts";
import { printLine, printNote } from "./io.ts";
import type { Define, LazyCommand } from "./lazy-commands.ts";
import { addListOptions, type ListOptions, printPage, runList } from "./lists.ts";
import { chooseMerchant, MERCHANT } from "./merchants/choose-merchant.ts";
import { findMerchant, MERCHANT_FILTER, merchantIdOf } from "./merchants/find-merchant.ts";
import { addExamples } from "./options.ts";
import { printJson } from "./ui/json.ts";
import type { Page } from "../src/foundation/pages.ts";
import { printFields } from "./ui/table.ts";

/** What the terminal adds to an operation. */
export interface VerbExtras<Item> {
  /** The question before a change that cannot be undone, which `--yes` answers. Undefined if this one can be. */
  confirm?(given: Asked): Promise<Text | undefined>;
  /** Turns the argument into query parameters. */
  queryOf?(argument: string): Record<string, unknown>;
  /** Adds to the flags what other options say. */
  complete?(context: CommandContext, flags: FlagValues): FlagValues;
  /** One line instead of the object's rows. */
  line?(object: Item): Text;
  /** Prints more below the object, for people. */
  after?(context: CommandContext, object: Item): Promise<void>;
  /** Printed on stderr at the end. */
  notes?(
    object: Item,
    flags: FlagValues,
    context: CommandContext,
  ): readonly Text[] | Promise<readonly Text[]>;
  /** The exit code, if it is not always 0. */
  end?(context: CommandContext, object: Item): Promise<ExitCode>;
  /** Puts an error of the operation into other words. */
  rephrase?(error: unknown): unknown;
}

/** What a question is about. */
export interface Asked {
  appliance: Context;
  mode: Mode;
  params: Readonly<Record<string, string>>;
  flags: FlagValues;
}

type AnyOperation = Operation | LocalOperation;

/** The verb `name` of an operation that needs nothing special. */
export function verbOf<Query extends QueryFields, Item>(
  name: string,
  operation: OperationDefinition<Query, Item> | LocalDefinition<Query, Item>,
  extras: VerbExtras<Item> = {},
): LazyCommand {
  const { verb } = operation;
  if (verb === undefined) throw new Error(`${operation.id} has no verb`);
  return {
    name,
    ...(verb.argument === undefined ? {} : { arguments: `<${verb.argument}>` }),
    summary: verb.summary,
    load: async () => defineVerb(operation as AnyOperation, extras as VerbExtras<unknown>),
  };
}

function isListing(operation: AnyOperation): boolean {
  return "answers" in operation ? operation.answers === "all" : operation.response.kind === "list";
}

async function defineVerb(operation: AnyOperation, extras: VerbExtras<unknown>): Promise<Define> {
  const { verb } = operation;
  const isList = isListing(operation);
  // Documents are named by reference as well, which takes more than the other nouns need.
  const documents = verb?.argument === "document" ? await import("./documents/find-document.ts") : undefined;
  return (command, context) => {
    if (verb?.merchant === "required") addFlags(command, context, MERCHANT);
    if (verb?.merchant === "optional") addFlags(command, context, MERCHANT_FILTER);
    if (documents !== undefined) addFlags(command, context, documents.REFERENCE_OWNER);
    addFilters(command, context, operation, "others");
    addBodyFlags(command, context, verb?.flags ?? {});
    if ("starting_after" in operation.query) {
      addListOptions(command, context);
      addFilters(command, context, operation, "creation");
    }
    if (verb?.takesKey === true) addFlags(command, context, IDEMPOTENCY_KEY);
    if (extras.confirm !== undefined) addFlags(command, context, YES);
    command.action((...given: unknown[]) => {
      const call: GivenVerb = {
        operation,
        extras,
        argument: verb?.argument === undefined ? undefined : [given[0]].flat().join(" "),
        flags: command.opts<FlagValues>(),
        findDocument: documents?.findDocument,
      };
      return context.end(isList ? list(context, call) : show(context, call));
    });
    addExamples(command, context, verb?.examples ?? []);
    printsObjectsOf(command, operation);
  };
}

const printedBy = new WeakMap<Command, AnyOperation>();

/** Records that `command` prints the objects of `operation`. */
export function printsObjectsOf(command: Command, operation: AnyOperation): void {
  printedBy.set(command, operation);
}

/** The operation that `command` is made of; undefined for a verb written by hand. */
export function operationOf(command: Command): AnyOperation | undefined {
  return printedBy.get(command);
}

/** The fields of the objects that a verb made of an operation prints. */
export function fieldsOfVerb(command: Command): string[] | undefined {
  const operation = operationOf(command);
  if (operation === undefined) return undefined;
  if ("answers" in operation) return [...operation.fields];
  const { response } = operation;
  if (response.kind === "file" || !("entries" in response.schema)) return undefined;
  return Object.keys(response.schema.entries as object);
}

interface GivenVerb {
  operation: AnyOperation;
  extras: VerbExtras<unknown>;
  argument: string | undefined;
  flags: FlagValues;
  findDocument: typeof import("./documents/find-document.ts").findDocument | undefined;
}

interface OpenVerb {
  appliance: Context;
  mode: Mode;
  params: Readonly<Record<string, string>>;
  query: Record<string, unknown>;
  body?: unknown;
  idempotencyKey?: string | undefined;
}

/** Runs the operation. Returns its response body, and whether an earlier run created the object. */
export async function runOperation(
  operation: AnyOperation,
  { appliance, mode, params, query, body, idempotencyKey: key }: OpenVerb,
): Promise<{ json: unknown; replayed: boolean }> {
  const result = await operation.handle({
    context: appliance,
    mode,
    params,
    query,
    body,
    cause: causeOf(mode, key ?? null),
    use: useOfKey(operation.id, key, params, body),
    countLookup: async () => {},
  });
  return { json: valueOf(result), replayed: result.replayed };
}

/** What the argument and `--merchant` name. */
async function paramsOf(
  context: Context,
  mode: Mode,
  { operation: { verb }, argument, flags, findDocument }: GivenVerb,
): Promise<Record<string, string>> {
  const { merchant } = flags as { merchant?: string };
  if (verb?.merchant !== undefined) {
    const id = await merchantIdOf(context, merchant);
    const own: Record<string, string> = argument === undefined ? {} : { [verb.argument!]: argument };
    return id === undefined ? own : { id, ...own };
  }
  if (argument === undefined) return {};
  if (verb?.argument === "merchant") return { id: (await findMerchant(context, argument)).id };
  if (findDocument === undefined) return { id: argument };
  return { id: (await findDocument(context, mode, argument, merchant === undefined ? {} : { merchant })).id };
}

async function list(context: CommandContext, given: GivenVerb): Promise<void> {
  const { operation } = given;
  const { table = { none: sameInBoth(""), columns: [] } } = operation;
  const flags = await withMerchant(context, given);
  await context.withAppliance(async (appliance, mode) => {
    const params = await paramsOf(appliance, mode, { ...given, flags });
    const filters = await queryOf(appliance, mode, operation, flags);
    const fetch = async (page: object) => {
      const query = { ...filters, ...page };
      const { json } = await runOperation(operation, { appliance, mode, params, query });
      return json as Page<{ id: string }>;
    };
    if ("answers" in operation) return printPage(context, await fetch({}), table);
    const { completedColumns } = table;
    await runList(context, flags as ListOptions, {
      ...table,
      ...(completedColumns === undefined ? {} : { columnsOf: (items) => completedColumns(appliance, items) }),
      fetch,
    });
  });
}

/** The flags, after asking for a merchant that is missing. */
async function withMerchant(
  context: CommandContext,
  { operation: { verb }, flags }: GivenVerb,
): Promise<FlagValues> {
  if (verb?.merchant !== "required") return flags;
  return { ...flags, merchant: await chooseMerchant(context, flags["merchant"] as string | undefined) };
}

async function show(context: CommandContext, given: GivenVerb): Promise<ExitCode> {
  const { io } = context;
  const { operation, extras, argument } = given;
  const completed = extras.complete?.(context, given.flags) ?? given.flags;
  const body = await readBody(context, operation, completed);
  const flags: FlagValues & YesOption = await withMerchant(context, { ...given, flags: completed });
  const ofArgument = argument === undefined ? undefined : extras.queryOf?.(argument);
  const done = await context.withAppliance(async (appliance, mode) => {
    const params = await paramsOf(appliance, mode, { ...given, flags });
    const question = await extras.confirm?.({ appliance, mode, params, flags });
    if (question !== undefined && !(await confirmChange(context, flags, question))) return undefined;
    const query = { ...(await queryOf(appliance, mode, operation, flags)), ...ofArgument };
    const idempotencyKey = (flags as { idempotencyKey?: string }).idempotencyKey;
    try {
      return await runOperation(operation, { appliance, mode, params, query, body, idempotencyKey });
    } catch (error) {
      throw extras.rephrase?.(error) ?? error;
    }
  });
  if (done === undefined) return EXIT.failure;
  if (done.replayed) await printReplayed(io);
  const { data: object } = done.json as { data: unknown };
  if (context.options.json === true) await printJson(io, object);
  else if (extras.line !== undefined) await printLine(io, extras.line(object));
  else if (operation.rows !== undefined) await printFields(io, operation.rows(object));
  if (context.options.json !== true) await extras.after?.(context, object);
  for (const note of (await extras.notes?.(object, flags, context)) ?? []) await printNote(io, note);
  return (await extras.end?.(context, object)) ?? EXIT.done;
}
