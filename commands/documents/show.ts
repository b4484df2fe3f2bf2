/** `fiscal documents show`: one document with its customer and lines, or what filed it. */
import { readContents } from "../../src/documents/contents.ts";
import { describeMail, listMails, type MailObject } from "../../src/mail/mail-object.ts";
import type { CommandContext } from "../context.ts";
import type { MerchantOption } from "../merchants/find-merchant.ts";
import type { Column } from "../../src/operations/view.ts";
import { printTable } from "../ui/table.ts";
import { printDocument } from "./document-view.ts";
import { printFiled, readFiled } from "./filed.ts";
import { findDocument, REFERENCE_OWNER } from "./find-document.ts";
import { instantText } from "../../src/operations/values.ts";
import { verb } from "../define.ts";

export const defineShow = verb({
  flags: {
    ...REFERENCE_OWNER,
    "--filed": {
      en: "print the XML or JSON that filed it, byte for byte",
      el: "το XML ή JSON με το οποίο διαβιβάστηκε, όπως ακριβώς στάλθηκε",
    },
  },
  examples: ["fiscal documents show 2026-001", "fiscal documents show doc_… --json"],
  run: (context: CommandContext, name: string, options: ShowOptions) =>
    options.filed === true ? showFiled(context, name, options) : show(context, name, options),
});

interface ShowOptions extends MerchantOption {
  filed?: true;
}

async function showFiled(context: CommandContext, name: string, options: MerchantOption): Promise<void> {
  const { document, content } = await context.withAppliance(async (appliance, mode) => {
    const found = await findDocument(appliance, mode, name, options);
    return { document: found, content: await readFiled(appliance, found) };
  });
  await printFiled(context, document, content);
}

async function show(context: CommandContext, name: string, options: MerchantOption): Promise<void> {
  const { document, contents, mails } = await context.withAppliance(async (appliance, mode) => {
    const found = await findDocument(appliance, mode, name, options);
    const read = await readContents(appliance, mode, found.id);
    return { document: found, contents: read, mails: await listMails(appliance, found.id) };
  });
  await printDocument(context, document, contents);
  if (context.options.json !== true && mails.length > 0) await printTable(context.io, MAIL_COLUMNS, mails);
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
