/** Formats a party as lines of text. */
import type { Party } from "../domain/canonical-document.ts";
import { LABELS, type Wording } from "./labels.ts";

/**
 * The tax number, alone between Greek parties. Across a border it has its country as prefix, which is EL for Greece (VAT
 * Directive, articles 215 and 226(3)).
 */
export function taxIdText({ tax_id: { country, code } }: Party, isAbroad: boolean): string {
  if (country !== "GR") return `${country} ${code}`;
  return isAbroad ? `EL ${code}` : code;
}

/** `Εγκατάσταση / Branch 0 (έδρα / head office)`. */
export function branchText({ branch }: Party, wording: Wording): string {
  const text = `${wording.label("branch")} ${branch}`;
  return branch === 0 ? `${text} (${wording.format(LABELS.headOffice)})` : text;
}

/** Street, then postal code and city, then the country where it is not Greece; empty without an address. */
export function addressLines({ address, tax_id: { country } }: Party, wording: Wording): string[] {
  const place = country === "GR" ? [] : [countryName(country, wording)];
  if (address === undefined) return place;
  const street = [address.street, address.number].filter((part) => part !== undefined).join(" ");
  return [...(street === "" ? [] : [street]), `${address.postal_code} ${address.city}`, ...place];
}

/** A code that is not a country is returned unchanged. */
function countryName(country: string, wording: Wording): string {
  // The tax authorities use XI for Northern Ireland.
  if (country === "XI") return wording.format({ el: "Βόρεια Ιρλανδία", en: "Northern Ireland" });
  const named = (language: string) =>
    new Intl.DisplayNames([language], { type: "region", fallback: "code" }).of(country) ?? country;
  return wording.format({ el: named("el"), en: named("en") });
}
