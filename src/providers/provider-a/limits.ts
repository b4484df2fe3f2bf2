/** What the canonical document can say and this provider cannot (providers facts A, points 3 and 4; decisions 16). Pure. */
import type { ErrorCode, Problem } from "../../foundation/errors.ts";
import type { CanonicalDocument } from "../../domain/canonical-document.ts";

/** The code under which such a document is refused: 422 when it arrives, `rejected` where it became so while it waited. */
export const UNSUPPORTED_CODE = "not_supported" satisfies ErrorCode;

/**
 * Every reason why the provider cannot issue `document`; empty when it can. `today` is the day in Athens, `YYYY-MM-DD`: the
 * provider dates what it issues itself. Paths are relative to the document.
 */
export function checkForProviderA(
  document: Pick<CanonicalDocument, "issue_date" | "payments">,
  today: string,
): Problem[] {
  const problems: Problem[] = [];
  if (document.issue_date !== today) {
    const message = "must be today in Athens: provider_a dates a document on the day when it issues it";
    problems.push({ path: "issue_date", message });
  }
  const methods = new Set(document.payments?.map(({ method }) => method));
  if (methods.size > 1) {
    const message = "must have one method only: provider_a takes one method of payment for a document";
    problems.push({ path: "payments", message });
  }
  return problems;
}
