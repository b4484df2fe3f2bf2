/**
 * What an invoice has to show on paper though the registry does without it: full names and addresses (VAT directive, article
 * 226.5; L. 4308/2014, article 9). The specification lets Greek parties come with their tax number alone, so this is no
 * part of the classification's warnings: it is told to a person who looks at a document before it is issued.
 */
import type { Settings } from "../merchants/merchant-settings.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";

const REGISTRY = "an invoice shows it, though the registry does without";

/** A sentence for each thing that will be missing on our paper form; none for receipts, which name no customer. */
export function missingOnPaper(document: CanonicalDocument, paper: Settings["paper"]): string[] {
  const { supplier, customer } = document;
  if (customer === undefined) return [];
  const missing: string[] = [];
  if (supplier.address === undefined && paper.address === undefined) {
    missing.push(
      "supplier: no address; an invoice shows it: give supplier.address, or set paper.address of the merchant",
    );
  }
  if (customer.name === undefined) missing.push(`customer: no name; ${REGISTRY}`);
  if (customer.address === undefined) missing.push(`customer: no address; ${REGISTRY}`);
  return missing;
}
