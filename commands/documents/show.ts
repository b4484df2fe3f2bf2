/** `fiscal documents show`: one document with its customer, lines and mails, or what filed it. */
import { readContents } from "../../src/documents/contents.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import { requireFiling } from "../../src/journal/substance.ts";
import { describeMail, listMails, type MailObject } from "../../src/mail/queue-mail.ts";
import { type Column, instantText } from "../../src/operations/view.ts";
import { write } from "../io.ts";
import { printJson } from "../ui/json.ts";
import { printTable } from "../ui/table.ts";
import type { Given } from "../verb.ts";
import { printDocument } from "./document-view.ts";

export async function printShown(document: DocumentObject, given: Given): Promise<void> {
  const { context, appliance, mode, flags } = given;
  if (flags["filed"] === true) return printFiled(document, given);
  await printDocument(context, document, await readContents(appliance, mode, document.id));
  const mails = context.options.json === true ? [] : await listMails(appliance, document.id);
  if (mails.length > 0) await printTable(context.io, MAIL_COLUMNS, mails);
}

/** Byte for byte, without a line feed at the end. With `--json` it is the `content` of an object. */
async function printFiled(document: DocumentObject, { context, appliance }: Given): Promise<void> {
  const { io, options } = context;
  const content = await requireFiling(appliance, document);
  if (options.json !== true) return write(io.stdout, content);
  const format = content.startsWith("<") ? "xml" : "json";
  await printJson(io, { object: "filing", document: document.id, format, content });
}

/** Formats the mails of a document as a table. */
const MAIL_COLUMNS: readonly Column<MailObject>[] = [
  {
    head: { en: "mail", el: "email" },
    value: (mail) => instantText(mail.last_attempt_at ?? mail.created),
  },
  { head: { en: "to", el: "προς" }, value: ({ to }) => to ?? "-" },
  { head: { en: "status", el: "κατάσταση" }, value: describeMail, wraps: true },
];
