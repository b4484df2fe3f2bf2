/**
 * Where a document stands, where it may go from there, and what an outcome makes of it. Everything here is pure: the
 * queue asks, and writes what it is told. docs/lifecycle.md draws the moves.
 *
 * - `queued`: waits to be sent. Nothing about it has left, or what left certainly did not arrive.
 * - `submitting`: a worker holds it and a provider call stands open. A process that dies here leaves it to the rescuer.
 * - `awaiting_mark`: the provider has taken it, the MARK follows; it is asked for until it comes.
 * - `reconciling`: a send has no answer. The provider is asked by identity before anything is sent again.
 * - `issued`: it has a MARK. Final.
 * - `rejected`: the provider or the authority refused it. Final: a correction is a new document.
 * - `failed`: it could not be delivered and is certainly not registered. `retry` queues it again.
 */
import type {
  CallOutcomeWord,
  DocumentPhase,
  DocumentStage,
  DocumentStatus,
  EventType,
} from "../../storage/stored-values.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import type { IssueOutcome, ReconcileOutcome, Registration, StatusOutcome } from "./provider-adapter.ts";

/** decisions 7. Nobody moves a document but along these. */
export const DOCUMENT_MOVES = {
  queued: ["submitting"],
  submitting: ["issued", "awaiting_mark", "rejected", "queued", "reconciling", "failed"],
  awaiting_mark: ["issued", "rejected"],
  reconciling: ["issued", "awaiting_mark", "rejected", "queued", "failed"],
  failed: ["queued"],
  issued: [],
  rejected: [],
} as const satisfies Record<DocumentPhase, readonly DocumentPhase[]>;

/** Whether a document in `from` may go to `to`. Staying is no move. */
export function canMove(from: DocumentPhase, to: DocumentPhase): boolean {
  const targets: readonly DocumentPhase[] = DOCUMENT_MOVES[from];
  return targets.includes(to);
}

export function isFinal(phase: DocumentPhase): boolean {
  return phase === "issued" || phase === "rejected" || phase === "failed";
}

export function statusOf(phase: DocumentPhase): DocumentStatus {
  return isFinal(phase) ? (phase as DocumentStatus) : "pending";
}

export function stageOf(phase: DocumentPhase): DocumentStage | null {
  return isFinal(phase) ? null : (phase as DocumentStage);
}

/** What a decision needs to know of a document. */
export interface Standing {
  /** Sends begun since it was last queued by a person, the present one included. */
  attempts: number;
  /** Askings in the present stage, the present one not included. */
  polls: number;
  /** Askings in `reconciling` that found nothing, before the present one. */
  absences: number;
  /** When the present stage began; null outside awaiting_mark and reconciling. */
  stageSinceMs: number | null;
}

export interface Policy {
  /** Pause before attempt n, from the first; as many attempts as entries (`issuing.delays_seconds`). */
  delaysSeconds: readonly number[];
  /** How sure an absence must be (the adapter says). */
  settle: { askings: number; seconds: number };
  /** 0 to 1, for the jitter. */
  random(): number;
}

/** What becomes of the document's number: decisions 6. */
export type NumberFateDecision = "keep" | "release" | "pass";

export interface Decision {
  /** The next phase; the present one where nothing moves. */
  phase: DocumentPhase;
  event: Extract<EventType, "document.issued" | "document.rejected" | "document.failed"> | null;
  /** How the provider call is written down. */
  call: CallOutcomeWord;
  /** The error of the call; also the document's, where `phase` is rejected or failed. */
  error: ErrorObject | null;
  number: NumberFateDecision;
  /** When the queue looks again; null in a final phase, and where it waits for its connection. */
  nextAtMs: number | null;
  /** The MARK, in `issued`. */
  mark: string | null;
  /** The MARK was cancelled by somebody before it was known here. */
  cancellationMark: string | null;
  /** The MARK of another document that holds the number at the provider, where it does and the MARK is known. */
  markOfAnother: string | null;
  registration: Registration | null;
  providerRef: string | null;
  polls: number;
  absences: number;
  /** A send that was begun and not made is no attempt at delivering. */
  keepsAttempt: boolean;
  /** The connection's credentials were refused: it becomes invalid, and its queued documents wait. */
  invalidatesConnection: boolean;
  /** Further MARKs of the same uid, to be cancelled. */
  surplusMarks: readonly string[];
  /** The send could not connect to the provider: kept on the document, whose later send may have to say so. */
  connectionLost: boolean;
}

const POLL_MS_MIN = 2_000;
const POLL_MS_MAX = 60_000;
/** A provider may ask for a longer pause, but not for an absurd one. */
const RETRY_AFTER_MS_MAX = 3_600_000;
const JITTER = 0.1;

/** Doubles from 2 s to 60 s (decisions 7), ±10 % so that documents of one outage do not ask together. */
export function pollDelayMs(polls: number, random: () => number): number {
  return jittered(Math.min(POLL_MS_MAX, POLL_MS_MIN * 2 ** Math.min(polls, 10)), random);
}

/** The pause before the next send after `attempts` of them; undefined when there is none left. */
export function retryDelayMs(attempts: number, policy: Policy): number | undefined {
  const seconds = policy.delaysSeconds[attempts];
  return seconds === undefined ? undefined : jittered(seconds * 1000, policy.random);
}

function jittered(ms: number, random: () => number): number {
  return Math.round(ms * (1 + JITTER * (2 * random() - 1)));
}

const STAY = {
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
  keepsAttempt: false,
  invalidatesConnection: false,
  surplusMarks: [],
  connectionLost: false,
} as const satisfies Omit<Decision, "phase" | "call">;

type Registered = Extract<ReconcileOutcome, { kind: "issued" }>;

function issued(outcome: Registered): Decision {
  const { mark, uid, qrUrl, series, number, surplusMarks, cancellationMark } = outcome;
  return {
    ...STAY,
    phase: "issued",
    call: "ok",
    event: "document.issued",
    mark,
    registration: registration(uid, qrUrl, series, number),
    surplusMarks: surplusMarks ?? [],
    cancellationMark: cancellationMark ?? null,
  };
}

function registration(
  uid: string | null,
  qrUrl: string | null,
  series?: string,
  number?: number,
): Registration {
  return {
    uid,
    qrUrl,
    ...(series === undefined ? {} : { series }),
    ...(number === undefined ? {} : { number }),
  };
}

/** Taken: the first asking is made at once, the provider may have the MARK by then. */
function accepted(
  outcome: Extract<IssueOutcome, { kind: "accepted" }>,
  nextAtMs: number,
  polls: number,
): Decision {
  return {
    ...STAY,
    phase: "awaiting_mark",
    call: "ok",
    nextAtMs,
    polls,
    providerRef: outcome.providerRef,
    registration: registration(outcome.uid, outcome.qrUrl, outcome.series, outcome.number),
  };
}

function rejected(error: ErrorObject): Decision {
  return {
    ...STAY,
    phase: "rejected",
    call: "rejected",
    event: "document.rejected",
    error,
    number: "release",
  };
}

/** Certainly not registered: sent again after its pause, failed after the last one. */
function notSent(
  standing: Standing,
  error: ErrorObject,
  retryAfterMs: number | undefined,
  policy: Policy,
  nowMs: number,
): Decision {
  const delayMs = retryDelayMs(standing.attempts, policy);
  if (delayMs === undefined) return failed(standing.attempts, error);
  const pauseMs = Math.max(delayMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
  return { ...STAY, phase: "queued", call: "transient", error, nextAtMs: nowMs + pauseMs };
}

/** Put off behind another document: it is due at once, and its attempts are those that it had. */
function untried(outcome: { error: ErrorObject; retryAfterMs?: number }, nowMs: number): Decision {
  const { error, retryAfterMs = 0 } = outcome;
  const nextAtMs = nowMs + Math.min(retryAfterMs, RETRY_AFTER_MS_MAX);
  return { ...STAY, phase: "queued", call: "transient", error, nextAtMs, keepsAttempt: true };
}

function failed(attempts: number, error: ErrorObject): Decision {
  const times = attempts === 1 ? "once" : `${attempts} times`;
  const message = `The provider could not be reached (tried ${times}); retry the document when it answers again`;
  return {
    ...STAY,
    phase: "failed",
    call: "transient",
    event: "document.failed",
    error: { ...buildErrorObject("provider_unavailable", message), ...providerFields(error) },
  };
}

/** Why a queued document cannot be sent at all. */
export type Unsendable = "disconnected" | "no_number";

const UNSENDABLE_MESSAGES: Readonly<Record<Unsendable, string>> = {
  disconnected:
    "The merchant was disconnected from the provider before the document was sent; connect it again and retry the document",
  no_number:
    "The document's series has no number left; name another series in the merchant's settings and issue it anew",
};

/** A queued document that cannot be sent: nothing of it has left, and it can be retried once the reason is gone. */
export function decideUnsendable(because: Unsendable): Decision {
  const message = UNSENDABLE_MESSAGES[because];
  const code = because === "disconnected" ? "connection_unavailable" : "invalid_state";
  return {
    ...STAY,
    phase: "failed",
    call: "not_supported",
    event: "document.failed",
    error: { ...buildErrorObject(code, message), retryable: because === "disconnected" },
  };
}

function providerFields(error: ErrorObject): Pick<ErrorObject, "provider_code" | "provider_message"> {
  return { provider_code: error.provider_code, provider_message: error.provider_message };
}

/** The account is refused: nothing is registered, the document waits for its connection without losing an attempt. */
function credentialsRefused(phase: DocumentPhase, error: ErrorObject, standing: Standing): Decision {
  return {
    ...STAY,
    phase,
    call: "rejected",
    error,
    polls: standing.polls,
    absences: standing.absences,
    keepsAttempt: true,
    invalidatesConnection: true,
  };
}

/** Another document holds the number: it is passed over, and the next one is sent. */
function numberTaken(outcome: { error: ErrorObject; markOfAnother?: string }, nowMs: number): Decision {
  return {
    ...STAY,
    phase: "queued",
    call: "rejected",
    error: outcome.error,
    number: "pass",
    nextAtMs: nowMs,
    markOfAnother: outcome.markOfAnother ?? null,
  };
}

/** What the outcome of a send makes of a document in `submitting`. */
export function decideAfterSend(
  standing: Standing,
  outcome: IssueOutcome,
  policy: Policy,
  nowMs: number,
): Decision {
  switch (outcome.kind) {
    case "issued":
      return issued(outcome);
    case "accepted":
      return accepted(outcome, nowMs, 0);
    case "rejected":
      return rejected(outcome.error);
    case "credentials_refused":
      return credentialsRefused("queued", outcome.error, standing);
    case "not_sent":
      return {
        ...(outcome.isUntried === true
          ? untried(outcome, nowMs)
          : notSent(standing, outcome.error, outcome.retryAfterMs, policy, nowMs)),
        connectionLost: outcome.connectionLost === true,
      };
    case "number_taken":
      return numberTaken(outcome, nowMs);
    case "unknown":
      return {
        ...STAY,
        phase: "reconciling",
        call: "unknown",
        error: outcome.error,
        nextAtMs: nowMs + pauseAfter(outcome.retryAfterMs, 0, policy),
      };
  }
}

function pauseAfter(retryAfterMs: number | undefined, polls: number, policy: Policy): number {
  return Math.max(pollDelayMs(polls, policy.random), Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX));
}

/** The asking itself had trouble: nothing is known that was not, ask again later. */
function askAgain(
  phase: "awaiting_mark" | "reconciling",
  standing: Standing,
  outcome: Extract<StatusOutcome, { kind: "not_sent" | "unknown" }>,
  policy: Policy,
  nowMs: number,
): Decision {
  return {
    ...STAY,
    phase,
    call: outcome.kind === "unknown" ? "unknown" : "transient",
    error: outcome.error,
    polls: standing.polls + 1,
    absences: standing.absences,
    nextAtMs: nowMs + pauseAfter(outcome.retryAfterMs, standing.polls, policy),
  };
}

/** The account is refused while asking: the document stays where it is, and is asked about at growing pauses. */
function refusedWhileAsking(
  phase: "awaiting_mark" | "reconciling",
  standing: Standing,
  error: ErrorObject,
  policy: Policy,
  nowMs: number,
): Decision {
  const decision = credentialsRefused(phase, error, standing);
  const nextAtMs = nowMs + pollDelayMs(standing.polls, policy.random);
  return { ...decision, polls: standing.polls + 1, nextAtMs };
}

/** What the answer to "has it its MARK?" makes of a document in `awaiting_mark`. */
export function decideAfterStatus(
  standing: Standing,
  outcome: StatusOutcome,
  policy: Policy,
  nowMs: number,
): Decision {
  switch (outcome.kind) {
    case "issued":
      return issued(outcome);
    case "rejected":
      return rejected(outcome.error);
    case "accepted":
      return accepted(outcome, nowMs + pollDelayMs(standing.polls, policy.random), standing.polls + 1);
    case "credentials_refused":
      return refusedWhileAsking("awaiting_mark", standing, outcome.error, policy, nowMs);
    case "not_sent":
    case "unknown":
      return askAgain("awaiting_mark", standing, outcome, policy, nowMs);
  }
}

/** What the answer to "what became of this send?" makes of a document in `reconciling`. */
export function decideAfterReconcile(
  standing: Standing,
  outcome: ReconcileOutcome,
  policy: Policy,
  nowMs: number,
): Decision {
  switch (outcome.kind) {
    case "issued":
      return issued(outcome);
    case "rejected":
      return rejected(outcome.error);
    case "accepted":
      return accepted(outcome, nowMs, 0);
    case "number_taken":
      return numberTaken(outcome, nowMs);
    case "credentials_refused":
      return refusedWhileAsking("reconciling", standing, outcome.error, policy, nowMs);
    case "unknown":
      return outcome.numberOfAnother === true
        ? decideBesideAnother(standing, outcome, policy, nowMs)
        : askAgain("reconciling", standing, outcome, policy, nowMs);
    case "not_sent":
      return askAgain("reconciling", standing, outcome, policy, nowMs);
    case "absent":
      return decideAfterAbsence(standing, policy, nowMs);
  }
}

/** Not found is not the same as not sent, until it has been so often enough and for long enough. */
function isAbsenceCertain(standing: Standing, { settle }: Policy, nowMs: number): boolean {
  const reconcilingMs = nowMs - (standing.stageSinceMs ?? nowMs);
  return standing.absences + 1 >= settle.askings && reconcilingMs >= settle.seconds * 1000;
}

/**
 * Another document stands under the number, and this one is not there: once that is certain it takes the next number, since a
 * send under this one would replace the other (decisions 6).
 */
function decideBesideAnother(
  standing: Standing,
  outcome: Extract<ReconcileOutcome, { kind: "unknown" }>,
  policy: Policy,
  nowMs: number,
): Decision {
  if (isAbsenceCertain(standing, policy, nowMs)) return numberTaken(outcome, nowMs);
  const waiting = askAgain("reconciling", standing, outcome, policy, nowMs);
  return { ...waiting, absences: standing.absences + 1, markOfAnother: outcome.markOfAnother ?? null };
}

function decideAfterAbsence(standing: Standing, policy: Policy, nowMs: number): Decision {
  const absences = standing.absences + 1;
  if (!isAbsenceCertain(standing, policy, nowMs)) {
    const nextAtMs = nowMs + pollDelayMs(standing.polls, policy.random);
    return { ...STAY, phase: "reconciling", call: "ok", polls: standing.polls + 1, absences, nextAtMs };
  }
  if (standing.attempts < policy.delaysSeconds.length) {
    return { ...STAY, phase: "queued", call: "ok", nextAtMs: nowMs };
  }
  const lost = buildErrorObject("provider_unavailable", "The provider did not answer");
  return { ...failed(standing.attempts, lost), call: "ok" };
}

/**
 * What becomes of a claim whose worker did not come back. With a provider call begun the send may have arrived; an
 * asking that died is simply asked again.
 */
export function decideRescue(
  phase: DocumentPhase,
  callBegun: boolean,
  policy: Policy,
  nowMs: number,
): Decision {
  const stays = phase === "awaiting_mark" || phase === "reconciling";
  const next = stays ? phase : callBegun ? "reconciling" : "queued";
  const pauseMs = next === "reconciling" ? pollDelayMs(0, policy.random) : 0;
  return { ...STAY, phase: next, call: "unknown", nextAtMs: nowMs + pauseMs };
}
