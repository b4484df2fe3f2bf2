/**
 * Decides what happens to a document after a provider call: a send, a query for its MARK or for a send without an answer, a send that was
 * never made, or a claim whose worker died.
 */
import type { DocumentPhase } from "../../storage/stored-values.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import {
  accepted,
  credentialsRefused,
  type Decision,
  type DeliveryPolicy,
  type DeliveryState,
  failed,
  issued,
  NO_CHANGES,
  numberTaken,
  pollDelayMs,
  rejected,
  retryDelayMs,
  withRetryAfter,
} from "./decision.ts";
import { type QueryConditions, reinterpretReconciliation } from "./adjust-outcomes.ts";
import type {
  FailedQuery,
  IssueOutcome,
  NotSentOutcome,
  ReconcileOutcome,
  StatusOutcome,
} from "./provider-adapter.ts";
import type { Text } from "../foundation/text.ts";

export function decideAfterSend(
  state: DeliveryState,
  outcome: IssueOutcome,
  policy: DeliveryPolicy,
): Decision {
  switch (outcome.kind) {
    case "issued":
      return issued(outcome);
    case "accepted":
      // The first query follows at once: the provider may already have the MARK.
      return accepted(outcome, policy.nowMs, 0);
    case "rejected":
      return rejected(outcome.error);
    case "credentials_refused":
      return credentialsRefused("queued", state, outcome.error);
    case "not_sent":
      return outcome.isUntried === true
        ? decideUntried(outcome, policy.nowMs)
        : decideNotSent(state, outcome, policy);
    case "number_taken":
      return numberTaken(outcome, policy.nowMs);
    case "unknown":
      return {
        ...NO_CHANGES,
        phase: "reconciling",
        call: "unknown",
        error: outcome.error,
        nextAtMs: policy.nowMs + withRetryAfter(pollDelayMs(0, policy.random), outcome.retryAfterMs),
      };
  }
}

/** Certainly not registered: sent again after a pause, or failed after the last attempt. */
function decideNotSent(
  state: DeliveryState,
  { error, retryAfterMs }: NotSentOutcome,
  policy: DeliveryPolicy,
): Decision {
  const delayMs = retryDelayMs(state.attempts, policy);
  if (delayMs === undefined) return failed(state.attempts, error);
  const nextAtMs = policy.nowMs + withRetryAfter(delayMs, retryAfterMs);
  return { ...NO_CHANGES, phase: "queued", call: "transient", error, nextAtMs };
}

/** Not even tried because of another document in the batch: due again at once, without losing an attempt. */
function decideUntried({ error, retryAfterMs }: NotSentOutcome, nowMs: number): Decision {
  const nextAtMs = nowMs + withRetryAfter(0, retryAfterMs);
  return { ...NO_CHANGES, phase: "queued", call: "transient", error, nextAtMs, refundsAttempt: true };
}

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
export function decideRescue(phase: DocumentPhase, nowMs: number, random = Math.random): Decision {
  const next = phase === "awaiting_mark" ? phase : "reconciling";
  const pauseMs = next === "reconciling" ? pollDelayMs(0, random) : 0;
  return { ...NO_CHANGES, phase: next, call: "unknown", nextAtMs: nowMs + pauseMs };
}

export function decideAfterStatus(
  state: DeliveryState,
  outcome: StatusOutcome,
  policy: DeliveryPolicy,
): Decision {
  const delayMs = pollDelayMs(state.polls, policy.random);
  switch (outcome.kind) {
    case "issued":
      return issued(outcome);
    case "rejected":
      return rejected(outcome.error);
    case "accepted":
      return accepted(outcome, policy.nowMs + delayMs, state.polls + 1);
    default:
      return { ...afterFailedQuery(state, outcome, delayMs, policy.nowMs), phase: "awaiting_mark" };
  }
}

export function decideAfterReconcile(
  state: DeliveryState,
  reported: ReconcileOutcome,
  conditions: QueryConditions,
  policy: DeliveryPolicy,
): Decision {
  const outcome = reinterpretReconciliation(reported, conditions);
  const isCertain = isCertainlyAbsent(state, policy);
  const delayMs = pollDelayMs(state.polls, policy.random);
  const absences = state.absences + 1;
  const absentSoFar = {
    ...NO_CHANGES,
    phase: "reconciling",
    call: "ok",
    polls: state.polls + 1,
    absences,
    nextAtMs: policy.nowMs + delayMs,
  } as const;
  switch (outcome.kind) {
    case "issued": {
      // All MARKs that are listed are cancelled, but another send may have replaced them and be listed later: nobody cancelled
      // the document then.
      const mayBeReplaced = outcome.cancellationMark !== undefined && conditions.hasUnfoundSend;
      return mayBeReplaced && !isCertain ? absentSoFar : issued(outcome);
    }
    case "rejected":
      return rejected(outcome.error);
    case "accepted":
      return accepted(outcome, policy.nowMs, 0);
    case "number_taken":
      return numberTaken(outcome, policy.nowMs);
    case "absent":
      return isCertain ? decideAbsence(state, policy) : absentSoFar;
    case "unknown": {
      const waiting = afterFailedQuery(state, outcome, delayMs, policy.nowMs);
      if (outcome.numberOfAnother !== true) return waiting;
      // The document is not at the provider and another one has its number. Once the absence is certain it takes the next number: a
      // send under this one would replace the other document (docs/contract.md#unknown-outcomes-at-a-provider).
      if (isCertain) return numberTaken(outcome, policy.nowMs);
      return { ...waiting, absences, markOfAnother: outcome.markOfAnother ?? null };
    }
    default:
      return afterFailedQuery(state, outcome, delayMs, policy.nowMs);
  }
}

/** The query itself failed, or the account was refused: nothing new is known, so it is repeated at growing intervals. */
function afterFailedQuery(
  state: DeliveryState,
  outcome: FailedQuery,
  delayMs: number,
  nowMs: number,
): Decision {
  const polls = state.polls + 1;
  if (outcome.kind === "credentials_refused")
    return { ...credentialsRefused("reconciling", state, outcome.error), polls, nextAtMs: nowMs + delayMs };
  return {
    ...NO_CHANGES,
    phase: "reconciling",
    call: outcome.kind === "unknown" ? "unknown" : "transient",
    error: outcome.error,
    polls,
    absences: state.absences,
    nextAtMs: nowMs + withRetryAfter(delayMs, outcome.retryAfterMs),
  };
}

/** A listing may lag behind, so a document is certainly absent only after enough queries over enough time. */
function isCertainlyAbsent(state: DeliveryState, { settle, nowMs }: DeliveryPolicy): boolean {
  const reconcilingMs = nowMs - (state.stageSinceMs ?? nowMs);
  return state.absences + 1 >= settle.askings && reconcilingMs >= settle.seconds * 1000;
}

function decideAbsence(state: DeliveryState, policy: DeliveryPolicy): Decision {
  if (state.attempts < policy.delaysSeconds.length)
    return { ...NO_CHANGES, phase: "queued", call: "ok", nextAtMs: policy.nowMs };
  const unanswered = buildErrorObject("provider_unavailable", {
    en: "The provider did not answer",
    el: "Ο πάροχος δεν απάντησε",
  });
  return { ...failed(state.attempts, unanswered), call: "ok" };
}

/**
 * The MARK that the provider reported is another document's here, so it is not accepted and the document is looked up by its
 * identity (docs/contract.md#mark-of-another-document).
 */
export function decideTakenMark(
  phase: DocumentPhase,
  state: DeliveryState,
  error: ErrorObject,
  policy: DeliveryPolicy,
): Decision {
  const wasLookedUp = phase === "reconciling";
  return {
    ...NO_CHANGES,
    phase: "reconciling",
    call: "unknown",
    error,
    polls: wasLookedUp ? state.polls + 1 : 0,
    nextAtMs: policy.nowMs + pollDelayMs(wasLookedUp ? state.polls : 0, policy.random),
  };
}
