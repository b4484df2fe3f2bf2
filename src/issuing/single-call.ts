/** One call to a provider outside the queue (a cancellation, a verification), with its evidence. */
import type { DocumentRow } from "../../storage/documents.ts";
import type { CallOperation, CallOutcomeWord } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { AppError, type ErrorObject } from "../foundation/errors.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import type { CallContext } from "../domain/provider-adapter.ts";
import { buildCallContext, openCredentials, withoutCredentials } from "./call-context.ts";
import { findQueryConnection } from "./document-connection.ts";
import { beginCall, type CallSubject, endCall } from "./call-evidence.ts";

interface Answered {
  kind: string;
  error?: ErrorObject;
}

/** How an outcome is written down in the log of provider calls. */
const WORDS: Readonly<Record<string, CallOutcomeWord>> = {
  unknown: "unknown",
  not_sent: "transient",
  unavailable: "transient",
  rejected: "rejected",
  refused: "rejected",
  credentials_refused: "rejected",
};

function credentialsGone(): AppError {
  const message =
    "The credentials that the document was sent with are gone; connect the merchant to the provider again";
  return new AppError("connection_unavailable", message);
}

/** Makes a call about an issued document. Throws `connection_unavailable` where no credentials for it are left. */
export async function callProvider<Outcome extends Answered>(
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
  if (own !== null && credentials === null) throw credentialsGone();
  return (await callOnce(context, subject, credentials, operation, call)).outcome;
}

/**
 * Begins the call on disk, makes it, and records what came of it. A throw of the adapter is recorded as unknown. Answers
 * the ids of all calls that it came to. Throws `service_unavailable` while the appliance is held.
 */
export async function callOnce<Outcome extends Answered>(
  context: Context,
  subject: CallSubject,
  credentials: Readonly<Record<string, string>> | null,
  operation: CallOperation,
  call: (callContext: CallContext) => Promise<Outcome>,
): Promise<{ outcome: Outcome; callIds: string[] }> {
  await refuseWhileHeld(context.store.read, "The provider was not asked");
  const callId = await context.store.write((trx) => beginCall(trx, subject, operation));
  const startedMs = context.clock.nowMs();
  const { callContext, shared, redactor, furtherCalls } = buildCallContext(context, subject, credentials, 1);
  const end = async (outcome: CallOutcomeWord, error: ErrorObject | null) => {
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    const evidence = shared();
    await context.store.write((trx) =>
      endCall(trx, context, { callId, outcome, error, durationMs, evidence, bodyOwner: callId, redactor }),
    );
    const { mode, provider } = subject;
    context.watch.call({ callId, mode, provider, operation, outcome, durationMs });
  };
  try {
    const outcome = withoutCredentials(await call(callContext), redactor);
    await end(WORDS[outcome.kind] ?? "ok", outcome.error ?? null);
    return { outcome, callIds: [callId, ...furtherCalls] };
  } catch (error) {
    await end("unknown", null);
    throw error;
  }
}
