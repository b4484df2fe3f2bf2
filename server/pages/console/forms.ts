/**
 * What forms share: their fields, and why a submitted one was refused, in a summary that leads to each field and in a message at the
 * field. A form carries an idempotency key from when it is first shown (docs/contract.md#console-forms), in the address of its page, so
 * that a reload and the back button show it with the same key.
 */
import { TEXTS } from "./messages.ts";
import { AppError, type Problem } from "../../../src/foundation/errors.ts";
import { joinTexts, SEMICOLON, type Text } from "../../../src/foundation/text.ts";
import { STATUS_OF } from "../../errors.ts";
import { type Content, html, type Markup } from "../markup.ts";
import { alert, errorText, hiddenFields, menuOptions, type Option, translated } from "./parts.ts";
import type { Page, Reply, Visit, Visitor } from "./visit.ts";
import { randomUUID } from "node:crypto";
import { correctedUnder } from "../../../src/documents/repeat.ts";

export interface Trouble {
  status: number;
  retryAfterSeconds?: number | undefined;
  /** By the id of the field. */
  mistakes: ReadonlyMap<string, Text>;
  /** What is not about one field: a text, or an error with its code. */
  other?: Text | AppError | undefined;
}

type Mistakes = Pick<Trouble, "mistakes">;

/**
 * Why a form was refused. `fieldOf` names the form's field for the path of a problem; the others are said above the form. `known` are
 * mistakes that were found before.
 */
export function troubleOf(
  error: AppError,
  fieldOf: (path: string) => string | undefined,
  problems: readonly Problem[] = error.problems,
  known: Mistakes["mistakes"] = new Map(),
): Trouble {
  const { retryAfterSeconds } = error;
  const status = STATUS_OF[error.code];
  const mistakes = new Map(known);
  const others: Text[] = [];
  for (const { path, message } of problems) {
    const field = fieldOf(path);
    if (field === undefined) others.push(message);
    else if (!mistakes.has(field)) mistakes.set(field, message);
  }
  const isSaid = mistakes.size > 0 && (problems.length > 0 || error.code === "validation_failed");
  const other = others.length > 0 ? joinTexts(others, SEMICOLON) : isSaid ? undefined : error;
  return { status, retryAfterSeconds, mistakes, other };
}

export function troubleStatus(trouble: Trouble | undefined): Pick<Page, "status" | "retryAfterSeconds"> {
  return { status: trouble?.status, retryAfterSeconds: trouble?.retryAfterSeconds };
}

/** `nameOf` gives the label of the field with an id. */
export function troubleSummary({ mistakes, other }: Trouble, nameOf: (field: string) => Text): Markup {
  const items = [...mistakes].map(
    ([name, message]) => html`<li><a href="#${name}">${nameOf(name)}</a>: ${message}</li>`,
  );
  return alert(
    html`${
      other !== undefined &&
      html`<p>${other instanceof AppError ? errorText(other.toOutcomeError()) : translated(other)}</p>`
    }${items.length > 0 && html`<p>${TEXTS.checkFields}</p><ul>${items}</ul>`}`,
  );
}

interface Control {
  name: string;
  /** Unique on the page. Default: the name. */
  id?: string;
  value: string;
  type?: "text" | "date" | "email" | "file" | "password";
  /** Makes it a menu. */
  options?: readonly Option[] | undefined;
  /** Makes it a field of so many lines. */
  rows?: number | undefined;
  more?: Content;
  /** The id of a hint elsewhere. */
  hint?: string | undefined;
}

export interface Field extends Control {
  label: Content;
  note?: Content;
  /** The class of its place. */
  look?: string | undefined;
}

/** A field without its label, with what is wrong with it. */
export function control(trouble: Mistakes | undefined, given: Control): Markup {
  const { name, id = name, type = "text", value, more, options, rows } = given;
  const start = html`id="${id}" name="${name}"`;
  const end = html`${more}${described(trouble, given)}`;
  const part =
    options !== undefined
      ? html`<select ${start}${end}>${menuOptions(options, value)}</select>`
      : rows !== undefined
        ? html`<textarea ${start} rows="${rows}"${end}>${value}</textarea>`
        : html`<input ${start} type="${type}"${type !== "file" && type !== "password" && html` value="${value}"`}${end}>`;
  return html`${part}${mistakePart(trouble, id)}`;
}

export function formField(trouble: Mistakes | undefined, given: Field): Markup {
  const { label, note, look, name, id = name } = given;
  const hint = note === undefined ? given.hint : `${id}-hint`;
  return html`<div${look !== undefined && html` class="${look}"`}><label for="${id}">${label}</label>${control(trouble, { ...given, hint })}${
    note !== undefined && html`<p class="hint" id="${id}-hint">${note}</p>`
  }</div>`;
}

export function checkbox(name: string, label: Content, isOn: boolean): Markup {
  return html`<label class="check"><input type="checkbox" id="${name}" name="${name}" value="1"${isOn && html` checked`}> ${label}</label>`;
}

interface PostForm {
  action: string;
  hidden?: Iterable<readonly [name: string, value: string]>;
  content?: Content;
  button: Content;
  buttons?: Content;
  /** The link that leaves without changes; none without it. */
  back?: string | undefined;
  /** What was typed survives a reload and the back button. */
  isKept?: boolean;
  takesFile?: boolean;
}

/** A form that posts. It has `novalidate` because the server reports mistakes in the page's language, all at once. */
export function postForm({ csrf }: Visitor, form: PostForm): Markup {
  const { action, hidden = [], content, button, buttons, back, isKept, takesFile } = form;
  return html`<form method="post" action="${action}" class="stack"${takesFile === true && html` enctype="multipart/form-data"`}${isKept === true && html` data-keep`} novalidate>${hiddenFields([["csrf", csrf], ...hidden])}${content}
<div class="actions"><button class="primary">${button}</button>${buttons}${
    back !== undefined && html`<a class="button" href="${back}">${TEXTS.backUnchanged}</a>`
  }</div></form>`;
}

/** The attributes that tie a field to its hint and its mistake. */
function described(trouble: Mistakes | undefined, { name, id = name, hint }: Control): Markup {
  const isWrong = trouble?.mistakes.has(id) === true;
  const ids = [hint, isWrong ? `${id}-mistake` : undefined].filter((one) => one !== undefined).join(" ");
  return html`${ids !== "" && html` aria-describedby="${ids}"`}${isWrong && html` aria-invalid="true"`}`;
}

export function mistakePart(trouble: Mistakes | undefined, id: string): Markup | undefined {
  const mistake = trouble?.mistakes.get(id);
  return mistake && html`<p class="mistake" id="${id}-mistake">${mistake}</p>`;
}

export const FORM_KEY = /^[0-9a-f-]{36}$/;

export function newFormKey(): string {
  return randomUUID();
}

/** The key of a submitted form: its own, or that of the document which it corrects. */
export function readFormKey(form: Visitor["form"]): string {
  const key = form.get("key") ?? "";
  return FORM_KEY.test(key) || correctedUnder(key) !== undefined ? key : newFormKey();
}

/** A page whose form has the key of its address. An address without a key is replaced by one with a new key. */
export function withKey(
  show: (visit: Visit, key: string) => Promise<Reply>,
): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    const key = visit.query.get("key") ?? "";
    if (FORM_KEY.test(key)) return show(visit, key);
    const query = new URLSearchParams([...visit.query, ["key", newFormKey()]]);
    return { kind: "redirect", to: `${visit.here.split("?", 1)[0]}?${query}` };
  };
}
