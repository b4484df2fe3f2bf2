/** Makes verbs of operations: the flags, their checks, the help, and what is printed. */
import type { Command } from "commander";
import { sameInBoth, type Text } from "../src/foundation/text.ts";
import type { Appliance } from "../src/appliance.ts";
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
import { confirmChange, YES, type YesOption } from "./confirmation.ts";
import { type CommandContext, causeOf } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { addFields, addFlags, type Define, type Flags, type LazyCommand } from "./define.ts";
import { addBodyFlags, addFilters, type FlagValues, queryOf, readBody } from "./flags.ts";
import { IDEMPOTENCY_KEY, printReplayed, useOfKey } from "./common-flags.ts";
import { printLine, printNote } from "./io.ts";
import { addListOptions, type ListOptions, printPage, runList } from "./lists.ts";
import {
  chooseMerchant,
  findMerchant,
  MERCHANT,
  MERCHANT_FILTER,
  merchantIdOf,
} from "./merchants/find-merchant.ts";
import { addExamples } from "./options.ts";
import { printJson } from "./ui/json.ts";
import type { Page } from "../src/foundation/pages.ts";
import { startProgress } from "./ui/progress.ts";
import { printFields } from "./ui/table.ts";

/** What the terminal adds to an operation. */
export interface VerbExtras<Item> {
  /** Flags that are no fields of the operation. */
  flags?: Flags;
  /** What it prints with `--json` besides the fields of the object. */
  fields?: readonly string[];
  /** Above the examples of the help. */
  helpNotes?: Text;
  /** Query parameters from the argument, or from options of every command. */
  queryOf?(argument: string, context: CommandContext): Record<string, unknown>;
  /** Checks the flags, and adds what other options or files say. */
  complete?(context: CommandContext, flags: FlagValues): FlagValues | void | Promise<FlagValues>;
  /** The body, if it is not that of the flags. */
  bodyOf?(given: Given): Promise<unknown>;
  /** The question before a change that cannot be undone, which `--yes` answers. Undefined if this one can be. */
  confirm?(given: Given): Promise<Text | undefined>;
  /** The label of a progress bar. */
  progress?: Text;
  /** Prints the object, with `--json` too, instead of what follows. Returns the exit code if it is not always 0. */
  print?(object: Item, given: Given): Promise<ExitCode | void>;
  /** One line instead of the object's rows. */
  line?(object: Item): Text;
  /** Prints more below the object, for people. */
  after?(object: Item, given: Given): Promise<void>;
  /** Printed on stderr at the end. */
  notes?(object: Item, given: Given): readonly Text[] | Promise<readonly Text[]>;
  /** The exit code, if it is not always 0. */
  end?(object: Item, given: Given): Promise<ExitCode>;
  /** Puts an error of the operation into other words. */
  rephrase?(error: unknown): unknown;
}

/** What the command line says, while the appliance is open. */
export interface Given {
  context: CommandContext;
  appliance: Appliance;
  mode: Mode;
  params: Readonly<Record<string, string>>;
  flags: FlagValues;
}

type AnyOperation = Operation | LocalOperation;

/** The verb of an operation. */
export function verbOf<Query extends QueryFields, Item>(
  operation: OperationDefinition<Query, Item> | LocalDefinition<Query, Item>,
  extras: VerbExtras<Item> = {},
): LazyCommand {
  const { verb } = operation;
  if (verb === undefined) throw new Error(`${operation.id} has no verb`);
  return {
    ...(verb.argument === undefined ? {} : { arguments: `<${verb.argument}>` }),
    ...verb.summary,
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
    addFlags(command, context, extras.flags ?? {});
    if (verb?.takesKey === true) addFlags(command, context, IDEMPOTENCY_KEY);
    if (extras.confirm !== undefined) addFlags(command, context, YES);
    command.action((...given: unknown[]) => {
      context.makesDatabase = verb?.makesDatabase === true ? "with a note" : undefined;
      const call: GivenVerb = {
        operation,
        extras,
        argument: verb?.argument === undefined ? undefined : [given[0]].flat().join(" "),
        flags: command.opts<FlagValues>(),
        findDocument: documents?.findDocument,
      };
      return context.end(isList ? list(context, call) : show(context, call));
    });
    if (extras.helpNotes !== undefined)
      command.addHelpText("after", `\n${context.inLanguage(extras.helpNotes)}`);
    addExamples(command, context, verb?.examples ?? []);
    printsObjectsOf(command, operation);
    if (extras.fields !== undefined) addFields(command, extras.fields);
  };
}

const printedBy = new WeakMap<Command, AnyOperation>();

/** Records that `command` prints the objects of `operation`. */
export function printsObjectsOf(command: Command, operation: AnyOperation): void {
  printedBy.set(command, operation);
  if ("answers" in operation) return addFields(command, operation.fields);
  const { response } = operation;
  if (response.kind !== "file" && "entries" in response.schema)
    addFields(command, Object.keys(response.schema.entries as object));
}

/** The operation that `command` is made of; undefined for a verb written by hand. */
export function operationOf(command: Command): AnyOperation | undefined {
  return printedBy.get(command);
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
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Runs the operation. Returns its response body, and whether an earlier run created the object. */
export async function runOperation(
  operation: AnyOperation,
  { appliance, idempotencyKey: key, ...call }: OpenVerb,
): Promise<{ json: unknown; replayed: boolean }> {
  const result = await operation.handle({
    ...call,
    id: call.params["id"] ?? "",
    customer: call.params["customer"],
    context: appliance,
    body: call.body,
    cause: causeOf(call.mode, key ?? null),
    use: useOfKey(operation.id, key, call.params, call.body),
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
  const given = flags["merchant"] as string | undefined;
  return { ...flags, merchant: await chooseMerchant(context, given, { isOnlyTaken: true }) };
}

async function show(context: CommandContext, given: GivenVerb): Promise<ExitCode> {
  const { operation, extras, argument } = given;
  const completed = (await extras.complete?.(context, given.flags)) ?? given.flags;
  const ofFlags = extras.bodyOf === undefined ? await readBody(context, operation, completed) : undefined;
  const flags: FlagValues & YesOption = await withMerchant(context, { ...given, flags: completed });
  const ofArgument = extras.queryOf?.(argument ?? "", context);
  return context.withAppliance(async (appliance, mode) => {
    const params = await paramsOf(appliance, mode, { ...given, flags });
    const open: Given = { context, appliance, mode, params, flags };
    const question = await extras.confirm?.(open);
    if (question !== undefined && !(await confirmChange(context, flags, question))) return EXIT.failure;
    const query = { ...(await queryOf(appliance, mode, operation, flags)), ...ofArgument };
    const body = (await extras.bodyOf?.(open)) ?? ofFlags;
    const { idempotencyKey } = flags as { idempotencyKey?: string };
    const progress = extras.progress && (await startProgress(context.io, extras.progress));
    const call: OpenVerb = {
      appliance,
      mode,
      params,
      query,
      body,
      idempotencyKey,
      onProgress: progress?.update,
    };
    const { json, replayed } = await runOperation(operation, call)
      .catch((error: unknown) => {
        throw extras.rephrase?.(error) ?? error;
      })
      .finally(progress?.stop);
    if (replayed) await printReplayed(context.io);
    return print((json as { data: unknown }).data, given, open);
  });
}

async function print(object: unknown, { operation, extras }: GivenVerb, given: Given): Promise<ExitCode> {
  const { io, options } = given.context;
  if (extras.print !== undefined) return (await extras.print(object, given)) ?? EXIT.done;
  if (options.json === true) await printJson(io, object);
  else if (extras.line !== undefined) await printLine(io, extras.line(object));
  else if (operation.rows !== undefined) await printFields(io, operation.rows(object));
  if (options.json !== true) await extras.after?.(object, given);
  for (const note of (await extras.notes?.(object, given)) ?? []) await printNote(io, note);
  return (await extras.end?.(object, given)) ?? EXIT.done;
}
