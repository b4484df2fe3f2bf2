/** Prints documents with their parties and lines; for `fiscal documents show` also its mails, or what filed it. */
import { type ReadContents, readContents } from "../../src/documents/contents.ts";
import { textsOfWarnings } from "../../src/foundation/stored-texts.ts";
import { joinTexts, sameInBoth, type Text } from "../../src/foundation/text.ts";
import type { DocumentObject } from "../../src/journal/document-object.ts";
import type { CommandContext } from "../context.ts";
import { printNote, write } from "../io.ts";
import {
  documentRows,
  furtherRows,
  LINE_COLUMNS,
  VIES,
  viesText,
} from "../../src/operations/document-view.ts";
import { printFields, printTable } from "../ui/table.ts";
import type { Party } from "../../src/domain/canonical-schema.ts";
import { type Column, instantText } from "../../src/operations/view.ts";
import { requireFiling } from "../../src/journal/substance.ts";
import { describeMail, listMails, type MailObject } from "../../src/mail/queue-mail.ts";
import { printJson } from "../ui/json.ts";
import type { Given } from "../flags.ts";

export async function printShown(document: DocumentObject, given: Given): Promise<void> {
  const { context, appliance, mode, flags } = given;
  if (flags["filed"] === true) return printFiled(document, given);
  await printDocument(context, document, await readContents(appliance, mode, document.id));
  const mails = context.options.json === true ? [] : await listMails(appliance, document.id);
  if (mails.length > 0) await printTable(context.io, [MAILED, ...MAIL_COLUMNS], mails);
}

/** Byte for byte, without a line feed at the end. With `--json` it is the `content` of an object. */
async function printFiled(document: DocumentObject, { context, appliance }: Given): Promise<void> {
  const { io, options } = context;
  const content = await requireFiling(appliance, document.id);
  if (options.json !== true) return write(io.stdout, content);
  const format = content.startsWith("<") ? "xml" : "json";
  await printJson(io, { object: "filing", document: document.id, format, content });
}

const MAILED: Column<MailObject> = {
  head: { en: "mail", el: "email" },
  value: (mail) => instantText(mail.last_attempt_at ?? mail.created),
};

export const MAIL_COLUMNS: readonly Column<MailObject>[] = [
  { head: { en: "to", el: "προς" }, value: ({ to }) => to ?? "-" },
  { head: { en: "status", el: "κατάσταση" }, value: describeMail, wraps: true },
];

/**
 * Prints one document with its timeline, warnings and notes, and if its contents are given, its customer and lines; with `--json`
 * only its object, and what VIES says.
 */
export async function printDocument(
  { io, options }: CommandContext,
  document: DocumentObject,
  { object: contents, notes = [], vies }: Partial<Pick<ReadContents, "object" | "notes" | "vies">> = {},
): Promise<void> {
  if (options.json === true) return printJson(io, vies === undefined ? document : { ...document, vies });
  const customer = contents?.document.customer;
  const rows = documentRows(document, customer === undefined ? undefined : partyText(customer));
  await printFields(io, vies === undefined ? rows : [...rows, [VIES, viesText(vies)]]);
  if (contents !== undefined) {
    await printTable(io, LINE_COLUMNS, contents.lines);
    await printFields(io, furtherRows(contents.document));
  }
  for (const warning of [...textsOfWarnings(document.classification.warnings), ...notes])
    await printNote(io, warningLine(warning));
}

export const warningLine = ({ en, el }: Text): Text => ({ en: `warning: ${en}`, el: `προειδοποίηση: ${el}` });

/** `GR 094012834, branch 2, Muster GmbH, Hauptstraße 1, 10115 Berlin` */
export function partyText({ tax_id: taxId, branch, name, address }: Party): Text {
  const data = [
    name,
    address === undefined ? undefined : [address.street, address.number].filter(Boolean).join(" "),
    address === undefined ? undefined : `${address.postal_code} ${address.city}`,
  ].filter((part) => part !== undefined && part !== "");
  const parts = [
    sameInBoth(`${taxId.country} ${taxId.code}`),
    ...(branch === 0 ? [] : [{ en: `branch ${branch}`, el: `εγκατάσταση ${branch}` }]),
    ...data.map((part) => sameInBoth(String(part))),
  ];
  return joinTexts(parts, ", ");
}
