/** Emailing the PDF of a document from its page (docs/contract.md#mail). */
import { TEXTS } from "./messages.ts";
import { getDocument } from "../../../src/documents/list-documents.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import {
  describeMail,
  listMails,
  type MailObject,
  queueMail,
  suggestAddress,
} from "../../../src/mail/queue-mail.ts";
import { documentName, documentPath } from "./document-parts.ts";
import { timeOf } from "./format.ts";
import { html, type Markup } from "../markup.ts";
import { type Column, live, tableOrEmpty } from "./parts.ts";
import { problemPage } from "./problems.ts";
import { get, post, type Reply, type Route, type Visit } from "./visit.ts";
import { formField, postForm, type Trouble, troubleOf, troubleStatus } from "./forms.ts";

/** More than the ids that the forms carry. */
const KEY_LENGTH_MAX = 64;

/** The mails of an issued document, and the form that sends it. */
export async function mailSection(visit: Visit, { id, status }: DocumentObject): Promise<Markup> {
  if (status !== "issued") return html``;
  const { appliance, mode } = visit;
  const mails = await listMails(appliance, id);
  const list = tableOrEmpty(TEXTS.noMails, TEXTS.mails, MAIL_COLUMNS, mails);
  const to = (await suggestAddress(appliance, mode, id)) ?? "";
  // The newest mail as the key: the page stays the same, byte for byte, until there is another one.
  const form = canSend(visit)
    ? mailForm(visit, { document: id, key: mails[0]?.id ?? id, to })
    : html`<p class="hint">${TEXTS.mailNotConfigured}</p>`;
  return html`<section><h2>${TEXTS.mails}</h2>${live("mails", list)}${!visit.isHeld && !visit.isReadOnly && form}</section>`;
}

export function canSend({ appliance }: Visit): boolean {
  return appliance.config.mail.host !== "";
}

const MAIL_COLUMNS: readonly Column<MailObject>[] = [
  { head: TEXTS.mailedAt, cell: (mail) => timeOf(mail.last_attempt_at ?? mail.created) },
  { head: TEXTS.mailedTo, cell: ({ to }) => to },
  { head: TEXTS.status, cell: (mail) => describeMail(mail) },
  { head: TEXTS.nextAttempt, cell: ({ next_attempt_at: at }) => timeOf(at) },
];

/** A reload, or another language, after the form was refused. */
const back = async ({ params }: Visit): Promise<Reply> => ({
  kind: "redirect",
  to: documentPath(params["id"] ?? ""),
});

async function send(visit: Visit): Promise<Reply> {
  const { appliance, mode, params, form } = visit;
  const document = await getDocument(appliance, mode, params["id"] ?? "");
  const path = documentPath(document.id);
  if (!canSend(visit))
    return problemPage(visit, new AppError("not_supported", TEXTS.mailNotConfigured), path);
  const { to, key: formKey } = readForm(visit);
  try {
    const order = { to, again: form.get("again") === to, formKey };
    const { mail, isNew } = await queueMail(appliance, mode, document.id, order);
    // Asks before an address gets the same document twice.
    if (!isNew && mail.status === "sent")
      return showForm(visit, document, { key: mail.id, trouble: SENT_BEFORE });
    // The list says why it was not sent.
    if (mail.status === "not_sent") return { kind: "redirect", to: path };
    return { kind: "redirect", to: path, flash: { code: "mailQueued" } };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "validation_failed") return problemPage(visit, error, path);
    return showForm(visit, document, { trouble: troubleOf(error, () => "to") });
  }
}

const SENT_BEFORE: Trouble = { status: 409, mistakes: new Map([["to", TEXTS.sentBefore]]) };

/** Shows the form as it was filled in, after the person has signed in again. */
async function change(visit: Visit): Promise<Reply> {
  const { appliance, mode, params } = visit;
  return showForm(visit, await getDocument(appliance, mode, params["id"] ?? ""));
}

function showForm(visit: Visit, document: DocumentObject, shown: Partial<MailForm> = {}): Reply {
  const form = { document: document.id, ...readForm(visit), ...shown, isAlone: true };
  return {
    kind: "page",
    title: TEXTS.mailFor(documentName(document)),
    content: html`<section>${mailForm(visit, form)}</section>`,
    ...troubleStatus(shown.trouble),
  };
}

function readForm({ form }: Visit): Pick<MailForm, "key" | "to"> {
  return { key: (form.get("key") ?? "").slice(0, KEY_LENGTH_MAX), to: form.get("to") ?? "" };
}

const CHANGE = "/documents/:id/mails/change";

export const MAIL_ROUTES: readonly Route[] = [
  get("/documents/:id/mails", back),
  get(CHANGE, back),
  post("/documents/:id/mails", send, CHANGE),
  post(CHANGE, change, CHANGE),
];

interface MailForm {
  document: string;
  /** With the same key and address, the form sends once. */
  key: string;
  /** As typed, or suggested. */
  to: string;
  trouble?: Trouble | undefined;
  /** On a page of its own. */
  isAlone?: boolean;
}

/** RFC 5321 allows 254 characters; more are refused with a message instead of being cut off. */
const TYPED_MAX = 500;

/** The form that emails the PDF of a document. */
function mailForm(visit: Visit, { document, key, to, trouble, isAlone }: MailForm): Markup {
  const isAgain = trouble === SENT_BEFORE;
  const more = html` maxlength="${TYPED_MAX}"${trouble !== undefined && html` autofocus`}`;
  const label = TEXTS.mailAddress;
  return postForm(visit, {
    action: `${documentPath(document)}/mails`,
    // Only for this address: another one is asked about too.
    hidden: [["key", key], ...(isAgain ? [["again", to] as const] : [])],
    content: formField(trouble, { name: "to", label, type: "email", value: to, more, look: "narrow" }),
    button: isAgain ? TEXTS.sendAgain : TEXTS.sendPdf,
    back: isAlone === true ? documentPath(document) : undefined,
    isKept: true,
  });
}
