/** Queues the PDF of a document for an address, at most once unless it is asked for again (docs/contract.md#mail). */
import { EMAIL_REGEX } from "valibot";
import { findMail, findMailsOf, hastenMail, insertMail, type MailRow } from "../../storage/mails.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/write.ts";
import { requireDocumentRow } from "../documents/list-documents.ts";
import { AppError, ConfigurationError, validationError } from "../foundation/errors.ts";
import { NOT_AN_EMAIL } from "../foundation/messages.ts";
import type { Context } from "../journal/context.ts";
import { addressOf, buildMailObject, type MailObject } from "./mail-object.ts";

/** RFC 5321, section 4.5.3.1.3, without the angle brackets. */
const ADDRESS_LENGTH_MAX = 254;
/** More than anybody sends of one document, so that every earlier mail is compared. */
const MAILS_MAX = 1000;

export interface QueuedMail {
  mail: MailObject;
  /** False if an earlier mail to the address was sent or waits, which is returned instead; one that waits is due now. */
  isNew: boolean;
}

/**
 * Throws `validation_failed` if `to` is not an address, ConfigurationError without a mail server, `not_found`, and
 * `invalid_state` unless the document is issued.
 */
export async function queueMail(
  context: Context,
  mode: Mode,
  documentId: string,
  { to, again }: { to: string; again: boolean },
): Promise<QueuedMail> {
  const { store } = context;
  const address = to.trim();
  if (!isAddress(address)) throw validationError([{ path: "to", message: NOT_AN_EMAIL }]);
  requireMailServer(context);
  const { id, phase } = await requireDocumentRow(context, mode, documentId);
  if (phase !== "issued") throw notIssued();
  return store.write(async (trx) => {
    const rows = await findMailsOf(trx, id, MAILS_MAX);
    const earlier = again ? undefined : rows.find((row) => isTo(context, row, address));
    const due = new Date(trx.clockMs).toISOString();
    if (earlier !== undefined) await hastenMail(trx, earlier.id, due);
    const mailId = earlier?.id ?? (await insert(trx, context, { documentId: id, address, due }));
    const row = await findMail(trx, mailId);
    if (row === undefined) throw new Error(`The mail ${mailId} is missing`);
    return { mail: buildMailObject(store.cipher, row), isNew: earlier === undefined };
  });
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

/** A mail that was refused, failed or erased does not count: nobody has received it. */
function isTo({ store }: Context, row: MailRow, address: string): boolean {
  if (row.status !== "waiting" && row.status !== "sent") return false;
  return addressOf(store.cipher, row)?.toLowerCase() === address.toLowerCase();
}

async function insert(
  trx: Transaction,
  { store }: Context,
  { documentId, address, due }: { documentId: string; address: string; due: string },
): Promise<string> {
  const id = trx.newId("eml");
  await insertMail(trx, { id, documentId, sealed: store.cipher.seal(id, address), due });
  return id;
}
