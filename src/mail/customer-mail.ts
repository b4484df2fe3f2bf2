/** Remembers which mail went to which customer last, to suggest its address for the next one (docs/contract.md#mail). */
import { type CustomerKey, findCustomerRow } from "../../storage/merchants/customers.ts";
import { findMail } from "../../storage/documents/mails.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { readContents } from "../documents/contents.ts";
import type { Context } from "../journal/context.ts";
import { addressOf, isSentOrWaiting } from "./mail-object.ts";

/** The customer of a document; undefined if it names none. */
export async function customerOf(
  context: Context,
  mode: Mode,
  documentId: string,
): Promise<CustomerKey | undefined> {
  const { object, merchantId } = await readContents(context, mode, documentId);
  const taxId = object.document.customer?.tax_id;
  return taxId === undefined
    ? undefined
    : { merchant_id: merchantId, mode, country: taxId.country, code: taxId.code };
}

/** The address of the last mail to the document's customer, unless it was refused or erased. */
export async function suggestAddress(
  context: Context,
  mode: Mode,
  documentId: string,
): Promise<string | undefined> {
  const { store } = context;
  const customer = await customerOf(context, mode, documentId);
  if (customer === undefined) return undefined;
  const { mail_id: id = null } = (await findCustomerRow(store.read, customer)) ?? {};
  const mail = id === null ? undefined : await findMail(store.read, id);
  return mail === undefined || !isSentOrWaiting(mail) ? undefined : addressOf(store.cipher, mail);
}
