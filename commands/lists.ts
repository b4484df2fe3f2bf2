/** Prints the pages of a list as a table or as a list object. */
import { everyPage, itemsOf, type Page, type PageQuery } from "../src/foundation/pages.ts";
import type { Text } from "../src/foundation/text.ts";
import { LIMIT_DEFAULT } from "../src/operations/field.ts";
import type { LocalOperation, Operation } from "../src/operations/operation.ts";
import { runOperation } from "../src/operations/run-operation.ts";
import { causeOf } from "./context.ts";
import { UsageError } from "./exit.ts";
import { printNote } from "./io.ts";
import { printJsonList } from "./ui/json.ts";
import { printTable } from "./ui/table.ts";
import type { Given } from "./flags.ts";

interface ListOptions {
  limit?: number;
  startingAfter?: string;
  endingBefore?: string;
  all?: boolean;
}

interface Item {
  id: string;
}

/** Prints one page, or every page with `--all`, newest first. A list without pages is printed whole. */
export async function printList(
  { context, appliance, mode, params, flags }: Given,
  operation: Operation | LocalOperation,
  filters: object,
): Promise<void> {
  const { io, options } = context;
  const { all, limit = LIMIT_DEFAULT, startingAfter, endingBefore } = flags as ListOptions;
  if (all === true && endingBefore !== undefined) throw new UsageError(ALL_FROM_NEWER);
  const fetch = async (page: PageQuery | undefined) => {
    const call = { context: appliance, mode, params, query: { ...filters, ...page }, cause: causeOf(mode) };
    return (await runOperation(operation, call)).response as Page<Item>;
  };
  let only: Page<Item> | undefined;
  async function* pages() {
    if (all === true) return yield* everyPage(fetch, startingAfter);
    const place = { limit, starting_after: startingAfter, ending_before: endingBefore };
    only = await fetch("starting_after" in operation.query ? place : undefined);
    yield only.data;
  }
  if (options.json === true) return printJsonList(io, itemsOf(pages()), () => only?.has_more === true);
  const { columns, completedColumns, none } = operation.table!;
  let isEmpty = true;
  for await (const items of pages()) {
    if (items.length === 0) continue;
    const completed = await completedColumns?.(appliance, items);
    await printTable(io, completed ?? columns, items, { continues: !isEmpty });
    isEmpty = false;
  }
  if (isEmpty) await printNote(io, none);
  if (only?.has_more === true) await printNote(io, nextPageHint(endingBefore, only.data));
}

const ALL_FROM_NEWER: Text = {
  en: "--all goes from newer to older: use it with --starting-after, not with --ending-before",
  el: "η --all πηγαίνει από τα νεότερα στα παλαιότερα: συνδυάζεται με --starting-after, όχι με --ending-before",
};

function nextPageHint(endingBefore: string | undefined, data: readonly Item[]): Text {
  return endingBefore === undefined
    ? {
        en: `There are more: add --starting-after ${data.at(-1)?.id}, or --all.`,
        el: `Υπάρχουν κι άλλα: προσθέστε --starting-after ${data.at(-1)?.id} ή --all.`,
      }
    : {
        en: `There are more: add --ending-before ${data[0]?.id}.`,
        el: `Υπάρχουν κι άλλα: προσθέστε --ending-before ${data[0]?.id}.`,
      };
}
