/** Prints the pages of a list as a table or as a list object. */
import { everyPage, itemsOf, type Page, type PageQuery } from "../src/foundation/pages.ts";
import type { Text } from "../src/foundation/text.ts";
import { LIMIT_DEFAULT } from "../src/operations/field.ts";
import type { LocalOperation, Operation } from "../src/operations/operation.ts";
import { runOperation } from "../src/operations/run-operation.ts";
import { causeOf } from "./context.ts";
import { UsageError } from "./exit.ts";
import { printNote } from "./io.ts";
import { printJson, printJsonList } from "./ui/json.ts";
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
  const table = operation.table;
  const fetch = async (page: PageQuery | undefined) => {
    const call = { context: appliance, mode, params, query: { ...filters, ...page }, cause: causeOf(mode) };
    return (await runOperation(operation, call)).response as Page<Item>;
  };
  const columnsFor = async (items: readonly Item[]) =>
    (await table?.completedColumns?.(appliance, items)) ?? table?.columns ?? [];
  if (all === true) {
    if (endingBefore !== undefined) throw new UsageError(ALL_FROM_NEWER);
    const pages = everyPage(fetch, startingAfter);
    if (options.json === true) return printJsonList(io, itemsOf(pages), () => false);
    let isEmpty = true;
    for await (const items of pages) {
      if (items.length === 0) continue;
      await printTable(io, await columnsFor(items), items, { continues: !isEmpty });
      isEmpty = false;
    }
    if (isEmpty && table !== undefined) await printNote(io, table.none);
    return;
  }
  const isPaged = "starting_after" in operation.query;
  const page = await fetch(
    isPaged ? { limit, starting_after: startingAfter, ending_before: endingBefore } : undefined,
  );
  if (options.json === true) return printJson(io, page);
  if (page.data.length > 0) await printTable(io, await columnsFor(page.data), page.data);
  else if (table !== undefined) await printNote(io, table.none);
  if (page.has_more) await printNote(io, nextPageHint(endingBefore, page.data));
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
