/**
 * Finds details that an invoice must show on paper although the registry does not need them: names and addresses (VAT
 * Directive, article 226(5); L. 4308/2014, article 9). The contract accepts Greek parties with a tax number alone, so these
 * are not warnings of the classification: only a person who previews a document sees them.
 */
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import type { Text } from "../foundation/text.ts";
import type { Settings } from "../merchants/merchant-settings.ts";

const MUST_SHOW = { en: "which an invoice must show", el: "που πρέπει να φαίνεται στο τιμολόγιο" };
const ALTHOUGH = {
  en: "although the registry does not need it",
  el: "αν και η ΑΑΔΕ δεν τη χρειάζεται",
};

/** One sentence for each detail our PDF would lack; none for receipts, which name no customer. */
export function findMissingOnPaper(document: CanonicalDocument, paper: Settings["paper"]): Text[] {
  const { supplier, customer } = document;
  if (customer === undefined) return [];
  const missing: Text[] = [];
  if (supplier.address === undefined && paper.address === undefined) {
    missing.push({
      en: `supplier: no address, ${MUST_SHOW.en}: give supplier.address, or set the merchant's paper.address`,
      el: `εκδότης: χωρίς διεύθυνση, ${MUST_SHOW.el}: δώστε supplier.address ή ορίστε το paper.address της επιχείρησης`,
    });
  }
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
