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
import { withProgress } from "./ui/progress.ts";
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
    async run(context, given: FlagValues, ...words) {
      const name = words.flat().join(" ");
      const completed = (await extras.complete?.(context, given)) ?? given;
      const ofFlags = extras.bodyOf === undefined ? await readBody(context, operation, completed) : undefined;
      const named: FlagValues & MerchantOption & YesOption =
        merchant === "required" ? await withMerchant(context, completed) : completed;
      const ofArgument = extras.queryOf?.(name, context);
      return context.withAppliance(async (appliance, mode) => {
        const params = documents
          ? { id: (await documents.findDocument(appliance, mode, name, named)).id }
          : await paramsOf(appliance, own, name, named);
        const open: Given = { context, appliance, mode, params, flags: named };
        const question = await extras.confirm?.(open);
        if (question !== undefined && !(await confirmChange(context, named, question))) return EXIT.failure;
        const query = { ...(await queryOf(appliance, mode, operation, named)), ...ofArgument };
        if (operation.table !== undefined) return printList(open, operation, query);
        const body = (await extras.bodyOf?.(open)) ?? ofFlags;
        return run(operation, extras, open, { query, body });
      });
    },
  });
}

/** The fields of what `operation` prints with `--json`. */
export function fieldsOf(operation: AnyOperation): readonly string[] {
  if ("fields" in operation) return operation.fields;
  const { response } = operation;
  return response.kind !== "file" && "entries" in response.schema
    ? Object.keys(response.schema.entries as object)
    : [];
}

/** The flags, after asking for a merchant that is missing. */
async function withMerchant(context: CommandContext, flags: FlagValues & MerchantOption) {
  return { ...flags, merchant: await chooseMerchant(context, flags.merchant, { isOnlyTaken: true }) };
}

/** What the argument and `--merchant` name. */
async function paramsOf(
  context: Context,
  { argument, merchant: place }: Verb,
  name: string,
  { merchant }: MerchantOption,
): Promise<Record<string, string>> {
  if (place !== undefined) {
    const id = await merchantIdOf(context, merchant);
    return { ...(id === undefined ? {} : { id }), ...(argument === undefined ? {} : { [argument]: name }) };
  }
  if (argument === undefined) return {};
  return { id: argument === "merchant" ? (await findMerchant(context, name)).id : name };
}

async function run(
  operation: AnyOperation,
  extras: VerbExtras<unknown>,
  given: Given,
  input: { query: object; body: unknown },
): Promise<Outcome | ExitCode | void> {
  const { context, appliance, mode, params, flags } = given;
  const { io } = context;
  const { idempotencyKey: key } = flags as { idempotencyKey?: string };
  const call = { context: appliance, mode, params, ...input, key, cause: causeOf(mode, key) };
  const { response, replayed } = await (extras.progress === undefined
    ? runOperation(operation, call)
    : withProgress(io, extras.progress, ({ update: onProgress }) =>
        runOperation(operation, { ...call, onProgress }),
      ));
  if (replayed) await printReplayed(io);
  const { data: object } = response as { data: unknown };
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
