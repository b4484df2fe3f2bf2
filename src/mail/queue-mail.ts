/**
 * Queues the PDF of a document for an address, at most once unless it is asked for again, and shows the mails of a document
 * (docs/contract.md#mail).
 */
import { EMAIL_REGEX } from "valibot";
import { type CustomerKey, setCustomerMail } from "../../storage/merchants/customers.ts";
import { findCustomerKey } from "../merchants/customers.ts";
import { addressOf, findMail, findMailsOf, hastenMail, type MailRow } from "../../storage/documents/mails.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { requireDocumentRow } from "../documents/list-documents.ts";
import { AppError, ConfigurationError, validationError } from "../foundation/errors.ts";
import { NOT_AN_EMAIL } from "../foundation/messages.ts";
import type { Context } from "../journal/context.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import { findCustomerAddress, insertMail, isSentOrWaiting, mayBeMailed } from "../issuing/customer-mail.ts";
import { readContents } from "../documents/contents.ts";
import type { MailReason, MailStatus } from "../../storage/database/schema.ts";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import type { Text } from "../foundation/text.ts";

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const ADDRESS_LENGTH_MAX = 254;
/** More than anybody sends of one document, so that every earlier mail is compared. */
const MAILS_MAX = 1000;

export interface MailOrder {
  to: string;
  /** Send even if the address has the document already. */
  again: boolean;
  /** Of a form, which sends once to an address however often it is submitted. */
  formKey?: string;
}

export interface QueuedMail {
  mail: MailObject;
  /** False if an earlier mail to the address was sent or waits, which is returned instead; one that waits is due now. */
  isNew: boolean;
}

/**
 * Throws `validation_failed` if `to` is not an address, ConfigurationError without a mail server, `not_found`, `invalid_state`
 * unless the document is issued, and `service_unavailable` while the appliance is held.
 */
export async function queueMail(
  context: Context,
  mode: Mode,
  documentId: string,
  order: MailOrder,
): Promise<QueuedMail> {
  const { store } = context;
  const to = order.to.trim();
  if (!isAddress(to)) throw validationError([{ path: "to", message: NOT_AN_EMAIL }]);
  requireMailServer(context);
  await refuseWhileHeld(store.read, { en: "No mail was sent", el: "Δεν στάλθηκε email" });
  const { id, phase } = await requireDocumentRow(context.store.read, mode, documentId);
  if (phase !== "issued") throw notIssued();
  const customer = await customerOf(context, mode, id);
  // The customer of a document that was accepted a moment ago may still wait to be remembered, and keeps the address.
  await store.flush();
  return store.write(async (trx) => {
    const mail = { documentId: id, to, formKey: null };
    if (!mayBeMailed(context.config, mode, to)) return shown(await insertMail(trx, mail, "unsent"), true);
    const due = new Date(trx.clockMs).toISOString();
    const { row: earlier, isSameForm } = await findEarlier(trx, context, id, { ...order, to });
    if (earlier !== undefined) await hastenMail(trx, { id: earlier.id, due });
    const mailId = earlier?.id ?? (await insertMail(trx, { ...mail, formKey: order.formKey ?? null }, "due"));
    if (earlier === undefined && customer !== undefined)
      await setCustomerMail(trx, { ...customer, mail_id: mailId });
    return shown(mailId, earlier === undefined || isSameForm);

    async function shown(shownId: string, isNew: boolean): Promise<QueuedMail> {
      return { mail: buildMailObject(store.cipher, (await findMail(trx, { id: shownId }))!), isNew };
    }
  });
}

/** The newest mail that the address has or will get: of the same form; otherwise any, unless it is to be sent again. */
async function findEarlier(
  trx: Transaction,
  { store }: Context,
  documentId: string,
  { to, again, formKey }: MailOrder,
): Promise<{ row: MailRow | undefined; isSameForm: boolean }> {
  const isTo = (row: MailRow) => addressOf(store.cipher, row)?.toLowerCase() === to.toLowerCase();
  const rows = (await findMailsOf(trx, { documentId, limit: MAILS_MAX })).filter(
    (row) => isSentOrWaiting(row) && isTo(row),
  );
  const ordered = formKey === undefined ? undefined : rows.find((row) => row.form_key === formKey);
  return { row: ordered ?? (again ? undefined : rows[0]), isSameForm: ordered !== undefined };
}

/** Control characters and lists of addresses do not match. */
function isAddress(text: string): boolean {
  return text.length <= ADDRESS_LENGTH_MAX && EMAIL_REGEX.test(text);
}

function requireMailServer({ config }: Context): void {
  if (config.mail.host !== "") return;
  throw new ConfigurationError({
    en: "No mail server is configured: set mail.host and mail.from (docs/mail.md)",
    el: "Δεν έχει οριστεί διακομιστής αλληλογραφίας: ορίστε τα mail.host και mail.from (docs/mail.md)",
  });
}

function notIssued(): AppError {
  return new AppError("invalid_state", {
    en: "The document is not issued, so it has no PDF to send",
    el: "Το παραστατικό δεν έχει εκδοθεί, οπότε δεν έχει PDF για αποστολή",
  });
}

/** The customer of a document; undefined if it names none. */
async function customerOf(
  context: Context,
  mode: Mode,
  documentId: string,
): Promise<CustomerKey | undefined> {
  const { object, merchantId } = await readContents(context, mode, documentId);
  const taxId = object.document.customer?.tax_id;
  return taxId === undefined
    ? undefined
    : findCustomerKey(context.store.read, { merchantId, mode, ...taxId });
}

/** The address of the last mail to the document's customer, unless it was refused or erased. */
export async function suggestAddress(
  context: Context,
  mode: Mode,
  documentId: string,
): Promise<string | undefined> {
  const { store } = context;
  const customer = await customerOf(context, mode, documentId);
  return customer === undefined ? undefined : findCustomerAddress(store.read, store.cipher, customer);
}

/** `not_sent`: a test document, for an address that is not in `mail.test_to`. */
export type ShownMailStatus = MailStatus | "not_sent";

export type MailObject = ReturnType<typeof buildMailObject>;

const HISTORY_MAX = 50;

export async function listMails({ store }: Context, documentId: string): Promise<MailObject[]> {
  const rows = await findMailsOf(store.read, { documentId, limit: HISTORY_MAX });
  return rows.map((row) => buildMailObject(store.cipher, row));
}

export function buildMailObject(cipher: Cipher, row: MailRow) {
  const isUnsent = row.status === "refused" && row.reason === null;
  const status: ShownMailStatus = isUnsent ? "not_sent" : row.status;
  return {
    id: row.id,
    object: "mail" as const,
    document: row.document_id,
    /** Null once it is erased, and if it cannot be decrypted. */
    to: addressOf(cipher, row) ?? null,
    status,
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
