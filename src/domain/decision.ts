/**
 * The decision about a document after a provider call: its parts, the decisions that sends and queries share, and how long to wait before
 * the next one (docs/contract.md#delivery-attempts, docs/contract.md#polling).
 */
import type { DocumentPhase, EventType, StoredCallOutcome } from "../../storage/stored-values.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import type { IssueOutcome, ReconcileOutcome, Registration } from "./provider-adapter.ts";

export interface DeliveryState {
  /** Sends begun since a person last queued it, including the current one. */
  attempts: number;
  /** Queries in the current stage, excluding the current one. */
  polls: number;
  /** Earlier queries in `reconciling` that found nothing. */
  absences: number;
  /** When the current stage began; null outside awaiting_mark and reconciling. */
  stageSinceMs: number | null;
}

/** What happens to the document's number (docs/contract.md#number-states): kept, given to the next document, or skipped. */
export type NumberDecision = "keep" | "release" | "pass";

export interface Decision {
  /** The next phase; the current one if the document does not move. */
  phase: DocumentPhase;
  event: Extract<EventType, "document.issued" | "document.rejected" | "document.failed"> | null;
  /** The outcome recorded on the provider call. */
  call: StoredCallOutcome;
  /** The error of the call; also the document's if `phase` is rejected or failed. */
  error: ErrorObject | null;
  number: NumberDecision;
  /** When the document is due again; null in a final phase and while it waits for its connection. */
  nextAtMs: number | null;
  mark: string | null;
  /** Set if somebody cancelled the MARK before we learned it. */
  cancellationMark: string | null;
  /** The MARK of another document that has this number at the provider, if known. */
  markOfAnother: string | null;
  registration: Registration | null;
  providerRef: string | null;
  polls: number;
  absences: number;
  refundsAttempt: boolean;
  /** The credentials were refused: the connection becomes invalid and its queued documents wait. */
  invalidatesConnection: boolean;
  /** Further MARKs of the same uid, to be cancelled. */
  surplusMarks: readonly string[];
}

export const NO_CHANGES = {
  event: null,
  error: null,
  number: "keep",
  nextAtMs: null,
  mark: null,
  cancellationMark: null,
  markOfAnother: null,
  registration: null,
  providerRef: null,
  polls: 0,
  absences: 0,
  refundsAttempt: false,
  invalidatesConnection: false,
  surplusMarks: [],
} as const satisfies Omit<Decision, "phase" | "call">;

export function issued(outcome: Extract<ReconcileOutcome, { kind: "issued" }>): Decision {
  return {
    ...NO_CHANGES,
    phase: "issued",
    call: "ok",
    event: "document.issued",
    mark: outcome.mark,
    registration: outcome,
    surplusMarks: outcome.surplusMarks ?? [],
    cancellationMark: outcome.cancellationMark ?? null,
  };
}

export function accepted(
  outcome: Extract<IssueOutcome, { kind: "accepted" }>,
  nextAtMs: number,
  polls: number,
): Decision {
  return {
    ...NO_CHANGES,
    phase: "awaiting_mark",
    call: "ok",
    nextAtMs,
    polls,
    providerRef: outcome.providerRef,
    registration: outcome,
  };
}

export function rejected(error: ErrorObject): Decision {
  return {
    ...NO_CHANGES,
    phase: "rejected",
    call: "rejected",
    event: "document.rejected",
    error,
    number: "release",
  };
}

/** The last attempt is used up. Keeps the provider's own code and message. */
export function failed(attempts: number, error: ErrorObject): Decision {
  const { provider_code, provider_message } = error;
  const message = {
    en: `The provider could not be reached (tried ${attempts === 1 ? "once" : `${attempts} times`}); retry the document when it is available again`,
    el: `Ο πάροχος δεν ήταν διαθέσιμος (${attempts === 1 ? "μία προσπάθεια" : `${attempts} προσπάθειες`})· επαναλάβετε την αποστολή όταν απαντήσει`,
  };
  return {
    ...NO_CHANGES,
    phase: "failed",
    call: "transient",
    event: "document.failed",
    error: { ...buildErrorObject("provider_unavailable", message), provider_code, provider_message },
  };
}

/** The account was refused: nothing is registered, and the document waits without losing an attempt. */
export function credentialsRefused(
  phase: "queued" | "reconciling",
  state: DeliveryState,
  error: ErrorObject,
): Decision {
  return {
    ...NO_CHANGES,
    phase,
    call: "rejected",
    error,
    polls: state.polls,
    absences: state.absences,
    refundsAttempt: true,
    invalidatesConnection: true,
  };
}

/** Another document has the number: it is skipped and the next one is sent. */
export function numberTaken(
  outcome: { error: ErrorObject; markOfAnother?: string },
  nowMs: number,
): Decision {
  return {
    ...NO_CHANGES,
    phase: "queued",
    call: "rejected",
    error: outcome.error,
    number: "pass",
    nextAtMs: nowMs,
    markOfAnother: outcome.markOfAnother ?? null,
  };
}

/** How long a document waits for the next attempt, and the time of the decision. */
export interface DeliveryPolicy {
  /** Pause before each attempt, starting with the first; one entry per attempt (`issuing.delays_seconds`). */
  delaysSeconds: readonly number[];
  /** How often and for how long a document must be absent before its absence counts as certain (set by the adapter). */
  settle: { askings: number; seconds: number };
  /** 0 to 1, for the jitter. */
  random(): number;
  nowMs: number;
}

const POLL_MS_MIN = 2_000;
const POLL_MS_MAX = 60_000;
/** Cap on the pause that a provider may request. */
const RETRY_AFTER_MS_MAX = 3_600_000;
const JITTER = 0.1;

/** The pause after `polls` queries: doubles from 2 s to 60 s, ±10 % to spread the documents of one outage. */
export function pollDelayMs(polls: number, random: () => number): number {
  return jittered(Math.min(POLL_MS_MAX, POLL_MS_MIN * 2 ** Math.min(polls, 10)), random);
}

/** The pause before the next send after `attempts` sends; undefined when no attempt is left. */
export function retryDelayMs(attempts: number, policy: DeliveryPolicy): number | undefined {
  const seconds = policy.delaysSeconds[attempts];
  return seconds === undefined ? undefined : jittered(seconds * 1000, policy.random);
}

/** The longer of our own pause and the one the provider requested, up to an hour. */
export function withRetryAfter(delayMs: number, retryAfterMs: number | undefined): number {
  return Math.max(delayMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}

/** The longest that a document may wait under this schedule. */
export function longestDelayMs(delaysSeconds: readonly number[]): number {
  return Math.max(
    RETRY_AFTER_MS_MAX,
    ...[...delaysSeconds, POLL_MS_MAX / 1000].map((seconds) => seconds * 1000 * (1 + JITTER)),
  );
}

function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 + JITTER * (2 * random() - 1)));
}
