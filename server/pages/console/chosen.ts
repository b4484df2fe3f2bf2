/** Acts on several documents of the list: their PDFs as an archive, sending failed ones again, and mail. */
import { getDocuments } from "../../../src/documents/list-documents.ts";
import { retryDocument } from "../../../src/documents/retry.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import type { Text } from "../../../src/foundation/text.ts";
import type { DocumentObject } from "../../../src/journal/document-object.ts";
import { describeMail, queueMail, suggestAddress } from "../../../src/mail/queue-mail.ts";
import { archiveChosen } from "../../../src/paper/pdf-files.ts";
import { documentLink, documentName } from "./document-parts.ts";
import { newFormKey, postForm } from "./forms.ts";
import { canSend } from "./mail.ts";
import { TEXTS } from "./messages.ts";
import { html, type Markup } from "../markup.ts";
import { type Column, table } from "./parts.ts";
import { problemPage } from "./problems.ts";
import { withFailureLogged } from "./reports.ts";
import { causeOf, get, post, type Reply, type Route, type Visit } from "./visit.ts";

const LIST = "/console/documents";
const FORM = "chosen";

/** The form whose boxes are in the rows of the list. */
export function chosenForm({ csrf, isReadOnly }: Visit): Markup | undefined {
  if (isReadOnly) return undefined;
  return html`<form id="${FORM}" method="post" action="/console/chosen/pdfs" class="actions"><input type="hidden" name="csrf" value="${csrf}"><span class="soft">${TEXTS.withChosen}</span><button>${TEXTS.pdfFiles}</button><button formaction="/console/chosen/mails">${TEXTS.mails}</button><button formaction="/console/chosen/retry">${TEXTS.retry}</button></form>`;
}

export const CHOSEN_COLUMN: Column<DocumentObject> = {
  head: TEXTS.choose,
  isPlain: true,
  isFirm: true,
  cell: (document) =>
    html`<input type="checkbox" form="${FORM}" name="${document.id}" value="1" aria-label="${documentName(document)}">`,
};

/** Does `act` with the chosen documents; without any, back to the list. */
function withChosen(
  act: (visit: Visit, documents: readonly DocumentObject[]) => Promise<Reply>,
): (visit: Visit) => Promise<Reply> {
  return async (visit) => {
    const ids = [...visit.form.keys()].filter((name) => name.startsWith("doc_"));
    const documents = [...(await getDocuments(visit.appliance, visit.mode, ids)).values()];
    if (documents.length === 0) return { kind: "redirect", to: LIST, flash: { code: "noneChosen" } };
    return act(visit, documents);
  };
}

const pdfs = withChosen(async ({ appliance, mode }, documents) => {
  const body = ReadableStream.from(withFailureLogged(appliance, archiveChosen(appliance, mode, documents)));
  return { kind: "file", type: "application/zip", name: "pdf.zip", body };
});

/** Those that did not fail stay as they are. */
const retry = withChosen(async (visit, documents) => {
  const failed = documents.filter(({ status }) => status === "failed");
  for (const { id } of failed) await retryDocument(visit.appliance, id, causeOf(visit));
  return { kind: "redirect", to: LIST, flash: { code: "retried", count: failed.length } };
});

/** Shows to whom each goes, and sends them when that is confirmed. */
const mails = withChosen(async (visit, documents) => {
  const { form } = visit;
  if (!canSend(visit))
    return problemPage(visit, new AppError("not_supported", TEXTS.mailNotConfigured), LIST);
  const key = form.get("key") ?? "";
  const rows = await Promise.all(documents.map((document) => mailOf(visit, document, key)));
  const columns: Column<MailRow>[] = [
    { head: TEXTS.document, cell: ({ document }) => documentLink(document), isFirm: true },
    { head: TEXTS.mailedTo, cell: ({ to }) => to },
    { head: TEXTS.status, cell: ({ result }) => result },
  ];
  const canStill = key === "" && rows.some(({ to }) => to !== undefined);
  const send = postForm(visit, {
    action: "/console/chosen/mails",
    hidden: [["key", newFormKey()], ...documents.map(({ id }) => [id, "1"] as const)],
    button: TEXTS.sendPdfs,
    back: LIST,
  });
  const back = html`<div class="actions"><a class="button" href="${LIST}">${TEXTS.back}</a></div>`;
  return {
    kind: "page",
    title: TEXTS.mails,
    content: html`<section class="listing">${table(TEXTS.mails, columns, rows)}</section>${canStill ? send : back}`,
  };
});

interface MailRow {
  document: DocumentObject;
  /** The address that the customer's last mail went to. */
  to: string | undefined;
  result: Text | undefined;
}

/** Queues the mail if `key` is that of a confirmed form. */
async function mailOf({ appliance, mode }: Visit, document: DocumentObject, key: string): Promise<MailRow> {
  const { id, status } = document;
  if (status !== "issued") return { document, to: undefined, result: TEXTS.onlyIssuedMailed };
  const to = await suggestAddress(appliance, mode, id);
  if (to === undefined) return { document, to, result: TEXTS.noAddress };
  if (key === "") return { document, to, result: undefined };
  const { mail } = await queueMail(appliance, mode, id, { to, again: false, formKey: `${key}-${id}` });
  return { document, to, result: describeMail(mail) };
}

const back = async (): Promise<Reply> => ({ kind: "redirect", to: LIST });

export const CHOSEN_ROUTES: readonly Route[] = [
  get("/chosen/:act", back),
  post("/chosen/pdfs", pdfs),
  post("/chosen/retry", retry),
  post("/chosen/mails", mails),
];
