/**
 * Changes what an adapter reported, before the decision, where more is known here than to the adapter: which account was
 * used, whether a send was ever made from here, and which tax numbers the account has issued for.
 */
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import type {
  CredentialsRefusedOutcome,
  IssueOutcome,
  ProviderAdapter,
  ReconcileOutcome,
  RejectedOutcome,
  UnknownOutcome,
} from "./provider-adapter.ts";

/** The adapter threw, or did not return one outcome per document: the documents may be registered. */
export function adapterFailed(): UnknownOutcome {
  const message = {
    en: "The adapter failed during the call",
    el: "Ο προσαρμογέας του παρόχου απέτυχε κατά την κλήση",
  };
  return { kind: "unknown", error: buildErrorObject("internal_error", message, { retryable: true }) };
}

/** The connection's credentials were deleted or cannot be decrypted, so no call was made. */
export function credentialsMissing(): CredentialsRefusedOutcome {
  const message = {
    en: "The connection's credentials are missing or cannot be read; disconnect it and connect the merchant again",
    el: "Τα διαπιστευτήρια της σύνδεσης λείπουν ή δεν διαβάζονται· αποσυνδέστε την και συνδέστε ξανά την επιχείρηση",
  };
  return { kind: "credentials_refused", error: buildErrorObject("provider_credentials_invalid", message) };
}

/** Conditions of a document in `reconciling` that its adapter cannot know. */
export interface QueryConditions {
  /** The connection that sent it is out of use, and the query used another account. */
  isOtherAccount: boolean;
  /** Nothing was ever sent from here: the document is only looked for after a restore. */
  isUnsent: boolean;
  /** An earlier send was looked up in vain, so the document may have several MARKs, not all of them listed yet. */
  hasUnfoundSend: boolean;
  numbering: ProviderAdapter["numbering"];
}

/**
 * - A number that shows another document, while this one was never sent from here, is taken: the document shown cannot be
 *   its own send, so it takes the next number at once.
 * - Where the provider identifies documents by account, an absence under another account proves nothing.
 */
export function reinterpretReconciliation(
  outcome: ReconcileOutcome,
  conditions: QueryConditions,
): ReconcileOutcome {
  const isOurs = conditions.numbering === "ours";
  if (outcome.kind === "unknown" && outcome.numberOfAnother === true && conditions.isUnsent && isOurs) {
    const { error, markOfAnother } = outcome;
    return { kind: "number_taken", error, ...(markOfAnother === undefined ? {} : { markOfAnother }) };
  }
  if (outcome.kind !== "absent" || !conditions.isOtherAccount || isOurs) return outcome;
  const message = {
    en: "The document was sent through a connection that is no longer in use, and the current one does not show it; check at the provider",
    el: "Το παραστατικό στάλθηκε με σύνδεση που δεν χρησιμοποιείται πια, και η τωρινή δεν το εμφανίζει· ελέγξτε στον πάροχο",
  };
  return { kind: "unknown", error: buildErrorObject("provider_unavailable", message) };
}

/** What is on record about the account of a send. */
export interface AccountConditions {
  /** The merchant's own tax number; null if it has none, undefined if the merchant is gone. */
  merchantTaxId: string | null | undefined;
  /** The tax numbers that the account has issued for before this send. */
  issuedSuppliers: readonly string[];
}

/** Whether the account was refused for the document's tax number only (the authority's error 105). */
export function isSupplierRefusal(outcome: ReconcileOutcome): outcome is CredentialsRefusedOutcome {
  return outcome.kind === "credentials_refused" && outcome.isAboutSupplier === true;
}

/** Whether one document's outcome can be decided before the others of its batch are known. */
export function isDecidableAlone(outcome: IssueOutcome): boolean {
  // Whether a refusal concerns the account or one tax number depends on the whole batch.
  return outcome.kind !== "credentials_refused";
}

/**
 * Rejects a document of a send alone, and leaves the connection valid, if the account was refused for the document's tax number but
 * issues for another one, in this send or before. A refusal of the merchant's own tax number always invalidates the connection
 * (docs/contract.md#refused-credentials).
 */
export function limitSupplierRefusals<Outcome extends ReconcileOutcome>(
  sent: readonly { supplier: string; outcome: Outcome }[],
  account: AccountConditions,
): (Outcome | RejectedOutcome)[] {
  const issuedNow = sent.filter(({ outcome }) => outcome.kind === "issued");
  const suppliers = new Set([...account.issuedSuppliers, ...issuedNow.map(({ supplier }) => supplier)]);
  return sent.map(({ supplier, outcome }) => {
    const issuesForAnother = [...suppliers].some((other) => other !== supplier);
    const isLimited = isSupplierRefusal(outcome) && supplier !== account.merchantTaxId && issuesForAnother;
    return isLimited ? rejectedForSupplier(outcome.error) : outcome;
  });
}

function rejectedForSupplier(error: ErrorObject): RejectedOutcome {
  const message = {
    en: "The account of the connection may not act for the document's supplier, although it issues for another; correct the supplier, or use a merchant with an account for that tax number, and issue the document again",
    el: "Ο λογαριασμός της σύνδεσης δεν έχει δικαίωμα για τον εκδότη του παραστατικού, ενώ εκδίδει για άλλον· διορθώστε τον εκδότη, ή χρησιμοποιήστε επιχείρηση με λογαριασμό για αυτό το ΑΦΜ, και εκδώστε το παραστατικό ξανά",
  };
  return {
    kind: "rejected",
    error: buildErrorObject("provider_rejected", message, { ...error, retryable: false }),
  };
}

/** Whether the provider answered at all, and the longest pause that it requested. */
export interface Contact {
  isAnswered: boolean;
  retryAfterMs: number | undefined;
}

/** `hadResponse`: an HTTP response below 500 arrived, even if it could not be read. */
export function contactFrom(outcomes: readonly ReconcileOutcome[], hadResponse: boolean): Contact {
  const pauses = outcomes.flatMap((outcome) =>
    "retryAfterMs" in outcome && outcome.retryAfterMs !== undefined ? [outcome.retryAfterMs] : [],
  );
  return {
    isAnswered: hadResponse || outcomes.some(({ kind }) => kind !== "not_sent" && kind !== "unknown"),
    retryAfterMs: pauses.length === 0 ? undefined : Math.max(...pauses),
  };
}
