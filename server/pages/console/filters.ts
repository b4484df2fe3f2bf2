/** Parses the query of list pages, and renders their filter forms. */
import { TEXTS } from "./messages.ts";
import {
  PAGE_FIELDS,
  parseQuery,
  type QueryFields,
  type QueryValues,
} from "../../../src/operations/field.ts";
import { type Content, html, type Markup } from "../markup.ts";
import type { Visitor } from "./visit.ts";

/** One or two screens. */
export const PAGE_SIZE = 25;

const CURSORS = { starting_after: PAGE_FIELDS.starting_after, ending_before: PAGE_FIELDS.ending_before };

type ListQuery<Fields extends QueryFields> = QueryValues<Fields & typeof CURSORS> & { limit: number };

/** The query of a list page. Empty fields are ignored. Throws `validation_failed`. */
export function readListQuery<Fields extends QueryFields>(
  visitor: Visitor,
  fields: Fields,
): ListQuery<Fields> {
  return {
    ...parseQuery<Fields & typeof CURSORS>({ ...CURSORS, ...fields }, filledIn(visitor)),
    limit: PAGE_SIZE,
  };
}

/** The query without empty fields, which forms send too. */
export function filledIn({ query }: Visitor): URLSearchParams {
  return new URLSearchParams([...query].filter(([, value]) => value.trim() !== ""));
}

/** A field of a filter form. `name` is the query parameter. */
export interface FilterField {
  name: string;
  label: string;
  hint?: string;
  /** Makes the field a menu; the empty option "all" is added. */
  options?: readonly { value: string; text: string }[];
  type?: "text" | "date";
  isWide?: boolean;
}

function control(visitor: Visitor, { name, options, hint, type = "text" }: FilterField): Markup {
  const value = visitor.query.get(name) ?? "";
  const described: Content = hint !== undefined && html` aria-describedby="${name}-hint"`;
  if (options === undefined)
    return html`<input id="${name}" name="${name}" type="${type}" maxlength="200" value="${value}"${described}>`;
  const all = [{ value: "", text: visitor.translate(TEXTS.all) }, ...options];
  const choices = all.map(
    (option) =>
      html`<option value="${option.value}"${option.value === value && html` selected`}>${option.text}</option>`,
  );
  return html`<select id="${name}" name="${name}"${described}>${choices}</select>`;
}

/** A form that filters the list on the same page; works without scripts. */
export function filterForm(visitor: Visitor, fields: readonly FilterField[]): Markup {
  const { translate, here } = visitor;
  const path = here.split("?", 1)[0]!;
  const controls = fields.map(
    (field) =>
      html`<div${field.isWide === true && html` class="wide"`}><label for="${field.name}">${field.label}</label>${
        field.hint !== undefined && html`<p class="hint" id="${field.name}-hint">${field.hint}</p>`
      }${control(visitor, field)}</div>\n`,
  );
  return html`<section><form method="get" action="${path}" class="filters" role="search">
${controls}<div class="actions"><button class="primary">${translate(TEXTS.filter)}</button><a class="button" href="${path}">${translate(TEXTS.clear)}</a></div>
</form></section>`;
}
