/** Makes verbs of operations: the flags, their checks, the help, and what is printed. */
import type { Command } from "commander";
import { sameInBoth } from "../src/foundation/text.ts";
import type { Context } from "../src/journal/context.ts";
import type { QueryFields } from "../src/operations/field.ts";
import type { Operation, OperationDefinition } from "../src/operations/operation.ts";
import type { Mode } from "../storage/stored-values.ts";
import { type CommandContext, causeOf } from "./context.ts";
import { addCreationFilters, addFilters, type FlagValues, queryOf } from "./flags.ts";
import type { LazyCommand } from "./lazy-commands.ts";
import { addListOptions, type ListOptions, runList } from "./lists.ts";
import { findMerchant } from "./merchants/find-merchant.ts";
import { addExamples } from "./options.ts";
import { printObject } from "./results.ts";

export interface VerbExtras<Item> {
  /** Prints more below the rows of the object, for people. */
  after?(context: CommandContext, object: Item): Promise<void>;
}

/** The verb `name` of an operation that needs nothing special. */
export function verbOf<Query extends QueryFields, Item>(
  name: string,
  operation: OperationDefinition<Query, Item>,
  extras: VerbExtras<Item> = {},
): LazyCommand {
  const { verb } = operation;
  if (verb === undefined) throw new Error(`${operation.id} has no verb`);
  return {
    name,
    ...(verb.argument === undefined ? {} : { arguments: `<${verb.argument}>` }),
    summary: verb.summary,
    load: async () => (command, context) => {
      const erased = operation as Operation;
      const isList = erased.response.kind === "list";
      addFilters(command, context, erased);
      if (isList) {
        addListOptions(command, context);
        addCreationFilters(command, context, erased);
      }
      command.action((...given: unknown[]) => {
        const argument = verb.argument === undefined ? undefined : String(given[0]);
        const call = { argument, flags: command.opts<FlagValues>() };
        return context.end(
          isList ? list(context, erased, call) : show(context, erased, call, extras as VerbExtras<unknown>),
        );
      });
      addExamples(command, context, ...verb.examples);
      printsObjectsOf(command, erased);
    },
  };
}

const printedBy = new WeakMap<Command, Operation>();

/** Records that `command` prints the objects of `operation`. */
export function printsObjectsOf(command: Command, operation: Operation): void {
  printedBy.set(command, operation);
}

/** The fields of the objects that a verb made of an operation prints. */
export function fieldsOfVerb(command: Command): string[] | undefined {
  const response = printedBy.get(command)?.response;
  if (response === undefined || response.kind === "file" || !("entries" in response.schema)) return undefined;
  return Object.keys(response.schema.entries as object);
}

interface GivenVerb {
  argument: string | undefined;
  flags: FlagValues;
}

interface OpenVerb {
  appliance: Context;
  mode: Mode;
  params: Readonly<Record<string, string>>;
  query: Record<string, unknown>;
}

/** Runs the operation and returns its response body. */
export async function runOperation(
  operation: Operation,
  { appliance, mode, params, query }: OpenVerb,
): Promise<unknown> {
  const { json } = await operation.handle({
    context: appliance,
    mode,
    params,
    query,
    body: undefined,
    cause: causeOf(mode),
    claim: undefined,
    countLookup: async () => {},
  });
  return JSON.parse(json) as unknown;
}

async function paramsOf(
  context: Context,
  { verb }: Operation,
  name: string | undefined,
): Promise<Record<string, string>> {
  if (name === undefined) return {};
  return { id: verb?.argument === "merchant" ? (await findMerchant(context, name)).id : name };
}

async function list(context: CommandContext, operation: Operation, given: GivenVerb): Promise<void> {
  const { table = { none: sameInBoth(""), columns: [] } } = operation;
  await context.withAppliance(async (appliance, mode) => {
    const params = await paramsOf(appliance, operation, given.argument);
    const filters = await queryOf(appliance, operation, given.flags);
    await runList(context, given.flags as ListOptions, {
      ...table,
      fetch: async (page) =>
        (await runOperation(operation, { appliance, mode, params, query: { ...filters, ...page } })) as never,
    });
  });
}

async function show(
  context: CommandContext,
  operation: Operation,
  given: GivenVerb,
  { after }: VerbExtras<unknown>,
): Promise<void> {
  const { data: object } = await context.withAppliance(async (appliance, mode) => {
    const params = await paramsOf(appliance, operation, given.argument);
    const query = await queryOf(appliance, operation, given.flags);
    return (await runOperation(operation, { appliance, mode, params, query })) as { data: unknown };
  });
  await printObject(context, object, operation.rows?.(object) ?? []);
  if (context.options.json !== true) await after?.(context, object);
}
