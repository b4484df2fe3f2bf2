/** Forms that are made of operations: their fields with labels, the operation's own messages, without scripts. */
import { AppError } from "../../../src/foundation/errors.ts";
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
  described,
  inputField,
  menuField,
  mistakePart,
  newFormKey,
  readFormKey,
  type Trouble,
  troubleOf,
  troubleStatus,
  troubleSummary,
} from "./forms.ts";
import { nameOf } from "./list-page.ts";
import { TEXTS } from "./messages.ts";
import { run, type Runnable } from "./operation-pages.ts";
import { capitalised, hiddenFields } from "./parts.ts";
import { getForm, post, type Reply, type Route, type Visit } from "./visit.ts";

interface OperationForm<Query extends QueryFields, Item> {
  /** Below /console: `/webhooks/new`. */
  path: string;
  title: Text;
  operation: Runnable<Query, Item>;
  /** Default: those that the verb has flags for. */
  fields?: readonly BodyField[];
  /** What is stored. It is shown in the fields; an update sends what was changed, a replacement everything. */
  before?(visit: Visit): Promise<object>;
  /** What the page itself decides. */
  fixed?(visit: Visit): Readonly<Record<string, unknown>>;
  /** Default: Save. */
  button?: Text;
  back(visit: Visit): string;
  /** Below the form. */
  below?(visit: Visit): Promise<Content>;
  done(visit: Visit, item: Item): Reply;
}

export function operationForm<Query extends QueryFields, Item>(form: OperationForm<Query, Item>): Route[] {
  const { path, operation, fixed, before } = form;
  const fields = form.fields ?? fieldsOfVerb(operation);
  const takesFile = fields.some(({ kind }) => kind === "image");
  const show = async (visit: Visit, entries: Entries, trouble?: Trouble): Promise<Reply> => ({
    kind: "page",
    title: visit.translate(form.title),
    content: html`${formPart(visit, { fields, entries, trouble, form, takesFile })}${await form.below?.(visit)}`,
    ...(trouble === undefined ? {} : troubleStatus(trouble)),
  });
  const submit = async (visit: Visit): Promise<Reply> => {
    try {
      const stored = await before?.(visit);
      const replaces = "method" in operation && operation.method === "PUT";
      const body = { ...readBody(visit, fields, { stored, replaces }), ...fixed?.(visit) };
      return form.done(visit, await run(visit, operation, { body, key: readFormKey(visit.form) }));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === "not_found") throw error;
      const nameIn = (problem: string) => fieldAt(fields, problem)?.path.join(".");
      return show(visit, visit.form, troubleOf(error, nameIn));
    }
  };
  const again = `/console${path}/change`;
  const resumed = { resumeAt: (params: Visit["params"]) => again.replace(":id", params["id"] ?? "") };
  return [
    getForm(path, async (visit) => show(visit, storedEntries(fields, await before?.(visit)))),
    { ...post(path, submit), ...resumed, takesFile },
    // A form that was kept while its sender signed in again.
    { ...post(`${path}/change`, (visit) => show(visit, visit.form)), ...resumed },
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
      setAt(body, path, isRemovable === true && stored !== undefined ? null : isKept ? text : undefined);
    } else setAt(body, path, kind === "pairs" && !replaces ? withoutFormer(before, value) : value);
  }
  return body;
}

/** An update keeps the keys that it does not name, so those that were taken out are sent as null. */
function withoutFormer(before: unknown, value: unknown): object {
  const removed = Object.keys((before as object | undefined) ?? {}).map((key) => [key, null] as const);
  return { ...Object.fromEntries(removed), ...(value as object) };
}

interface FormParts {
  fields: readonly BodyField[];
  entries: Entries;
  trouble: Trouble | undefined;
  form: Pick<OperationForm<QueryFields, never>, "path" | "button" | "back">;
  takesFile: boolean;
}

function formPart(visit: Visit, { fields, entries, trouble, form, takesFile }: FormParts): Markup {
  const { translate, csrf, params } = visit;
  const action = `/console${form.path.replace(":id", params["id"] ?? "")}`;
  const hidden = hiddenFields([
    ["csrf", csrf],
    ["key", entries.get("key") ?? newFormKey()],
  ]);
  const groups = Map.groupBy(fields, ({ group }) => group);
  const parts = [...groups].map(([group, members]) => {
    const controls = members.map((field) => fieldPart(visit, { field, entries, trouble }));
    if (group === undefined) return html`<div class="fields">${controls}</div>`;
    const names = members.map(({ path }) => path.join("."));
    const isOpen = names.some((name) => entries.get(name) || trouble?.mistakes.has(name) === true);
    return html`<details${isOpen && html` open`}><summary>${translate(group)}</summary><div class="fields">${controls}</div></details>`;
  });
  const labelOf = (name: string) => fieldAt(fields, name)?.label ?? TEXTS.details;
  return html`${trouble !== undefined && troubleSummary(visit, trouble, labelOf)}<section><form method="post" action="${action}" class="stack"${takesFile && html` enctype="multipart/form-data"`} novalidate>${hidden}${parts}
<div class="actions"><button class="primary">${translate(form.button ?? TEXTS.save)}</button><a class="button" href="${form.back(visit)}">${translate(TEXTS.backUnchanged)}</a></div></form></section>`;
}

interface FieldParts {
  field: BodyField;
  entries: Entries;
  trouble: Trouble | undefined;
}

function fieldPart(visit: Visit, { field, entries, trouble }: FieldParts): Markup {
  const { translate } = visit;
  const { path, label, hint, kind, words } = field;
  const name = path.join(".");
  const head = capitalised(translate(label));
  const note =
    hint !== undefined && html`<p class="hint" id="${name}-hint">${capitalised(translate(hint))}</p>`;
  const value = entries.get(name) ?? "";
  const shown = { name, value, ...(hint === undefined ? {} : { hint: `${name}-hint` }) };
  const isWrong = trouble?.mistakes.has(name) === true;
  const text = (word: string) => ({ value: word, text: capitalised(translate(nameOf(word))) });
  const check = (id: string, content: string, isOn: boolean) =>
    html`<label class="check"><input type="checkbox" id="${id}" name="${id}" value="1"${isOn && html` checked`}> ${content}</label>`;
  if (kind === "boolean") return html`<div>${check(name, head, value !== "")}${note}</div>`;
  if (kind === "list" && words !== undefined)
    return html`<fieldset id="${name}"${isWrong && html` aria-describedby="${name}-mistake"`}><legend>${head}</legend>${words.map((word) => check(`${name}:${word}`, text(word).text, entries.has(`${name}:${word}`)))}${mistakePart(visit, trouble, name)}${note}</fieldset>`;
  if (kind === "image")
    return html`<div><label for="${name}">${head}</label><input type="file" id="${name}" name="${name}" accept="image/png,image/jpeg"${described(trouble, shown)}>${mistakePart(visit, trouble, name)}${check(`${name}:remove`, translate(TEXTS.removeImage), false)}${note}</div>`;
  const control =
    kind === "pairs"
      ? html`<textarea id="${name}" name="${name}" rows="3"${described(trouble, shown)}>${value}</textarea>${mistakePart(visit, trouble, name)}`
      : words === undefined
        ? inputField(visit, trouble, { ...shown, type: kind === "day" ? "date" : "text" })
        : menuField(visit, trouble, { ...shown, options: [{ value: "", text: "" }, ...words.map(text)] });
  return html`<div><label for="${name}">${head}</label>${control}${note}</div>`;
}
