/** The part of a mail that the program shows (docs/contract.md#mail). */
import { addressOf, findMailsOf, type MailRow } from "../../storage/documents/mails.ts";
import type { MailReason, MailStatus } from "../../storage/database/schema.ts";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import type { Context } from "../journal/context.ts";
import type { Text } from "../foundation/text.ts";

/** `not_sent`: a test document, for an address that is not in `mail.test_to`. */
export type ShownMailStatus = MailStatus | "not_sent";

export interface MailObject {
  id: string;
  object: "mail";
  document: string;
  /** Null once it is erased, and if it cannot be decrypted. */
  to: string | null;
  status: ShownMailStatus;
  reason: MailReason | null;
  /** The reply code of the mail server. */
  smtp_code: number | null;
  attempts: number;
  created: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
}

/** The newest mails of a document that a list shows. */
const HISTORY_MAX = 50;

/** The mails of a document, newest first. */
export async function listMails({ store }: Context, documentId: string): Promise<MailObject[]> {
  const rows = await findMailsOf(store.read, documentId, HISTORY_MAX);
  return rows.map((row) => buildMailObject(store.cipher, row));
}

export function buildMailObject(cipher: Cipher, row: MailRow): MailObject {
  return {
    id: row.id,
    object: "mail",
    document: row.document_id,
    to: addressOf(cipher, row) ?? null,
    status: row.status === "refused" && row.reason === null ? "not_sent" : row.status,
    reason: row.reason,
    smtp_code: row.smtp_code,
    attempts: row.tries,
    created: row.created_at,
    last_attempt_at: row.tried_at,
    next_attempt_at: row.lease_owner === null ? row.due_at : null,
  };
}

const STATUS_TEXTS: Readonly<Record<ShownMailStatus, Text>> = {
  not_sent: {
    en: "not sent: a test document goes only to the addresses in mail.test_to",
    el: "δεν στάλθηκε: ένα δοκιμαστικό παραστατικό πηγαίνει μόνο στις διευθύνσεις του mail.test_to",
  },
  waiting: { en: "waiting", el: "περιμένει" },
  sent: { en: "sent", el: "στάλθηκε" },
  refused: { en: "refused", el: "δεν έγινε δεκτό" },
  failed: { en: "failed", el: "απέτυχε" },
  erased: { en: "erased before it was sent", el: "διαγράφηκε πριν σταλεί" },
};

export const REASON_TEXTS: Readonly<Record<MailReason, Text>> = {
  unavailable: {
    en: "the mail server is unavailable",
    el: "ο διακομιστής αλληλογραφίας δεν είναι διαθέσιμος",
  },
  login: {
    en: "the mail server refuses mail.user or its password",
    el: "ο διακομιστής αλληλογραφίας δεν δέχεται το mail.user ή τον κωδικό του",
  },
  certificate: {
    en: "the connection to the mail server cannot be encrypted: check mail.port, mail.secure and its certificate",
    el: "η σύνδεση με τον διακομιστή αλληλογραφίας δεν μπορεί να κρυπτογραφηθεί: ελέγξτε τα mail.port και mail.secure και το πιστοποιητικό του",
  },
  sender: {
    en: "the mail server refuses the address in mail.from",
    el: "ο διακομιστής αλληλογραφίας δεν δέχεται τη διεύθυνση του mail.from",
  },
  recipient: {
    en: "the mail server refuses the recipient's address",
    el: "ο διακομιστής αλληλογραφίας δεν δέχεται τη διεύθυνση του παραλήπτη",
  },
  content: {
    en: "the mail server refuses the message",
    el: "ο διακομιστής αλληλογραφίας δεν δέχεται το μήνυμα",
  },
  document: { en: "the PDF is not available", el: "το PDF δεν είναι διαθέσιμο" },
  unknown: { en: "an unexpected error, see the log", el: "απρόσμενο σφάλμα, δείτε το αρχείο καταγραφής" },
};

/** The status, with the reason of the last attempt: `refused: the mail server refuses the recipient's address (550)`. */
export function describeMail({ status, reason, smtp_code: code }: MailObject): Text {
  const { en, el } = STATUS_TEXTS[status];
  if (reason === null) return { en, el };
  const why = REASON_TEXTS[reason];
  const reply = code === null ? "" : ` (${code})`;
  return { en: `${en}: ${why.en}${reply}`, el: `${el}: ${why.el}${reply}` };
}
