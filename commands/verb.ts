/** Makes verbs of operations: the flags, their checks, the help, and what is printed. */
import type { Text } from "../src/foundation/text.ts";
import type { Context } from "../src/journal/context.ts";
import type { QueryFields } from "../src/operations/field.ts";
import type {
  LocalDefinition,
  LocalOperation,
  Operation,
  OperationDefinition,
  Verb,
} from "../src/operations/operation.ts";
import { runOperation } from "../src/operations/run-operation.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import { confirmChange, YES, type YesOption } from "./confirmation.ts";
import { type CommandContext, causeOf } from "./context.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { type Define, type Flags, type LazyCommand, type Outcome, verb } from "./define.ts";
import {
  bodyFlags,
  filterFlags,
  type FlagValues,
  type Given,
  PAGE_FLAGS,
  queryOf,
  readBody,
} from "./flags.ts";
import { IDEMPOTENCY_KEY, printReplayed } from "./common-flags.ts";
import { printLine } from "./io.ts";
import { printList } from "./lists.ts";
import {
  chooseMerchant,
  findMerchant,
  MERCHANT,
  MERCHANT_FILTER,
  merchantIdOf,
  type MerchantOption,
} from "./merchants/find-merchant.ts";
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
  /** What a provider has against the object, printed on stderr with `--quiet` too. If there is anything, the exit code is 4. */
  refusals?(object: Item): readonly Text[];
  /** Puts an error of the operation into other words. */
  rephrase?(error: unknown): unknown;
}

type AnyOperation = Operation | LocalOperation;

/** The verb of an operation. */
export function verbOf<Query extends QueryFields, Item>(
  operation: OperationDefinition<Query, Item> | LocalDefinition<Query, Item>,
  extras: VerbExtras<Item> = {},
): LazyCommand {
  const { verb: own } = operation;
  if (own === undefined) throw new Error(`${operation.id} has no verb`);
  return {
    ...(own.argument === undefined ? {} : { arguments: `<${own.argument}>` }),
    ...own.summary,
    operation: operation as AnyOperation,
    load: async () => loadVerb(operation as AnyOperation, own, extras as VerbExtras<unknown>),
  };
}

type FindDocument = typeof import("./documents/find-document.ts").findDocument;

async function loadVerb(operation: AnyOperation, own: Verb, extras: VerbExtras<unknown>): Promise<Define> {
  const { argument, merchant, flags, takesKey, makesDatabase, examples } = own;
  // Documents are named by reference as well, which takes more than the other nouns need.
  const documents = argument === "document" ? await import("./documents/find-document.ts") : undefined;
  return verb({
    flags: {
      ...(merchant === "required" ? MERCHANT : {}),
      ...(merchant === "optional" ? MERCHANT_FILTER : {}),
      ...documents?.REFERENCE_OWNER,
      ...filterFlags(operation, "others"),
      ...bodyFlags(flags),
      ...("starting_after" in operation.query
        ? { ...PAGE_FLAGS, ...filterFlags(operation, "creation") }
        : {}),
      ...extras.flags,
      ...(takesKey === true ? IDEMPOTENCY_KEY : {}),
      ...(extras.confirm === undefined ? {} : YES),
    },
    ...(extras.helpNotes === undefined ? {} : { notes: extras.helpNotes }),
    examples,
    ...(makesDatabase === true ? { makesDatabase } : {}),
    fields: [...fieldsOf(operation), ...(extras.fields ?? [])],
    run(context, given: FlagValues, ...words) {
      const made = { operation, extras, findDocument: documents?.findDocument };
      return run(context, made, argument === undefined ? undefined : words.flat().join(" "), given);
    },
  });
}

/** The fields of what `operation` prints with `--json`. */
export function fieldsOf(operation: AnyOperation): readonly string[] {
  if ("answers" in operation) return operation.fields;
  const { response } = operation;
  return response.kind !== "file" && "entries" in response.schema
    ? Object.keys(response.schema.entries as object)
    : [];
}

interface Made {
  operation: AnyOperation;
  extras: VerbExtras<unknown>;
  findDocument: FindDocument | undefined;
}

async function run(
  context: CommandContext,
  made: Made,
  argument: string | undefined,
  given: FlagValues,
): Promise<Outcome | ExitCode | void> {
  const { operation, extras } = made;
  const completed = (await extras.complete?.(context, given)) ?? given;
  const ofFlags = extras.bodyOf === undefined ? await readBody(context, operation, completed) : undefined;
  const flags = await withMerchant(context, operation, completed);
  const ofArgument = extras.queryOf?.(argument ?? "", context);
  return context.withAppliance(async (appliance, mode) => {
    const params = await paramsOf(appliance, mode, made, argument, flags);
    const open: Given = { context, appliance, mode, params, flags };
    const question = await extras.confirm?.(open);
    if (question !== undefined && !(await confirmChange(context, flags, question))) return EXIT.failure;
    const query = { ...(await queryOf(appliance, mode, operation, flags)), ...ofArgument };
    if (isListing(operation)) return printList(open, operation, query);
    const body = (await extras.bodyOf?.(open)) ?? ofFlags;
    const { idempotencyKey: key } = flags as { idempotencyKey?: string };
    const progress = extras.progress && (await startProgress(context.io, extras.progress));
    const cause = causeOf(mode, key);
    const call = { context: appliance, mode, params, query, body, key, cause, onProgress: progress?.update };
    const { response, replayed } = await runOperation(operation, call)
      .catch((error: unknown) => {
        throw extras.rephrase?.(error) ?? error;
      })
      .finally(progress?.stop);
    if (replayed) await printReplayed(context.io);
    return outcomeOf((response as { data: unknown }).data, made, open);
  });
}

/** The flags, after asking for a merchant that is missing. */
async function withMerchant(
  context: CommandContext,
  { verb: own }: AnyOperation,
  flags: FlagValues & MerchantOption,
): Promise<FlagValues & YesOption> {
  if (own?.merchant !== "required") return flags;
  return { ...flags, merchant: await chooseMerchant(context, flags.merchant, { isOnlyTaken: true }) };
}

/** What the argument and `--merchant` name. */
async function paramsOf(
  context: Context,
  mode: Mode,
  { operation: { verb: own }, findDocument }: Made,
  argument: string | undefined,
  { merchant }: FlagValues & MerchantOption,
): Promise<Record<string, string>> {
  if (own?.merchant !== undefined) {
    const id = await merchantIdOf(context, merchant);
    const named: Record<string, string> = argument === undefined ? {} : { [own.argument!]: argument };
    return id === undefined ? named : { id, ...named };
  }
  if (argument === undefined) return {};
  if (own?.argument === "merchant") return { id: (await findMerchant(context, argument)).id };
  if (findDocument === undefined) return { id: argument };
  return { id: (await findDocument(context, mode, argument, { merchant })).id };
}

function isListing(operation: AnyOperation): boolean {
  return "answers" in operation ? operation.answers === "all" : operation.response.kind === "list";
}

async function outcomeOf(
  object: unknown,
  { operation, extras }: Made,
  given: Given,
): Promise<Outcome | ExitCode | void> {
  const { io } = given.context;
  if (extras.print !== undefined) return extras.print(object, given);
  const refusals = extras.refusals?.(object) ?? [];
  return {
    object,
    async shown() {
      if (extras.line !== undefined) await printLine(io, extras.line(object));
      else if (operation.rows !== undefined) await printFields(io, operation.rows(object));
      await extras.after?.(object, given);
    },
    notes: (await extras.notes?.(object, given)) ?? [],
    problems: refusals,
    exitCode: refusals.length === 0 ? EXIT.done : EXIT.refused,
  };
}
