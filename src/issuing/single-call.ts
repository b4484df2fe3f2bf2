/** Makes one provider call outside the queue (a cancellation, a verification, a PDF) and records its evidence. */
import type { DocumentRow } from "../../storage/documents/documents.ts";
import type { CallOperation, StoredCallOutcome } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { AppError, type ErrorObject } from "../foundation/errors.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import type { CallContext } from "../domain/provider-adapter.ts";
import { buildCallContext, openCredentials, withoutCredentials } from "./call-context.ts";
import { findQueryConnection } from "./document-connection.ts";
import { CALLS, type CallSubject } from "./call-evidence.ts";

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
  const { connection_id: own } = row;
  const connection = own === null ? undefined : await findQueryConnection(context.store.read, row, own);
  const subject = {
    mode: row.mode,
    provider: row.provider,
    connectionId: connection?.id ?? own,
    merchantId: row.merchant_id,
    documentId: row.id,
  };
  const credentials = openCredentials(context, { ...subject, credentials: connection?.credentials ?? null });
  if (own !== null && credentials === null) throw credentialsDeleted();
  return (await callOnce(context, subject, credentials, operation, call)).outcome;
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
  const startedAt = context.clock.now();
  const startedMs = context.clock.nowMs();
  const opened = buildCallContext(context, subject, credentials, 1);
  const { callContext, shared, redactor } = opened;
  const end = async (outcome: StoredCallOutcome, error: ErrorObject | null) => {
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    const times = { startedAt, durationMs };
    const kind = { operation, purpose: "operation", outcome, error, isSettled: true } as const;
    const callId = await context.store.add(CALLS, {
      subject,
      ...kind,
      ...times,
      evidence: shared(),
      redactor,
    });
    const { mode, provider } = subject;
    context.watch.call({ callId, mode, provider, operation, outcome, durationMs });
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
