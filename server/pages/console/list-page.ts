/** Pages of lists: the filters of their operation, the table, and links to newer and older items. */
import { capitalised, TEXTS } from "./messages.ts";
import {
  PAGE_FIELDS,
  parseQuery,
  type QueryFields,
  type QueryValues,
} from "../../../src/operations/field.ts";
import { AppError, validationError } from "../../../src/foundation/errors.ts";
import type { Page } from "../../../src/foundation/pages.ts";
import {
  INCOME_CATEGORY_WORDS,
  INCOME_TYPE_WORDS,
  providerName,
  TYPE_WORDS,
} from "../../../src/domain/document-codes.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { wordText, yesOrNo } from "../../../src/operations/view.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { EVENT_NAMES } from "./messages/resource-messages.ts";
import { type Column, hiddenFields, live, pager, tableOrEmpty } from "./parts.ts";
import type { Reply, Visit, Visitor } from "./visit.ts";
import { type Field, formField } from "./forms.ts";

/** Of a filter that has no limit of its own. */
const FILTER_LENGTH_MAX = 200;

/** One or two screens. */
export const PAGE_SIZE = 25;

const CURSORS = { starting_after: PAGE_FIELDS.starting_after, ending_before: PAGE_FIELDS.ending_before };

export type ListQuery<Fields extends QueryFields> = QueryValues<Fields & typeof CURSORS> & { limit: number };

/** The query of a list page. Empty fields are ignored. Throws `validation_failed`. */
export function readListQuery<Fields extends QueryFields>(
  visitor: Visitor,
  fields: Fields,
): ListQuery<Fields> {
  return { ...readQuery<Fields & typeof CURSORS>(visitor, { ...CURSORS, ...fields }), limit: PAGE_SIZE };
}

/** The query without empty fields, which forms send too. Throws `validation_failed`, which names a field by its label. */
export function readQuery<Fields extends QueryFields>(
  { query }: Visitor,
  fields: Fields,
): QueryValues<Fields> {
  try {
    return parseQuery(fields, new URLSearchParams([...query].filter(([, value]) => value.trim() !== "")));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const placeOf = (path: string) => {
      const { label } = fields[path.replace(/\[\d+\]$/, "")] ?? {};
      return label && capitalised(label);
    };
    throw validationError(error.problems.map((problem) => ({ ...problem, place: placeOf(problem.path) })));
  }
}

/** A field of a filter form. `name` is the query parameter, and a menu gets the option "all". */
export interface FilterField extends Omit<Field, "value"> {
  maxLength?: number | undefined;
}

interface List<Fields extends QueryFields, Item extends { id: string }> {
  title: Text;
  /** The query of the operation. Its fields with a label are filters, except for the time of creation. */
  fields: Fields;
  /** Fields that are read from the address only. */
  notOffered?: readonly (keyof Fields)[];
  /** Instead of an empty list: what to do next. */
  none?: Text;
  hints?: Partial<Record<keyof Fields, Text>>;
  /** Above the list. */
  actions?: ((visit: Visit) => Content) | undefined;
  find(visit: Visit, query: ListQuery<Fields>): Promise<Page<Item>>;
  columns(visit: Visit, items: readonly Item[]): readonly Column<Item>[] | Promise<readonly Column<Item>[]>;
}

export function listPage<Fields extends QueryFields, Item extends { id: string }>({
  title,
  fields,
  find,
  columns,
  notOffered = [],
  none,
  hints = {},
  actions,
}: List<Fields, Item>): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    const page = await find(visit, readListQuery(visit, fields));
    const filters = filtersOf(fields)
      .filter(({ name }) => !notOffered.includes(name))
      .map((one) => {
        const hint: Text | undefined = hints[one.name as keyof Fields];
        return hint === undefined ? one : { ...one, note: hint, look: "wide" };
      });
    const list = listPart(visit, { title, page, columns: await columns(visit, page.data), none });
    return {
      kind: "page",
      title,
      content: html`${filters.length > 0 && filterForm(visit, filters, ["sort"])}${actions !== undefined && html`<div class="actions">${actions(visit)}</div>`}${list}`,
    };
  };
}

interface ListPart<Item extends { id: string }> {
  title: Text;
  page: Page<Item>;
  columns: readonly Column<Item>[];
  /** Above the list. */
  heading?: Content;
  none?: Text | undefined;
}

/** A list with its pager, which the script refreshes. */
export function listPart<Item extends { id: string }>(
  visit: Visit,
  { title, page, columns, heading, none = TEXTS.noneYet }: ListPart<Item>,
): Markup {
  const { query } = visit;
  const isFiltered = [...query].some(([name, value]) => !(name in CURSORS) && value.trim() !== "");
  const empty = isFiltered ? TEXTS.nothingFound : none;
  const list = tableOrEmpty(empty, title, columns, page.data);
  return live("list", html`<section class="listing">${heading}${list}${pager(visit, page)}</section>`);
}

/** The filters of an operation's query, with its labels, words and limits. */
export function filtersOf(fields: QueryFields): FilterField[] {
  return Object.entries(fields).flatMap(([name, { label, json }]): FilterField[] => {
    if (label === undefined || name.startsWith("created[")) return [];
    const { enum: single, items, maxLength, format, type } = json as FieldJson;
    const values = single ?? items?.enum ?? (type === "boolean" ? ["true", "false"] : undefined);
    return [
      {
        name,
        label: capitalised(label),
        type: format === "date" ? "date" : "text",
        maxLength,
        options: values?.map((value) => ({ value, text: capitalised(nameOf(value)) })),
      },
    ];
  });
}

interface FieldJson {
  type?: string;
  enum?: readonly string[];
  items?: { enum?: readonly string[] };
  maxLength?: number;
  format?: string;
}

export const EVENTS: Readonly<Record<string, Text>> = EVENT_NAMES;
const CODES: Readonly<Record<string, Text>> = {
  ...TYPE_WORDS,
  ...INCOME_CATEGORY_WORDS,
  ...INCOME_TYPE_WORDS,
};

/** The name of a status or provider, that of an event with its type, or that of a type of documents with its number. */
export function nameOf(value: string): Text {
  const event = EVENTS[value];
  if (event !== undefined) return { en: `${event.en} (${value})`, el: `${event.el} (${value})` };
  if (value === "*") return TEXTS.all;
  if (value === "true" || value === "false") return yesOrNo(value === "true");
  const code = CODES[value];
  if (code !== undefined) return { en: `${value} ${code.en}`, el: `${value} ${code.el}` };
  return wordText(providerName(value));
}

/** A form that filters the list on the same page; works without scripts. The parameters `kept` stay as they are, also without filters. */
export function filterForm(
  visitor: Visitor,
  fields: readonly FilterField[],
  kept: readonly string[] = [],
): Markup {
  const { here, query } = visitor;
  const others = [...query].filter(([name]) => kept.includes(name));
  const path = here.split("?", 1)[0]!;
  const clear = others.length === 0 ? path : `${path}?${new URLSearchParams(others)}`;
  const controls = fields.map(({ name, options, maxLength = FILTER_LENGTH_MAX, ...shown }) => {
    const value = query.get(name) ?? "";
    if (options === undefined)
      return formField(undefined, { ...shown, name, value, more: html` maxlength="${maxLength}"` });
    const all = [{ value: "", text: TEXTS.all }, ...options];
    return formField(undefined, { ...shown, name, value, options: all });
  });
  return html`<section><form method="get" action="${path}" class="filters" role="search">${hiddenFields(others)}
${controls}<div class="actions"><button class="primary">${TEXTS.filter}</button><a class="button" href="${clear}">${TEXTS.clear}</a></div>
</form></section>`;
}
