/** Decides what happens to a document after a send, a send that was never made, or a claim whose worker died. */
import type { DocumentPhase } from "../../storage/stored-values.ts";
import { buildErrorObject } from "../foundation/errors.ts";
import type { Text } from "../foundation/text.ts";
import {
  accepted,
  credentialsRefused,
  type Decision,
  type DeliveryState,
  failed,
  issued,
  NO_CHANGES,
  numberTaken,
  rejected,
} from "./decision.ts";
import { type DeliveryPolicy, pollDelayMs, retryDelayMs, withRetryAfter } from "./delivery-delays.ts";
import type { IssueOutcome, NotSentOutcome } from "./provider-adapter.ts";

/** Decides about a document in `submitting` from the outcome of its send. */
export function decideAfterSend(
  state: DeliveryState,
  outcome: IssueOutcome,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  switch (outcome.kind) {
    case "issued":
      return issued(outcome);
    case "accepted":
      // The first query follows at once: the provider may already have the MARK.
      return accepted(outcome, nowMs, 0);
    case "rejected":
      return rejected(outcome.error);
    case "credentials_refused":
      return credentialsRefused("queued", state, outcome.error);
    case "not_sent":
      return outcome.isUntried === true
        ? decideUntried(outcome, nowMs)
        : decideNotSent(state, outcome, policy, nowMs);
    case "number_taken":
      return numberTaken(outcome, nowMs);
    case "unknown":
      return {
        ...NO_CHANGES,
        phase: "reconciling",
        call: "unknown",
        error: outcome.error,
        nextAtMs: nowMs + withRetryAfter(pollDelayMs(0, policy.random), outcome.retryAfterMs),
      };
  }
}

/** Certainly not registered: sent again after a pause, or failed after the last attempt. */
function decideNotSent(
  state: DeliveryState,
  { error, retryAfterMs }: NotSentOutcome,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  const delayMs = retryDelayMs(state.attempts, policy);
  if (delayMs === undefined) return failed(state.attempts, error);
  const nextAtMs = nowMs + withRetryAfter(delayMs, retryAfterMs);
  return { ...NO_CHANGES, phase: "queued", call: "transient", error, nextAtMs };
}

/** Not even tried because of another document in the batch: due again at once, without losing an attempt. */
function decideUntried({ error, retryAfterMs }: NotSentOutcome, nowMs: number): Decision {
  const nextAtMs = nowMs + withRetryAfter(0, retryAfterMs);
  return { ...NO_CHANGES, phase: "queued", call: "transient", error, nextAtMs, refundsAttempt: true };
}

/** Why a queued document cannot be sent at all. */
export type Unsendable = "disconnected" | "no_number";

const UNSENDABLE_MESSAGES: Readonly<Record<Unsendable, Text>> = {
  disconnected: {
    en: "The merchant was disconnected from the provider before the document was sent; connect it again and retry the document",
    el: "Η επιχείρηση αποσυνδέθηκε από τον πάροχο πριν σταλεί το παραστατικό· συνδέστε την ξανά και επαναλάβετε την αποστολή",
  },
  no_number: {
    en: "The document's series has no numbers left; set another series in the merchant's settings and issue the document again",
    el: "Η σειρά του παραστατικού δεν έχει άλλους αριθμούς· ορίστε άλλη σειρά στις ρυθμίσεις της επιχείρησης και εκδώστε το παραστατικό ξανά",
  },
};

/** Fails a queued document that cannot be sent. Nothing was sent, so it can be retried once the reason is gone. */
export function decideUnsendable(reason: Unsendable): Decision {
  const code = reason === "disconnected" ? "connection_unavailable" : "invalid_state";
  return {
    ...NO_CHANGES,
    phase: "failed",
    call: "not_supported",
    event: "document.failed",
    error: buildErrorObject(code, UNSENDABLE_MESSAGES[reason], { retryable: reason === "disconnected" }),
  };
}

/**
 * Decides about a claim whose worker did not come back. A send may have arrived, so the document is reconciled; a query that died is
 * repeated.
 */
export function decideRescue(phase: DocumentPhase, policy: DeliveryPolicy, nowMs: number): Decision {
  const next = phase === "awaiting_mark" ? phase : "reconciling";
  const pauseMs = next === "reconciling" ? pollDelayMs(0, policy.random) : 0;
  return { ...NO_CHANGES, phase: next, call: "unknown", nextAtMs: nowMs + pauseMs };
}
