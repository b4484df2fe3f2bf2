/**
 * Lists what a person should see of a document besides the warnings of its classification: the payment that is assumed, and what its
 * paper would lack although the registry does not need it, such as names and addresses (VAT Directive, article 226(5);
 * L. 4308/2014, article 9). The contract accepts Greek parties with a tax number alone.
 */
import type { CanonicalDocument, Payment } from "../domain/canonical-document.ts";
import { PAYMENT_WORDS } from "../domain/document-codes.ts";
import type { ProviderAdapter } from "../domain/provider-adapter.ts";
import type { Text } from "../foundation/text.ts";
import type { Settings } from "../merchants/settings.ts";
import { findUnprintable } from "./unprintable.ts";

const MUST_SHOW = { en: "which an invoice must show", el: "που πρέπει να φαίνεται στο τιμολόγιο" };
const ALTHOUGH = {
  en: "although the registry does not need it",
  el: "αν και η ΑΑΔΕ δεν τη χρειάζεται",
};

/** `payments` are those that are sent. Text that a PDF cannot show matters only where the PDF is ours. */
export function findNotes(
  document: CanonicalDocument,
  payments: readonly Payment[],
  { hasPdf }: Pick<ProviderAdapter, "hasPdf">,
): Text[] {
  return [
    ...(document.payments === undefined ? payments.map((payment) => assumedPayment(payment, document)) : []),
    ...findMissingOfCustomer(document),
    ...(hasPdf === false ? findUnprintable(document) : []),
  ];
}

function assumedPayment({ method }: Payment, { taxes }: CanonicalDocument): Text {
  const whole =
    taxes === undefined
      ? { en: "the whole gross", el: "όλο το σύνολο" }
      : { en: "all that is payable", el: "όλο το πληρωτέο" };
  return {
    en: `payments: none given, ${whole.en} is sent as ${method}`,
    el: `πληρωμές: δεν δόθηκαν, ${whole.el} στέλνεται ως «${PAYMENT_WORDS[method].el}»`,
  };
}

/** One note for each detail of the customer that any paper would lack; none for receipts, which name no customer. */
function findMissingOfCustomer({ customer }: CanonicalDocument): Text[] {
  if (customer === undefined) return [];
  const missing: Text[] = [];
  if (customer.name === undefined)
    missing.push({
      en: `customer: no name, ${MUST_SHOW.en} ${ALTHOUGH.en}`,
      el: `πελάτης: χωρίς επωνυμία, ${MUST_SHOW.el}, ${ALTHOUGH.el}`,
    });
  if (customer.address === undefined)
    missing.push({
      en: `customer: no address, ${MUST_SHOW.en} ${ALTHOUGH.en}`,
      el: `πελάτης: χωρίς διεύθυνση, ${MUST_SHOW.el}, ${ALTHOUGH.el}`,
    });
  return missing;
}

/** What our own PDF would lack of the supplier. Only a person who previews a document sees this: others may print it themselves. */
export function findMissingOfSupplier(
  { supplier, customer }: CanonicalDocument,
  { address, branches = {} }: Settings["paper"],
): Text[] {
  if (customer === undefined || supplier.address !== undefined) return [];
  if ((branches[String(supplier.branch)]?.address ?? address) !== undefined) return [];
  return [
    {
      en: `supplier: no address, ${MUST_SHOW.en}: give supplier.address, or set the merchant's paper.address`,
      el: `εκδότης: χωρίς διεύθυνση, ${MUST_SHOW.el}: δώστε supplier.address ή ορίστε το paper.address της επιχείρησης`,
    },
  ];
}
