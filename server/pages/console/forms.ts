/**
 * What forms share: their fields, and why a submitted one was refused, in a summary that leads to each field and in a message at the
 * field. A form carries an idempotency key from when it is first shown (docs/contract.md#console-forms), in the address of its page, so
 * that a reload and the back button show it with the same key.
 */
import { TEXTS } from "./messages.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { joinTexts, SEMICOLON, type Text } from "../../../src/foundation/text.ts";
import { failureOf } from "../../errors.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { alert, errorText, menuOptions, translated } from "./parts.ts";
import type { Page, Reply, Visit, Visitor } from "./visit.ts";
import { randomUUID } from "node:crypto";
import { correctedUnder } from "../../../src/documents/repeat.ts";

export interface Trouble {
  status: number;
  retryAfterSeconds: number | undefined;
  /** By the name of the field. */
  mistakes: ReadonlyMap<string, Text>;
  /** What is not about one field: a text, or an error with its code. */
  other: Text | AppError | undefined;
}

/** Why a form was refused. `fieldOf` names the form's field for the path of a problem; the others are said above the form. */
export function troubleOf(error: AppError, fieldOf: (path: string) => string | undefined): Trouble {
  const { status, retryAfterSeconds } = failureOf(error);
  const mistakes = new Map<string, Text>();
  const others: Text[] = [];
  for (const { path, message } of error.problems) {
    const field = fieldOf(path);
    if (field === undefined) others.push(message);
    else if (!mistakes.has(field)) mistakes.set(field, message);
  }
  const other =
    error.problems.length === 0 ? error : others.length === 0 ? undefined : joinTexts(others, SEMICOLON);
  return { status, retryAfterSeconds, mistakes, other };
}

export function troubleStatus({
  status,
  retryAfterSeconds,
}: Trouble): Pick<Page, "status" | "retryAfterSeconds"> {
  return { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

/** `nameOf` gives the label of a field. */
export function troubleSummary(
  { translate }: Visit,
  { mistakes, other }: Trouble,
  nameOf: (field: string) => Text,
): Markup {
  const items = [...mistakes].map(
    ([name, message]) =>
      html`<li><a href="#${name}">${translate(nameOf(name))}</a>: ${translate(message)}</li>`,
  );
  return alert(
    html`${
      other !== undefined &&
      html`<p>${other instanceof AppError ? errorText(translate, other.toOutcomeError()) : translated(translate, other)}</p>`
    }${items.length > 0 && html`<p>${translate(TEXTS.checkFields)}</p><ul>${items}</ul>`}`,
  );
}

export interface Field {
  name: string;
  value: string;
  /** Default `text`. */
  type?: "text" | "date";
  /** Further attributes. */
  more?: Content;
  /** The id of its hint. */
  hint?: string;
}

export function inputField(visit: Visit, trouble: Trouble | undefined, field: Field): Markup {
  const { name, type = "text", value, more } = field;
  return html`<input id="${name}" name="${name}" type="${type}" value="${value}"${more}${described(trouble, field)}>${mistakePart(visit, trouble, name)}`;
}

export interface Menu extends Field {
  options: readonly { value: string; text: string }[];
}

export function menuField(visit: Visit, trouble: Trouble | undefined, menu: Menu): Markup {
  const { name, value, options } = menu;
  return html`<select id="${name}" name="${name}"${described(trouble, menu)}>${menuOptions(options, value)}</select>${mistakePart(visit, trouble, name)}`;
}

/** The attributes that tie a field to its hint and its mistake. */
export function described(
  trouble: Trouble | undefined,
  { name, hint }: Pick<Field, "name" | "hint">,
): Markup {
  const isWrong = trouble?.mistakes.has(name) === true;
  const ids = [hint, isWrong ? `${name}-mistake` : undefined].filter((id) => id !== undefined).join(" ");
  return html`${ids !== "" && html` aria-describedby="${ids}"`}${isWrong && html` aria-invalid="true"`}`;
}

export function mistakePart(
  { translate }: Visit,
  trouble: Trouble | undefined,
  name: string,
): Markup | undefined {
  const mistake = trouble?.mistakes.get(name);
  if (mistake === undefined) return undefined;
  return html`<p class="mistake" id="${name}-mistake">${translate(mistake)}</p>`;
}

const KEY_FORM = /^[0-9a-f-]{36}$/;

export function newFormKey(): string {
  return randomUUID();
}

/** The key of a submitted form: its own, or that of the document which it corrects. */
export function readFormKey(form: Visitor["form"]): string {
  const key = form.get("key") ?? "";
  return KEY_FORM.test(key) || correctedUnder(key) !== undefined ? key : newFormKey();
}

/** A page whose form has the key of its address. An address without a key is replaced by one with a new key. */
export function withKey(
  show: (visit: Visit, key: string) => Promise<Reply>,
): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    const key = visit.query.get("key") ?? "";
    if (KEY_FORM.test(key)) return show(visit, key);
    const query = new URLSearchParams([...visit.query, ["key", newFormKey()]]);
    return { kind: "redirect", to: `${visit.here.split("?", 1)[0]}?${query}` };
  };
}
