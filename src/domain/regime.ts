/**
 * Since 1 October 2026 invoices between Greek businesses must go through a licensed provider, not straight to the registry
 * (docs/contract.md#regime, docs/authority.md#regime).
 */
import { AppError } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import type { CanonicalDocument } from "./canonical-document.ts";
import { isInvoice } from "./document-types.ts";
import type { ProviderDescription } from "./provider-adapter.ts";

type Regime = "warn" | "refuse" | "off";

const LICENSED_ONLY_FROM = "2026-10-01";

const MUST_USE_LICENSED_PROVIDER: Text = {
  en:
    `invoices between Greek businesses dated from ${LICENSED_ONLY_FROM} on must be issued through a licensed provider; ` +
    "this one goes straight to the registry",
  el:
    `τα τιμολόγια μεταξύ ελληνικών επιχειρήσεων από ${LICENSED_ONLY_FROM} και μετά πρέπει να εκδίδονται μέσω αδειοδοτημένου ` +
    "παρόχου· αυτό πηγαίνει κατευθείαν στην ΑΑΔΕ",
};

/** Undefined when the rule does not apply to the document. */
export function regimeWarning(
  document: CanonicalDocument,
  provider: Pick<ProviderDescription, "isAuthority">,
  regime: Regime,
): Text | undefined {
  const isBetweenBusinesses = isInvoice(document.type) && document.customer?.tax_id.country === "GR";
  const applies =
    provider.isAuthority === true && isBetweenBusinesses && document.issue_date >= LICENSED_ONLY_FROM;
  return applies && regime !== "off" ? MUST_USE_LICENSED_PROVIDER : undefined;
}

/** Throws `regime_mismatch` when there is a warning and the configuration says to refuse. */
export function refuseByRegime(warning: Text | undefined, regime: Regime): void {
  if (warning !== undefined && regime === "refuse") throw new AppError("regime_mismatch", warning);
}
