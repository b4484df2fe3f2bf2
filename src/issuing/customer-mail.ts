/** The address that a customer's last document went to, and the mail of a document that was just issued (docs/contract.md#mail). */
import { type CustomerKey, findCustomerRow, setCustomerMail } from "../../storage/merchants/customers.ts";
import { findMailingMerchants } from "../../storage/merchants/merchants.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { addressOf, findMail, type MailRow } from "../../storage/documents/mails.ts";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Config } from "../config/config.ts";

/** A mail that was refused, failed or erased does not count: nobody has received it. */
export function isSentOrWaiting({ status }: Pick<MailRow, "status">): boolean {
  return status === "waiting" || status === "sent";
}

/** Undefined if the last mail to the customer was refused or erased, or there was none. */
export async function findCustomerAddress(
  session: Session,
  cipher: Cipher,
  customer: CustomerKey,
): Promise<string | undefined> {
  const { mail_id: id = null } = (await findCustomerRow(session, customer)) ?? {};
  const mail = id === null ? undefined : await findMail(session, { id });
  return mail === undefined || !isSentOrWaiting(mail) ? undefined : addressOf(cipher, mail);
}

/** Test keys are given away lightly, and mails from the operator's address must not be. */
export function mayBeMailed({ mail }: Pick<Config, "mail">, mode: Mode, to: string): boolean {
  return mode === "live" || mail.testTo.some((address) => address.toLowerCase() === to.toLowerCase());
}

export interface NewMail {
  documentId: string;
  to: string;
  /** Null if no form ordered it. */
  formKey: string | null;
}

/** Stores a mail and returns its id. It is due now, unless it is `unsent`: recorded only. No server refuses a mail without a reason. */
export async function insertMail(
  trx: Transaction,
  { documentId, to, formKey }: NewMail,
  how: "due" | "unsent",
): Promise<string> {
  const id = trx.newId("eml");
  const sealed = trx.cipher.seal(placeIn("mails", id), to);
  const state =
    how === "due"
      ? ({ status: "waiting", due_at: new Date(trx.clockMs).toISOString() } as const)
      : ({ status: "refused", due_at: null } as const);
  const row = { id, document_id: documentId, sealed, form_key: formKey, ...state, created_at: trx.now };
  await trx.insertRows({ mails: [row] });
  return id;
}

/** Queues the mail of a document that was just issued, if its merchant wants that and its customer had one before. */
export async function mailIssued(
  trx: Transaction,
  config: Pick<Config, "mail">,
  { id, mode, merchant_id, customer_country: country, customer_hash: hash }: DocumentRow,
): Promise<void> {
  if (country === null || hash === null) return;
  if (!(await findMailingMerchants(trx, mode)).has(merchant_id)) return;
  const customer = { merchant_id, mode, country, hash };
  const to = await findCustomerAddress(trx, trx.cipher, customer);
  if (to === undefined) return;
  const mail = { documentId: id, to, formKey: null };
  if (!mayBeMailed(config, mode, to)) return void (await insertMail(trx, mail, "unsent"));
  const mailId = await insertMail(trx, mail, "due");
  await setCustomerMail(trx, { ...customer, mail_id: mailId });
}
