/** Decides what happens to a document after its provider was queried: for its MARK, or for a send without an answer. */
import type { DocumentPhase } from "../../storage/stored-values.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
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
import { type DeliveryPolicy, pollDelayMs, withRetryAfter } from "./delivery-delays.ts";
import { type QueryConditions, reinterpretReconciliation } from "./outcome-rules.ts";
import type { NotSentOutcome, ReconcileOutcome, StatusOutcome, UnknownOutcome } from "./provider-adapter.ts";

type PolledPhase = "awaiting_mark" | "reconciling";

/** Decides about a document in `awaiting_mark` from the answer to "does it have its MARK yet?". */
export function decideAfterStatus(
  state: DeliveryState,
  outcome: StatusOutcome,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  switch (outcome.kind) {
    case "issued":
      return issued(outcome);
    case "rejected":
      return rejected(outcome.error);
    case "accepted":
      return accepted(outcome, nowMs + pollDelayMs(state.polls, policy.random), state.polls + 1);
    case "credentials_refused":
      return pollAfterRefusal("awaiting_mark", state, outcome.error, policy, nowMs);
    case "not_sent":
    case "unknown":
      return pollAgain("awaiting_mark", state, outcome, policy, nowMs);
  }
}

/** Decides about a document in `reconciling` from the answer to "what happened to this send?". */
export function decideAfterReconcile(
  state: DeliveryState,
  reported: ReconcileOutcome,
  conditions: QueryConditions,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  const outcome = reinterpretReconciliation(reported, conditions);
  switch (outcome.kind) {
    case "issued":
      return outcome.cancellationMark !== undefined && conditions.hasUnfoundSend
        ? decideCancelled(state, outcome, policy, nowMs)
        : issued(outcome);
    case "rejected":
      return rejected(outcome.error);
    case "accepted":
      return accepted(outcome, nowMs, 0);
    case "number_taken":
      return numberTaken(outcome, nowMs);
    case "credentials_refused":
      return pollAfterRefusal("reconciling", state, outcome.error, policy, nowMs);
    case "unknown":
      return outcome.numberOfAnother === true
        ? decideForeignNumber(state, outcome, policy, nowMs)
        : pollAgain("reconciling", state, outcome, policy, nowMs);
    case "not_sent":
      return pollAgain("reconciling", state, outcome, policy, nowMs);
    case "absent":
      return decideAbsence(state, policy, nowMs);
  }
}

/** The query itself failed: nothing new is known, so it is repeated later. */
function pollAgain(
  phase: PolledPhase,
  state: DeliveryState,
  outcome: NotSentOutcome | UnknownOutcome,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  const delayMs = pollDelayMs(state.polls, policy.random);
  return {
    ...NO_CHANGES,
    phase,
    call: outcome.kind === "unknown" ? "unknown" : "transient",
    error: outcome.error,
    polls: state.polls + 1,
    absences: state.absences,
    nextAtMs: nowMs + withRetryAfter(delayMs, outcome.retryAfterMs),
  };
}

/** The account was refused during a query: the document stays in its phase and is polled at growing intervals. */
function pollAfterRefusal(
  phase: PolledPhase,
  state: DeliveryState,
  error: ErrorObject,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  const nextAtMs = nowMs + pollDelayMs(state.polls, policy.random);
  return { ...credentialsRefused(phase, state, error), polls: state.polls + 1, nextAtMs };
}

/** A listing may lag behind, so a document is certainly absent only after enough queries over enough time. */
function isCertainlyAbsent(state: DeliveryState, { settle }: DeliveryPolicy, nowMs: number): boolean {
  const reconcilingMs = nowMs - (state.stageSinceMs ?? nowMs);
  return state.absences + 1 >= settle.askings && reconcilingMs >= settle.seconds * 1000;
}

/**
 * The document is not at the provider and another one has its number. Once the absence is certain it takes the next number:
 * a send under this one would replace the other document (docs/contract.md#unknown-outcomes-at-a-provider).
 */
function decideForeignNumber(
  state: DeliveryState,
  outcome: UnknownOutcome,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  if (isCertainlyAbsent(state, policy, nowMs)) return numberTaken(outcome, nowMs);
  const waiting = pollAgain("reconciling", state, outcome, policy, nowMs);
  return { ...waiting, absences: state.absences + 1, markOfAnother: outcome.markOfAnother ?? null };
}

/**
 * All MARKs that are listed are cancelled, but another send may have replaced them and be listed later: nobody cancelled the
 * document then.
 */
function decideCancelled(
  state: DeliveryState,
  outcome: Extract<ReconcileOutcome, { kind: "issued" }>,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  return isCertainlyAbsent(state, policy, nowMs) ? issued(outcome) : countAbsence(state, policy, nowMs);
}

function countAbsence(state: DeliveryState, policy: DeliveryPolicy, nowMs: number): Decision {
  return {
    ...NO_CHANGES,
    phase: "reconciling",
    call: "ok",
    polls: state.polls + 1,
    absences: state.absences + 1,
    nextAtMs: nowMs + pollDelayMs(state.polls, policy.random),
  };
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
  nowMs: number,
): Decision {
  const wasLookedUp = phase === "reconciling";
  return {
    ...NO_CHANGES,
    phase: "reconciling",
    call: "unknown",
    error,
    polls: wasLookedUp ? state.polls + 1 : 0,
    nextAtMs: nowMs + pollDelayMs(wasLookedUp ? state.polls : 0, policy.random),
  };
}

function decideAbsence(state: DeliveryState, policy: DeliveryPolicy, nowMs: number): Decision {
  if (!isCertainlyAbsent(state, policy, nowMs)) return countAbsence(state, policy, nowMs);
  if (state.attempts < policy.delaysSeconds.length)
    return { ...NO_CHANGES, phase: "queued", call: "ok", nextAtMs: nowMs };
  const unanswered = buildErrorObject("provider_unavailable", {
    en: "The provider did not answer",
    el: "Ο πάροχος δεν απάντησε",
  });
  return { ...failed(state.attempts, unanswered), call: "ok" };
}
