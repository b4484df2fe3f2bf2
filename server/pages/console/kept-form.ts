/** Keeps what was filled in when a form's session has ended, until the person has signed in again. Nothing is done with it. */
import { TEXTS } from "./messages.ts";
import type { UploadedFile } from "../form.ts";
import { html } from "../markup.ts";
import type { Page, Visitor } from "./visit.ts";
import { alert, hiddenFields } from "./parts.ts";

/** A larger file is chosen again: the page contains the file. */
const KEPT_FILE_BYTES_MAX = 65_536;

const FILE_NAME = "kept_file_name";
const FILE = "kept_file";

interface FilledIn {
  fields: ReadonlyMap<string, string>;
  file: UploadedFile | undefined;
}

/** `resumePath` shows the form again. A visitor who is signed in has signed in again since the form was shown. */
export function keptFormPage(visitor: Visitor, { fields, file }: FilledIn, resumePath: string): Page {
  const { translate, csrf, mode } = visitor;
  const isSignedIn = mode !== undefined;
  const hidden = hiddenFields([...fields, ...fieldsOf(file)].filter(([name]) => name !== "csrf"));
  return {
    kind: "page",
    status: isSignedIn ? 403 : 401,
    title: translate(TEXTS.formKept),
    content: html`${alert(html`<p>${translate(isSignedIn ? TEXTS.keptSignedIn : TEXTS.keptSignedOut)}</p>`)}<form method="post" action="${resumePath}"><input type="hidden" name="csrf" value="${csrf}">${hidden}<div class="actions">${
      !isSignedIn &&
      html`<a class="button" href="/console/sign-in" target="_blank" rel="noopener">${translate(TEXTS.signInElsewhere)}</a>`
    }<button class="primary">${translate(TEXTS.continue)}</button></div></form>`,
  };
}

function fieldsOf(file: UploadedFile | undefined): [string, string][] {
  if (file === undefined || file.bytes.length > KEPT_FILE_BYTES_MAX) return [];
  return [
    [FILE_NAME, file.name],
    [FILE, file.bytes.toString("base64url")],
  ];
}

/** The file of a form that was kept. */
export function readKeptFile(form: Visitor["form"]): UploadedFile | undefined {
  const [name, text] = [form.get(FILE_NAME), form.get(FILE)];
  return name === undefined || text === undefined
    ? undefined
    : { name, bytes: Buffer.from(text, "base64url") };
}
