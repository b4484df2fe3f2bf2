/** A party in lines of text. */
import type { Party } from "../canonical.ts";
import { LABELS, type Wording } from "./labels.ts";

/** The tax number, with the country before it where that is not Greece. */
export function taxIdText({ tax_id: { country, code } }: Party): string {
  return country === "GR" ? code : `${country} ${code}`;
}

/** `Εγκατάσταση / Branch 0 (έδρα / head office)`. */
export function branchText({ branch }: Party, wording: Wording): string {
  const text = `${wording.label("branch")} ${branch}`;
  return branch === 0 ? `${text} (${wording.say(LABELS.headOffice)})` : text;
}

/** Street, then postal code and city, then the country where it is not Greece; empty without an address. */
export function addressLines({ address, tax_id: { country } }: Party, wording: Wording): string[] {
  const place = country === "GR" ? [] : [countryName(country, wording)];
  if (address === undefined) return place;
  const street = [address.street, address.number].filter((part) => part !== undefined).join(" ");
  return [...(street === "" ? [] : [street]), `${address.postal_code} ${address.city}`, ...place];
}

/** Two letters that name no country stay as they are. */
function countryName(country: string, wording: Wording): string {
  // To the tax authorities this is Northern Ireland.
  if (country === "XI") return wording.say({ el: "Βόρεια Ιρλανδία", en: "Northern Ireland" });
  const named = (language: string) =>
    new Intl.DisplayNames([language], { type: "region", fallback: "code" }).of(country) ?? country;
  return wording.say({ el: named("el"), en: named("en") });
}
