/** Formats the mails of a document as a table. */
import { describeMail, type MailObject } from "../../src/mail/mail-object.ts";
import type { Column } from "../ui/table.ts";
import { instantText } from "../ui/values.ts";

export const MAIL_COLUMNS: readonly Column<MailObject>[] = [
  {
    head: { en: "mail", el: "email" },
    value: (mail) => instantText(mail.last_attempt_at ?? mail.created),
  },
  { head: { en: "to", el: "προς" }, value: ({ to }) => to ?? "-" },
  { head: { en: "status", el: "κατάσταση" }, value: describeMail, wraps: true },
];
