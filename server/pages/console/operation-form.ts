/** Forms and buttons that are made of operations: fields with labels, the operation's own messages, without scripts. */
import { AppError, type Problem } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import {
  type BodyField,
  fieldAt,
  fieldsOfVerb,
  fieldText,
  readField,
  setAt,
  valueAt,
} from "../../../src/operations/body-fields.ts";
import type { QueryFields } from "../../../src/operations/field.ts";
import { type Content, html, type Markup } from "../markup.ts";
import {
  checkbox,
  formField,
  mistakePart,
  newFormKey,
  postForm,
  readFormKey,
  type Trouble,
  troubleOf,
  troubleStatus,
  troubleSummary,
} from "./forms.ts";
import { nameOf } from "./list-page.ts";
import { capitalised, type FlashCode, TEXTS } from "./messages.ts";
import { run, type Runnable } from "./operation-pages.ts";
import { actionButton } from "./parts.ts";
import {
  type Flash,
  getForm,
  pathTo,
  post,
  type Reply,
  returnPath,
  type Route,
  type Visit,
} from "./visit.ts";

interface Look {
  /** Below /console: `/webhooks/new`. */
  path: string;
  title: Text | ((visit: Visit) => Text | Promise<Text>);
  /** Default: Save. */
  button?: Text;
  back(visit: Visit): string;
}

interface OperationForm<Query extends QueryFields, Item> extends Look {
  operation: Runnable<Query, Item>;
  /** Default: those that the verb has flags for. */
  fields?: readonly BodyField[] | ((visit: Visit) => readonly BodyField[]);
  /** What is stored. It is shown in the fields; an update sends what was changed, a replacement everything. */
  before?(visit: Visit): Promise<object>;
  /** What is typed never comes back, so the form is not kept when its session has ended. */
  isSecret?: true;
  /** What the page itself decides, unless a field has the same name. */
  fixed?(visit: Visit): Readonly<Record<string, unknown>>;
  /** The problems of the operation as those of the form's fields. Default: as they are. */
  problemsOf?(visit: Visit, problems: readonly Problem[]): readonly Problem[];
  /** Below the form. */
  below?: ((visit: Visit) => Promise<Content>) | undefined;
  done(visit: Visit, item: Item): Reply;
}

export function operationForm<Query extends QueryFields, Item>(form: OperationForm<Query, Item>): Route[] {
  const { path, operation, fixed, before, fields: given = fieldsOfVerb(operation) } = form;
  const fieldsFor = typeof given === "function" ? given : () => given;
  const takesFile = typeof given !== "function" && given.some(({ kind }) => kind === "image");
  const show = async (visit: Visit, entries: Entries, trouble?: Trouble): Promise<Reply> => ({
    kind: "page",
    title: typeof form.title === "function" ? await form.title(visit) : form.title,
    content: html`${formPart(visit, form, { fields: fieldsFor(visit), entries, trouble })}${await form.below?.(visit)}`,
    ...troubleStatus(trouble),
  });
  const submit = async (visit: Visit): Promise<Reply> => {
    const fields = fieldsFor(visit);
    try {
      const stored = await before?.(visit);
      const replaces = "method" in operation && operation.method === "PUT";
      const body = { ...fixed?.(visit), ...readBody(visit, fields, { stored, replaces }) };
      return form.done(visit, await run(visit, operation, { body, key: readFormKey(visit.form) }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "not_found") throw error;
      const nameIn = (problem: string) => fieldAt(fields, problem)?.path.join(".");
      const problems = form.problemsOf?.(visit, error.problems);
      return show(visit, visit.form, troubleOf(error, nameIn, problems));
    }
  };
  const again = `${path}/change`;
  const opened = getForm(path, async (visit) =>
    show(visit, storedEntries(fieldsFor(visit), await before?.(visit))),
  );
  if (form.isSecret === true) return [opened, post(path, submit)];
  return [
    opened,
    { ...post(path, submit, again), takesFile },
    // A form that was kept while its sender signed in again.
    post(again, (visit) => show(visit, visit.form), again),
  ];
}

/** The texts of the fields by name. */
type Entries = ReadonlyMap<string, string>;

function storedEntries(fields: readonly BodyField[], stored: object | undefined): Entries {
  const entries = new Map<string, string>([["key", newFormKey()]]);
  for (const { path, words, kind } of fields) {
    const value = valueAt(stored, path);
    const name = path.join(".");
    if (kind === "list" && words !== undefined)
      for (const word of Array.isArray(value) ? value : []) entries.set(`${name}:${word}`, "1");
    else if (kind !== "image") entries.set(name, fieldText(value));
  }
  return entries;
}

/** As it was typed; browsers send other ends of lines than are stored. */
function typed({ form }: Visit, { path, kind, words }: BodyField): string {
  const name = path.join(".");
  if (kind === "secret") return form.get(name) ?? "";
  if (kind !== "list" || words === undefined) return (form.get(name) ?? "").replaceAll("\r\n", "\n").trim();
  return words.filter((word) => form.has(`${name}:${word}`)).join(",");
}

function readBody(
  visit: Visit,
  fields: readonly BodyField[],
  { stored, replaces }: { stored: object | undefined; replaces: boolean },
): Record<string, unknown> {
  const body: Record<string, unknown> = replaces ? { ...stored } : {};
  for (const field of fields) {
    const { path, kind, isRemovable } = field;
    if (kind === "image") {
      const image = visit.file?.bytes.toString("base64");
      if (visit.form.has(`${path.join(".")}:remove`)) setAt(body, path, undefined);
      else if (image !== undefined) setAt(body, path, image);
      continue;
    }
    const text = typed(visit, field);
    const before = valueAt(stored, path);
    if (stored !== undefined && text === fieldText(before).trim()) continue;
    const value = readField(field, text);
    if (text === "" && kind !== "boolean" && kind !== "pairs") {
      const isKept = !replaces && stored !== undefined;
      setAt(body, path, isRemovable === true && stored !== undefined ? null : isKept ? value : undefined);
    } else setAt(body, path, kind === "pairs" && !replaces ? withoutFormer(before, value) : value);
  }
  return body;
}

/** An update keeps the keys that it does not name, so those that were taken out are sent as null. */
function withoutFormer(before: unknown, value: unknown): object {
  const removed = Object.keys((before as object | undefined) ?? {}).map((key) => [key, null] as const);
  return { ...Object.fromEntries(removed), ...(value as object) };
}

interface Shown {
  fields: readonly BodyField[];
  entries: Entries;
  trouble: Trouble | undefined;
}

function formPart(visit: Visit, form: Look, shown: Shown): Markup {
  const { fields, entries, trouble } = shown;
  const groups = Map.groupBy(fields, ({ group }) => group);
  const content = [...groups].map(([group, members]) => {
    const controls = html`<div class="fields">${members.map((one) => fieldPart(one, shown))}</div>`;
    if (group === undefined) return controls;
    const names = members.map(nameOfField);
    const isOpen = names.some((name) => entries.get(name) || trouble?.mistakes.has(name) === true);
    return html`<details${isOpen && html` open`}><summary>${group}</summary>${controls}</details>`;
  });
  const labelOf = (name: string) => fieldAt(fields, name)?.label ?? TEXTS.details;
  const part = postForm(visit, {
    action: pathTo(visit, form.path),
    hidden: [["key", entries.get("key") ?? newFormKey()]],
    content,
    button: form.button ?? TEXTS.save,
    back: form.back(visit),
    takesFile: fields.some(({ kind }) => kind === "image"),
  });
  return html`${trouble !== undefined && troubleSummary(trouble, labelOf)}<section>${part}</section>`;
}

function nameOfField({ path }: BodyField): string {
  return path.join(".");
}

function fieldPart(one: BodyField, { entries, trouble }: Shown): Markup {
  const { hint, kind, words } = one;
  const name = nameOfField(one);
  const label = capitalised(one.label);
  const note = hint && capitalised(hint);
  const value = entries.get(name) ?? "";
  const text = (word: string) => ({ value: word, text: capitalised(nameOf(word)) });
  if (kind === "boolean")
    return html`<div>${checkbox(name, label, value !== "")}${note !== undefined && html`<p class="hint">${note}</p>`}</div>`;
  if (kind === "list" && words !== undefined) {
    const isWrong = trouble?.mistakes.has(name) === true;
    const boxes = words.map((word) =>
      checkbox(`${name}:${word}`, text(word).text, entries.has(`${name}:${word}`)),
    );
    return html`<fieldset id="${name}"${isWrong && html` aria-describedby="${name}-mistake"`}><legend>${label}</legend>${boxes}${mistakePart(trouble, name)}</fieldset>`;
  }
  const given = { name, label, value, note };
  if (kind === "image") {
    const more = html` accept="image/png,image/jpeg"`;
    return html`<div>${formField(trouble, { ...given, type: "file", more })}${checkbox(`${name}:remove`, TEXTS.removeImage, false)}</div>`;
  }
  return formField(trouble, {
    ...given,
    rows: kind === "pairs" ? 3 : undefined,
    options: kind === "pairs" ? undefined : words && [{ value: "", text: "" }, ...words.map(text)],
    type: kind === "day" ? "date" : kind === "secret" ? "password" : "text",
    more: kind === "secret" && html` autocomplete="off"`,
  });
}

interface OperationAction<Query extends QueryFields, Item> {
  /** Below /console: `/connections/:id/verify`. */
  path: string;
  operation: Runnable<Query, Item>;
  body?: object;
  /** Asked on a page of its own, before what cannot be undone. */
  question?: { title: Text; note: Text; button: Text; about(visit: Visit): Promise<Content> };
  /** Where it leads if the form names no page. Default: the page that the path belongs to. */
  back?(visit: Visit): string;
  /** What to show afterwards. */
  done: FlashCode | ((visit: Visit, item: Item) => Flash);
}

/** A button that runs an operation. */
export function operationAction<Query extends QueryFields, Item>(
  action: OperationAction<Query, Item>,
): Route[] {
  const { path, operation, body = {}, question, done } = action;
  const back = action.back ?? ((visit: Visit) => pathTo(visit, path.slice(0, path.lastIndexOf("/"))));
  const ask = async (visit: Visit): Promise<Reply> => {
    const button = actionButton(visit, {
      action: pathTo(visit, path),
      label: question!.button,
      fields: { next: back(visit) },
      isDangerous: true,
    });
    return {
      kind: "page",
      title: question!.title,
      content: html`<section class="narrow stack">${await question!.about(visit)}<p>${question!.note}</p>
<div class="actions">${button}<a class="button" href="${back(visit)}">${TEXTS.backUnchanged}</a></div></section>`,
    };
  };
  const act = async (visit: Visit): Promise<Reply> => {
    const item = await run(visit, operation, { body });
    const flash = typeof done === "string" ? { code: done } : done(visit, item);
    return { kind: "redirect", to: returnPath(visit, back(visit)), flash };
  };
  return [...(question === undefined ? [] : [getForm(path, ask)]), post(path, act)];
}
