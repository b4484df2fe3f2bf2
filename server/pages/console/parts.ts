/** Building blocks of the pages: tables, fact lists, buttons, pagers. */
import { capitalised, inEach, TEXTS } from "./messages.ts";
import type { Page as ListPage } from "../../../src/foundation/pages.ts";
import type { ErrorObject } from "../../../src/foundation/errors.ts";
import { textOfError } from "../../../src/foundation/stored-texts.ts";
import type { Text } from "../../../src/foundation/text.ts";
import { type Content, html, type Markup } from "../markup.ts";
import type { Visitor } from "./visit.ts";
import { wordText } from "../../../src/operations/view.ts";

/** A part of a page that the script refreshes. `id` is unique on the page. */
export function live(id: string, content: Content): Markup {
  return html`<div id="${id}" data-live>${content}</div>`;
}

/** A status in the colour of its meaning. */
export function badge(status: string): Markup {
  return html`<span class="badge badge-${status}">${statusName(status)}</span>`;
}

export function statusName(status: string): Text {
  return capitalised(statusWord(status));
}

/** The same inside a sentence. */
export function statusWord(status: string): Text {
  return inEach(wordText(status), (word) => word.replaceAll("_", " "));
}

/** What is wrong, or was refused. It takes the focus, and screen readers read it. */
export function alert(content: Content): Markup {
  return html`<div class="problem" role="alert" tabindex="-1" autofocus>${content}</div>`;
}

export function hiddenFields(fields: Iterable<readonly [name: string, value: string]>): Markup[] {
  return [...fields].map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

export interface Option {
  value: string;
  text: Content;
}

export function menuOptions(options: readonly Option[], chosen: string | undefined): Markup[] {
  return options.map(
    ({ value, text }) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
}

export interface Sorting {
  to: string;
  /** The present order, if it is by this column. */
  order: "ascending" | "descending" | undefined;
}

export interface Column<T> {
  head: Content;
  /** Its head is a link that sorts. */
  sorting?: Sorting | undefined;
  cell(item: T): Content;
  /** Aligned right, for amounts and counts. */
  isNumber?: boolean;
  /** Never wrapped, for short values. */
  isFirm?: boolean;
  /** Cut off where the table is too wide, for names. */
  isLong?: boolean;
  /** Below the items. */
  total?: Content;
  /** Its head is only for screen readers and small screens. */
  isPlain?: boolean;
}

function isNothing(content: Content): boolean {
  if (content === null || content === undefined || content === false || content === "") return true;
  return typeof content === "object" && "en" in content && content.en === "";
}

type Look = Pick<Column<never>, "head" | "isNumber" | "isFirm" | "isLong">;

function cellHtml({ head, isNumber, isFirm, isLong }: Look, content: Content): Markup {
  const look =
    isNumber === true
      ? html` class="number"`
      : isFirm === true
        ? html` class="firm"`
        : isLong === true && html` class="long"`;
  // In the card layout the content must be a single element next to its head.
  const inside = !isNothing(content) && html`<div>${content}</div>`;
  return html`<td role="cell" data-head="${head}"${look}>${inside}</td>`;
}

/** A table that becomes a list of cards on narrow screens. The card layout loses the implicit roles, so they are explicit. */
export function table<T>(caption: Content, columns: readonly Column<T>[], items: readonly T[]): Markup {
  const heads = columns.map(({ head, isNumber, isPlain, sorting }) => {
    const text = isPlain === true ? html`<span class="unseen">${head}</span>` : head;
    const sign = sorting?.order === undefined ? "" : sorting.order === "ascending" ? " ↑" : " ↓";
    return html`<th role="columnheader" scope="col"${isNumber === true && html` class="number"`}${sorting?.order && html` aria-sort="${sorting.order}"`}>${sorting === undefined ? text : html`<a href="${sorting.to}">${text}${sign}</a>`}</th>`;
  });
  const rows = items.map(
    (item) => html`<tr role="row">${columns.map((column) => cellHtml(column, column.cell(item)))}</tr>\n`,
  );
  const totals =
    columns.some(({ total }) => total !== undefined) &&
    html`<tfoot role="rowgroup"><tr role="row">${columns.map((column) => cellHtml(column, column.total))}</tr></tfoot>`;
  return html`<table role="table">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody>
${totals}</table>`;
}

export function tableOrEmpty<T>(
  empty: Content,
  caption: Content,
  columns: readonly Column<T>[],
  items: readonly T[],
): Markup {
  return items.length === 0 ? html`<p class="empty">${empty}</p>` : table(caption, columns, items);
}

/** A list of terms and values; entries without a value are left out. */
export function termList(entries: readonly (readonly [Content, Content])[]): Markup {
  const shown = entries.filter(([, value]) => !isNothing(value));
  return html`<dl class="terms">${shown.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export interface ActionButton {
  action: string;
  label: Content;
  /** What it acts on, for screen readers. */
  about?: Content;
  fields?: Readonly<Record<string, string>>;
  isDangerous?: boolean;
}

/** A link to a page that only offers a form. Nothing in a read-only session. */
export function formLink(
  { isReadOnly }: Visitor,
  to: string,
  label: Content,
  look: "button" | "button primary" | "button danger" = "button",
): Markup | undefined {
  return isReadOnly ? undefined : html`<a class="${look}" href="${to}">${label}</a>`;
}

/** A form with one button; nothing in a read-only session. Afterwards it returns to the current page unless `fields` contain another `next`. */
export function actionButton(
  visitor: Visitor,
  { action, label, about, fields, isDangerous }: ActionButton,
): Markup {
  if (visitor.isReadOnly) return html``;
  const hidden = hiddenFields(Object.entries({ csrf: visitor.csrf, next: visitor.here, ...fields }));
  const look = isDangerous === true ? "button danger" : "button";
  return html`<form method="post" action="${action}">${hidden}<button class="${look}">${label}${
    about !== undefined && html` <span class="unseen">${about}</span>`
  }</button></form>`;
}

export function pager(visitor: Visitor, page: ListPage<{ id: string }>): Markup {
  const { query, here } = visitor;
  const path = here.split("?", 1)[0]!;
  const back = query.has("ending_before");
  const hasOlder = back || page.has_more;
  const hasNewer = back ? page.has_more : query.has("starting_after");
  const to = (cursor: "starting_after" | "ending_before", id: string) => {
    const next = new URLSearchParams(query);
    next.delete("starting_after");
    next.delete("ending_before");
    next.set(cursor, id);
    return `${path}?${next}`;
  };
  const first = page.data[0];
  const last = page.data.at(-1);
  if (first === undefined || last === undefined || !(hasOlder || hasNewer)) return html``;
  return html`<nav class="pager" aria-label="${TEXTS.pages}">${
    hasNewer &&
    html`<a class="button" rel="prev" href="${to("ending_before", first.id)}">← ${TEXTS.previousPage}</a>`
  }${hasOlder && html`<a class="button" rel="next" href="${to("starting_after", last.id)}">${TEXTS.nextPage} →</a>`}</nav>`;
}

/** Marks text that has no translation as English, so that screen readers pronounce it correctly. */
export function translated(text: Text): Markup {
  return html`<span${text.en === text.el && html` lang="en"`}>${text}</span>`;
}

/** The error of a document, connection or call: its message and code, and what the provider said. */
export function errorText(
  error: Partial<ErrorObject> & Pick<ErrorObject, "code" | "message" | "message_el">,
): Markup {
  const { code, provider_code: providerCode, provider_message: words } = error;
  const said = [providerCode, words].filter((text) => typeof text === "string").join(": ");
  return html`<span class="error-text">${translated(textOfError(error))} <code>${code}</code>${
    said !== "" && html`<br><q>${said}</q>`
  }</span>`;
}

export function source(value: unknown): Markup {
  const text = typeof value === "string" ? value : JSON.stringify(value, null, 2);
  return html`<pre translate="no"><code>${text}</code></pre>`;
}
