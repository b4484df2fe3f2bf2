/** Names of units, payment methods, VAT categories and providers in the PDF. Greek names follow the tax authority's lists. */
import type { Provider } from "../../storage/stored-values.ts";
import type { ProviderDescription } from "../domain/provider-adapter.ts";
import { type Text, toText } from "../foundation/text.ts";
import type { PAYMENT_METHODS, UNITS, VatCategory } from "../domain/document-codes.ts";

export const UNIT_WORDS: Readonly<Record<keyof typeof UNITS, Text>> = {
  piece: { el: "τεμ.", en: "pcs" },
  kg: { el: "κιλά", en: "kg" },
  litre: { el: "λίτρα", en: "l" },
  metre: { el: "μέτρα", en: "m" },
  square_metre: { el: "τ.μ.", en: "m²" },
  cubic_metre: { el: "κ.μ.", en: "m³" },
};

export const PAYMENT_WORDS: Readonly<Record<keyof typeof PAYMENT_METHODS, Text>> = {
  domestic_account: { el: "Λογαριασμός πληρωμών ημεδαπής", en: "Domestic account" },
  foreign_account: { el: "Λογαριασμός πληρωμών αλλοδαπής", en: "Foreign account" },
  cash: { el: "Μετρητά", en: "Cash" },
  cheque: { el: "Επιταγή", en: "Cheque" },
  on_credit: { el: "Επί πιστώσει", en: "On credit" },
  web_banking: { el: "Web banking", en: "Web banking" },
  pos: { el: "POS / e-POS", en: "POS / e-POS" },
  iris: { el: "Άμεσες πληρωμές IRIS", en: "IRIS instant payment" },
};

/** Printed after the rate. */
export const VAT_WORDS: Readonly<Record<VatCategory, Text>> = {
  standard: { el: "κανονικός", en: "standard" },
  reduced: { el: "μειωμένος", en: "reduced" },
  super_reduced: { el: "υπερμειωμένος", en: "super reduced" },
  standard_island: { el: "κανονικός νησιών", en: "standard, islands" },
  reduced_island: { el: "μειωμένος νησιών", en: "reduced, islands" },
  super_reduced_island: { el: "υπερμειωμένος νησιών", en: "super reduced, islands" },
  exempt: { el: "χωρίς ΦΠΑ", en: "without VAT" },
};

/** How the document reached the authority. */
export function describeProvider(provider: Provider, description: ProviderDescription | undefined): Text {
  const name = toText(description?.name ?? provider);
  // The sandbox, which nothing is connected to.
  if (description?.credentials === null) return name;
  if (description?.isAuthority === true)
    return { el: "απευθείας στην ΑΑΔΕ (myDATA)", en: "directly to the tax authority (AADE myDATA)" };
  return {
    el: `μέσω παρόχου ηλεκτρονικής τιμολόγησης (${name.el})`,
    en: `through an e-invoicing provider (${name.en})`,
  };
}
