/**
 * Invoices between Greek businesses must go through a licensed provider since 1 October 2026 (decisions 7): 1.1 and 2.1
 * to a Greek customer, sent straight to the registry.
 */
import { AppError } from "../foundation/errors.ts";
import type { CanonicalDocument } from "./canonical-document.ts";
import { isInvoice } from "./document-types.ts";
import type { Provider } from "../../storage/stored-values.ts";

const LICENSED_ONLY_FROM = "2026-10-01";

/** The warning, or undefined where the rule does not touch the document. */
export function regimeWarning(
  document: CanonicalDocument,
  provider: Provider,
  regime: "warn" | "refuse" | "off",
): string | undefined {
  const isBetweenBusinesses = isInvoice(document.type) && document.customer?.tax_id.country === "GR";
  const isTouched =
    provider === "registry_direct" && isBetweenBusinesses && document.issue_date >= LICENSED_ONLY_FROM;
  if (regime === "off" || !isTouched) return undefined;
  return (
    `invoices between Greek businesses dated from ${LICENSED_ONLY_FROM} on must be issued through a licensed provider; ` +
    "this one goes straight to the registry"
  );
}

/** Issuing refuses where the configuration says so. */
export function refuseByRegime(warning: string | undefined, regime: "warn" | "refuse" | "off"): void {
  if (warning !== undefined && regime === "refuse") throw new AppError("regime_mismatch", warning);
}
