/** Protects what live documents are filed under from changes with a test key (docs/contract.md#test-keys-and-live-merchants). */
import { isUsedInMode, type MerchantRow } from "../../storage/merchants/merchants.ts";
import type { Session } from "../../storage/database/session.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { AppError } from "../foundation/errors.ts";

/** Attributes of the merchant object that only live keys change once the merchant is live. */
const FILED_UNDER: ReadonlySet<string> = new Set(["tax_id", "branch", "name", "archived"]);

/** Throws `invalid_state` if a test key changes one of these attributes of a live merchant. */
export async function requireChangeable(
  session: Session,
  merchant: MerchantRow,
  changes: Readonly<Record<string, unknown>>,
  mode: Mode,
): Promise<void> {
  if (mode === "live" || !Object.keys(changes).some((name) => FILED_UNDER.has(name))) return;
  if (!(await isUsedInMode(session, merchant.id, "live"))) return;
  throw new AppError("invalid_state", {
    en: "This merchant has a live connection or live documents, so its name, tax number, branch and archiving can only be changed with a live key (on the command line with --live)",
    el: "Η επιχείρηση έχει παραγωγική σύνδεση ή παραγωγικά παραστατικά· η επωνυμία, το ΑΦΜ, η εγκατάσταση και η αρχειοθέτησή της αλλάζουν μόνο με παραγωγικό κλειδί (στη γραμμή εντολών με --live)",
  });
}
