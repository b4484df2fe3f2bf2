/** How the provider of a document is named in the PDF. */
import type { Provider } from "../../storage/stored-values.ts";
import type { ProviderDescription } from "../domain/provider-adapter.ts";
import { type Text, toText } from "../foundation/text.ts";

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
