/** Pages that are made of operations: a list with its filters, and one object with its rows. */
import type { Page } from "../../../src/foundation/pages.ts";
import { REQUEST_ID_FORM } from "../../../src/foundation/wire.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { QueryFields } from "../../../src/operations/field.ts";
import type { LocalDefinition, OperationDefinition } from "../../../src/operations/operation.ts";
import { runOperation } from "../../../src/operations/run-operation.ts";
import { LABELS, type Row, type ValueText, type Column as ViewColumn } from "../../../src/operations/view.ts";
import { merchantNames } from "./document-parts.ts";
import { EVENTS, listPage } from "./list-page.ts";
import { dayOf, formatMoney, formatQuantity, timeOf } from "./format.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { capitalised } from "./messages.ts";
import { badge, type Column, live, termList } from "./parts.ts";
import { causeOf, get, type Reply, type Route, type Visit } from "./visit.ts";

export type Runnable<Query extends QueryFields, Item> =
  | OperationDefinition<Query, Item>
  | LocalDefinition<Query, Item>;

/** What an operation answers, by default with the parameters of the page. */
async function answerOf<Query extends QueryFields, Item>(
  visit: Visit,
  operation: Runnable<Query, Item>,
  given: Pick<Parameters<typeof runOperation>[1], "params" | "query" | "body" | "key">,
): Promise<unknown> {
  const { appliance: context, mode, params } = visit;
  const call = { context, mode, cause: causeOf(visit), params, ...given };
  return (await runOperation(operation as Runnable<QueryFields, Item>, call)).response;
}

/** Runs an operation for the person and returns its object. */
export async function run<Query extends QueryFields, Item>(
  visit: Visit,
  operation: Runnable<Query, Item>,
  given: Parameters<typeof answerOf>[2] = {},
): Promise<Item> {
  return ((await answerOf(visit, operation, given)) as { data: Item }).data;
}

/** Runs an operation that returns a page of a list. */
export async function runList<Query extends QueryFields, Item>(
  visit: Visit,
  operation: OperationDefinition<Query, Item>,
  query: object,
  params = visit.params,
): Promise<Page<Item>> {
  return (await answerOf(visit, operation, { params, query })) as Page<Item>;
}

interface OperationList<Query extends QueryFields, Item> {
  title: Text;
  operation: OperationDefinition<Query, Item>;
  /** The pages of its items: `calls` for `/console/calls/:id`. */
  pages: string;
  params?(visit: Visit): Readonly<Record<string, string>>;
  /** Above the list. */
  actions?(visit: Visit): Content;
}

/** The page of a list, with the filters and columns of its operation. */
export function operationList<Query extends QueryFields, Item extends { id: string }>({
  title,
  operation,
  pages,
  params = () => ({}),
  actions,
}: OperationList<Query, Item>): (visit: Visit) => Promise<Reply> {
  const { none, columns } = operation.table!;
  return listPage<Query, Item>({
    title,
    none,
    fields: operation.query,
    find: (visit, query) => runList(visit, operation, query, params(visit)),
    columns: async (visit, items) =>
      viewColumns(visit, columns, { pages, names: await namesIn(visit, items) }),
    actions,
  });
}

type Names = ReadonlyMap<string, string>;

async function namesIn(visit: Visit, items: readonly object[]): Promise<Names> {
  return merchantNames(
    visit,
    items.filter(
      (item): item is { merchant: string } => "merchant" in item && typeof item.merchant === "string",
    ),
  );
}

interface ColumnChoice {
  pages?: string;
  names?: Names;
  /** The heads of columns that say nothing new. */
  without?: readonly unknown[];
}

/** The columns that an operation's list has, without the merchant if one is chosen. The item's name leads to its page in `pages`. */
export function viewColumns<T>(
  visit: Visit,
  columns: readonly ViewColumn<T>[],
  { pages, names, without = [] }: ColumnChoice = {},
): Column<T>[] {
  const hidden = new Set<unknown>([...without, "id", visit.merchant && LABELS.merchant]);
  const shown = columns.filter(({ head }) => !hidden.has(head));
  const name = shown.find(({ isName }) => isName) ?? shown[0];
  return shown.map((column) => {
    const { head, align, isStatus, shortens, value } = column;
    const content = (item: T) => valuePart(value(item), names);
    return {
      head: labelText(head),
      cell:
        column === name && pages !== undefined
          ? (item) => html`<a href="/console/${pages}/${(item as { id: string }).id}">${content(item)}</a>`
          : content,
      isNumber: align === "right",
      isFirm: isStatus === true,
      isLong: shortens === true,
    };
  });
}

/** The rows of one object. */
async function factsOf<Item extends object>(
  visit: Visit,
  { rows }: { rows?(item: Item): readonly Row[] },
  item: Item,
): Promise<Markup> {
  return termList(termsOf(rows!(item), await namesIn(visit, [item])));
}

/** Rows as terms of a list. */
export function termsOf(rows: readonly Row[], names?: Names): [Content, Content][] {
  return rows.map(([label, value]) => [
    labelText(label),
    label === "id" ? html`<code>${String(value)}</code>` : valuePart(value, names),
  ]);
}

/** The rows of the object of the page's path. */
export async function readFacts<Query extends QueryFields, Item extends object>(
  visit: Visit,
  operation: Runnable<Query, Item>,
): Promise<Markup> {
  return factsOf(visit, operation, await run(visit, operation));
}

interface OperationPage<Query extends QueryFields, Item> {
  /** Below /console: `/calls/:id`. */
  path: string;
  operation: Runnable<Query, Item>;
  title(item: NoInfer<Item>): Content;
  /** Below the rows, which the script then refreshes with them. */
  actions?(visit: Visit, item: NoInfer<Item>): Content;
  below?(visit: Visit, item: NoInfer<Item>): Content | Promise<Content>;
}

/** The page of one object, with the rows of its operation. */
export function operationPage<Query extends QueryFields, Item extends object>(
  page: OperationPage<Query, Item>,
): Route {
  const { path, operation, title, actions, below } = page;
  return get(path, async (visit) => {
    const item = await run(visit, operation);
    const rows = await factsOf(visit, operation, item);
    const head =
      actions === undefined
        ? html`<section>${rows}</section>`
        : live("now", html`<section class="stack">${rows}${actions(visit, item)}</section>`);
    return { kind: "page", title: title(item), content: html`${head}${await below?.(visit, item)}` };
  });
}

function labelText(label: Text | string): Content {
  return typeof label === "string" ? label : capitalised(label);
}

/** The objects that have pages, by the prefix of their ids. */
const PAGES: ReadonlyMap<string, string> = new Map([
  ["doc", "documents"],
  ["mer", "merchants"],
  ["con", "connections"],
  ["we", "webhooks"],
  ["evt", "events"],
  ["rql", "requests"],
  ["pcl", "calls"],
]);

/** An id as a link to the page of its object, or to the requests with it; undefined for what is none. */
export function idLink(id: string, names?: Names): Markup | undefined {
  if (REQUEST_ID_FORM.test(id))
    return html`<a href="/console/requests?request_id=${encodeURIComponent(id)}"><code>${id}</code></a>`;
  const page = PAGES.get(/^([a-z]+)_[0-9A-Za-z]{22}$/.exec(id)?.[1] ?? "");
  if (page === undefined) return undefined;
  return html`<a href="/console/${page}/${id}">${names?.get(id) ?? html`<code>${id}</code>`}</a>`;
}

/** Words that are no statuses. */
const PLAIN_WORDS: ReadonlySet<string> = new Set(["yes", "no", "never", "test", "live"]);

/** A value as browsers show it: times of Athens, statuses in colour, ids as links. */
function valuePart(value: Row[1], names?: Names): Content {
  if (value === null || value === "-") return undefined;
  if (typeof value === "string") {
    // A name may be that of a property that every object has.
    if (Object.hasOwn(EVENTS, value)) return html`${EVENTS[value]!} <span class="soft">${value}</span>`;
    return idLink(value, names) ?? value;
  }
  if (typeof value !== "object") return String(value);
  const { of } = value as Partial<ValueText>;
  if (of === undefined) return value;
  return html`${SHOWN[of.kind](of.value, value)}${of.rest}`;
}

const SHOWN: Record<ValueText["of"]["kind"], (made: string, text: Text) => Content> = {
  instant: timeOf,
  day: dayOf,
  amount: (cents) => formatMoney(BigInt(cents)),
  number: formatQuantity,
  word: (word, text) => (PLAIN_WORDS.has(word) ? text : badge(word)),
};
