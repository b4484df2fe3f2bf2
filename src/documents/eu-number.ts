/** The forms of VAT numbers in other EU countries, which the library knows (docs/contract.md#numbers-of-eu-customers). */
import { checkVAT, countries } from "jsvat";
import type { Text } from "../foundation/text.ts";
import type { CanonicalDocument } from "../domain/canonical-document.ts";
import { needsEuNumber } from "../domain/classification.ts";
import { NORTHERN_IRELAND } from "../domain/tax-number.ts";

/** The warning about a number that no business of its country can have, where VAT is left out because of that number. */
export function warnAboutEuNumber(document: CanonicalDocument): Text[] {
  const taxId = document.customer?.tax_id;
  if (taxId === undefined || !needsEuNumber(document) || hasFormOf(taxId)) return [];
  const { country } = taxId;
  return [
    {
      en: `customer.tax_id.code: does not have the form of a VAT number of ${country}, and the sale is without VAT because of that number`,
      el: `customer.tax_id.code: δεν έχει τη μορφή αριθμού ΦΠΑ της χώρας ${country}, και η πώληση είναι χωρίς ΦΠΑ λόγω αυτού του αριθμού`,
    },
  ];
}

/** Valid forms that the library does not know: Belgian numbers since 2023, and old Irish ones with a letter in second place. */
const FURTHER_FORMS = /^(?:BE1[0-9]{9}|IE[0-9][A-Z][0-9]{5}[A-Z])$/;

/** With or without the country's prefix. A French number may begin with the letters FR itself. */
function hasFormOf({ country, code }: { country: string; code: string }): boolean {
  // Northern Ireland's numbers have the form of the United Kingdom's.
  const prefix = country === NORTHERN_IRELAND ? "GB" : country;
  const bare = code.startsWith(country) ? code.slice(country.length) : code;
  return [code, bare]
    .map((digits) => prefix + digits)
    .some((number) => FURTHER_FORMS.test(number) || checkVAT(number, countries).isValidFormat);
}
