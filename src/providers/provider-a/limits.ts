/** Finds what a canonical document asks for and this provider cannot do (docs/contract.md#rules-of-provider_a). Pure. */
import type { ErrorCode, Problem } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import type { CanonicalDocument } from "../../domain/canonical-document.ts";

/** The code of such a refusal: 422 on acceptance, `rejected` if it only became so while the document waited. */
export const UNSUPPORTED_CODE = "not_supported" satisfies ErrorCode;

/** Its format has no field for `vatPaymentSuspension`. */
export const SUSPENSION_IS_NOT_SENT: Text = {
  en: "vat_payment_suspension: provider_a does not send it to the authority; set it in the account there",
  el: "vat_payment_suspension: το provider_a δεν το διαβιβάζει στην ΑΑΔΕ· ορίστε το στον εκεί λογαριασμό",
};

/**
 * Every reason why the provider cannot issue `document`; empty if it can. `today` is the date in Athens,
 * `YYYY-MM-DD`, because the provider dates documents itself. Paths are relative to the document.
 */
export function checkForProviderA(
  document: Pick<CanonicalDocument, "issue_date" | "payments">,
  today: string,
): Problem[] {
  const problems: Problem[] = [];
  if (document.issue_date !== today) {
    const message = {
      en: "must be today in Athens: provider_a dates a document on the day it issues it",
      el: "πρέπει να είναι η σημερινή ημερομηνία στην Αθήνα: το provider_a χρονολογεί κάθε παραστατικό την ημέρα έκδοσης",
    };
    problems.push({ path: "issue_date", message });
  }
  const methods = new Set(document.payments?.map(({ method }) => method));
  if (methods.size > 1) {
    const message = {
      en: "must have one method only: provider_a accepts one payment method per document",
      el: "πρέπει να έχει έναν μόνο τρόπο πληρωμής: το provider_a δέχεται έναν ανά παραστατικό",
    };
    problems.push({ path: "payments", message });
  }
  return problems;
}
