/**
 * Makes provider calls outside the queue (a cancellation, a verification, a PDF), and records their evidence. Those that only read can
 * wait whenever the provider asks for a pause.
 */
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { CallOperation, StoredCallOutcome } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { AppError, type ErrorObject } from "../foundation/errors.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import type { CallContext, NotSentOutcome } from "../domain/provider-adapter.ts";
import type { ConnectionRow } from "../../storage/merchants/connections.ts";
import { buildCallContext, findConnectionFor, openCredentials, withoutCredentials } from "./call-context.ts";
import { CALLS, type CallSubject, subjectOf } from "./call-evidence.ts";

interface AnyOutcome {
  kind: string;
  error?: ErrorObject;
}

/** The outcome recorded in the log of provider calls; `ok` for all other kinds. */
const CALL_OUTCOMES: Readonly<Record<string, StoredCallOutcome>> = {
  unknown: "unknown",
  not_sent: "transient",
  unavailable: "transient",
  rejected: "rejected",
  refused: "rejected",
  credentials_refused: "rejected",
};

function credentialsDeleted(): AppError {
  return new AppError("connection_unavailable", {
    en: "The credentials that the document was sent with have been deleted; connect the merchant to the provider again",
    el: "Τα διαπιστευτήρια με τα οποία στάλθηκε το παραστατικό έχουν διαγραφεί· συνδέστε ξανά την επιχείρηση με τον πάροχο",
  });
}

/** Makes a call about an issued document. Throws `connection_unavailable` if its credentials were deleted. */
export async function callProvider<Outcome extends AnyOutcome>(
  context: Context,
  row: DocumentRow,
  operation: CallOperation,
  call: (callContext: CallContext) => Promise<Outcome>,
): Promise<Outcome> {
  const connection = await findConnectionFor(context.store.read, "status", row);
  const credentials = openCredentials(context, connection);
  if (row.connection_id !== null && credentials === null) throw credentialsDeleted();
  return (await callOnce(context, subjectOf(row, connection?.id), credentials, operation, call)).outcome;
}

/**
 * Makes the call and records its outcome; `unknown` if the adapter throws. Returns the ids of all calls that were made. Throws
 * `service_unavailable` while the appliance is held.
 */
export async function callOnce<Outcome extends AnyOutcome>(
  context: Context,
  subject: CallSubject,
  credentials: Readonly<Record<string, string>> | null,
  operation: CallOperation,
  call: (callContext: CallContext) => Promise<Outcome>,
): Promise<{ outcome: Outcome; callIds: string[] }> {
  await refuseWhileHeld(context.store.read, {
    en: "The provider was not called",
    el: "Δεν έγινε κλήση στον πάροχο",
  });
  const started_at = context.clock.now();
  const startedMs = context.clock.nowMs();
  const opened = buildCallContext(context, subject, credentials);
  const { callContext, evidenceOf, redactor } = opened;
  const end = async (outcome: StoredCallOutcome, error: ErrorObject | null) => {
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    const about = { ...subject, operation, purpose: "operation", outcome, error } as const;
    const kept = { started_at, duration_ms: durationMs, evidence: evidenceOf(0), redactor };
    const callId = await context.store.add(CALLS, { ...about, ...kept });
    const { mode, provider } = subject;
    context.finishedWork.call({ callId, mode, provider, operation, outcome, durationMs });
    return callId;
  };
  try {
    const outcome = withoutCredentials(await call(callContext), redactor);
    const callId = await end(CALL_OUTCOMES[outcome.kind] ?? "ok", outcome.error ?? null);
    return { outcome, callIds: [callId, ...(await opened.furtherCalls())] };
  } catch (error) {
    await end("unknown", null);
    throw error;
  }
}

/** Pauses in a row before the provider counts as unavailable. */
const WAITS_MAX = 10;
/** If the provider names no pause. */
const DEFAULT_WAIT_MS = 10_000;
const WAIT_MS_MAX = 120_000;

export interface Pacing {
  /** Aborted by Ctrl-C. */
  signal: AbortSignal | undefined;
  /** Resolves after `ms`, or once the signal is aborted. */
  wait(ms: number): Promise<void>;
}

/**
 * Calls until the provider no longer asks for a pause, or once without `pacing`. Each call has its own entry in the log.
 */
export async function callWithPauses<Outcome extends { kind: string; error?: ErrorObject }>(
  context: Context,
  subject: CallSubject,
  connection: ConnectionRow | undefined,
  pacing: Pacing | undefined,
  ask: (call: CallContext) => Promise<Outcome>,
): Promise<Outcome | { kind: "interrupted" }> {
  const credentials = openCredentials(context, connection);
  for (let waits = 0; ; waits += 1) {
    if (pacing?.signal?.aborted === true) return { kind: "interrupted" };
    const { outcome } = await callOnce(context, subject, credentials, "lookup", ask);
    const pauseMs = pauseOf(outcome);
    if (pacing === undefined || pauseMs === undefined || waits === WAITS_MAX) return outcome;
    await pacing.wait(Math.min(pauseMs, WAIT_MS_MAX));
  }
}

/** How long a throttled request has to wait; undefined if it was not throttled. */
function pauseOf(outcome: { kind: string }): number | undefined {
  if (outcome.kind !== "not_sent") return undefined;
  const { retryAfterMs, error } = outcome as NotSentOutcome;
  if (retryAfterMs !== undefined) return retryAfterMs;
  return error.provider_code === "429" ? DEFAULT_WAIT_MS : undefined;
}
