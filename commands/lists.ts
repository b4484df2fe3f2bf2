/** The flags of every list, and printing its pages as a table or as a list object. */
import type { Command } from "commander";
import { everyPage, itemsOf, type Page, type PageQuery } from "../src/foundation/pages.ts";
import type { CommandContext } from "./context.ts";
import type { Text } from "../src/foundation/text.ts";
import { UsageError } from "./exit.ts";
import { addFlag } from "./flags.ts";
import { printNote } from "./io.ts";
import { printJson, printJsonList } from "./ui/json.ts";
import { LIMIT_DEFAULT, PAGE_FIELDS } from "../src/operations/field.ts";
import type { Table } from "../src/operations/operation.ts";
import type { Column } from "../src/operations/view.ts";
import { printTable } from "./ui/table.ts";

export interface ListOptions {
  limit?: number;
  startingAfter?: string;
  endingBefore?: string;
  all?: boolean;
}

export function addListOptions(command: Command, context: CommandContext): Command {
  for (const parameter of Object.values(PAGE_FIELDS)) addFlag(command, context, parameter);
  return command.option(
    "--all",
    context.inLanguage({ en: "every item, page by page", el: "όλα, σελίδα προς σελίδα" }),
  );
}

export interface Listing<T> extends Omit<Table<T>, "completedColumns"> {
  columnsOf?(items: readonly T[]): Promise<readonly Column<T>[]>;
  fetch(page: PageQuery): Promise<Page<T>>;
}

/** Prints one page, or every page with `--all`, newest first. */
export async function runList<T extends { id: string }>(
  context: CommandContext,
  options: ListOptions,
  listing: Listing<T>,
): Promise<void> {
  if (options.all === true && options.endingBefore !== undefined) {
    throw new UsageError({
      en: "--all goes from newer to older: use it with --starting-after, not with --ending-before",
      el: "η --all πηγαίνει από τα νεότερα στα παλαιότερα: συνδυάζεται με --starting-after, όχι με --ending-before",
    });
  }
  await (options.all === true
    ? printAll(context, options, listing)
    : printOnePage(context, options, listing));
}

async function printOnePage<T extends { id: string }>(
  context: CommandContext,
  options: ListOptions,
  listing: Listing<T>,
): Promise<void> {
  const page = await listing.fetch({
    limit: options.limit ?? LIMIT_DEFAULT,
    starting_after: options.startingAfter,
    ending_before: options.endingBefore,
  });
  const isJson = context.options.json === true;
  const columns = isJson ? listing.columns : await columnsFor(listing, page.data);
  await printPage(context, page, { ...listing, columns });
  if (page.has_more && !isJson) await printNote(context.io, nextPageHint(options, page.data));
}

/** Prints a list object with `--json`, otherwise a table, or what the table says of an empty one. */
export async function printPage<T>(
  { io, options }: CommandContext,
  page: Page<T>,
  { columns, none }: Pick<Table<T>, "columns" | "none">,
): Promise<void> {
  if (options.json === true) return printJson(io, page);
  if (page.data.length === 0) return printNote(io, none);
  await printTable(io, columns, page.data);
}

async function columnsFor<T>(listing: Listing<T>, items: readonly T[]): Promise<readonly Column<T>[]> {
  return (await listing.columnsOf?.(items)) ?? listing.columns;
}

function nextPageHint(options: ListOptions, data: readonly { id: string }[]): Text {
  return options.endingBefore === undefined
    ? {
        en: `There are more: add --starting-after ${data.at(-1)?.id}, or --all.`,
        el: `Υπάρχουν κι άλλα: προσθέστε --starting-after ${data.at(-1)?.id} ή --all.`,
      }
    : {
        en: `There are more: add --ending-before ${data[0]?.id}.`,
        el: `Υπάρχουν κι άλλα: προσθέστε --ending-before ${data[0]?.id}.`,
      };
}

async function printAll<T extends { id: string }>(
  context: CommandContext,
  options: ListOptions,
  listing: Listing<T>,
): Promise<void> {
  const { io } = context;
  const pages = everyPage(listing.fetch, options.startingAfter);
  if (context.options.json === true) return printJsonList(io, itemsOf(pages), () => false);
  let isEmpty = true;
  for await (const page of pages) {
    if (page.length > 0) await printTable(io, await columnsFor(listing, page), page, { continues: !isEmpty });
    if (page.length > 0) isEmpty = false;
  }
  if (isEmpty) await printNote(io, listing.none);
}
