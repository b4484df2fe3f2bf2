/** One call to a provider outside the queue (a cancellation), with its evidence. */
import { findConnectionRow } from "../../storage/connections.ts";
import type { DocumentRow } from "../../storage/documents.ts";
import type { CallOperation, CallOutcomeWord } from "../../storage/schema.ts";
import type { Context } from "../context.ts";
import type { ErrorObject } from "../errors.ts";
import type { CallContext } from "../providers/adapter.ts";
import { beginCall, endCall } from "./evidence.ts";
import { buildCallContext, type CallRoute } from "./call-context.ts";

interface Answered {
  kind: string;
  error?: ErrorObject;
}

/** How an outcome is written down in the log of provider calls. */
function wordFor(kind: string): CallOutcomeWord {
  if (kind === "unknown") return "unknown";
  if (kind === "not_sent") return "transient";
  return kind === "rejected" || kind === "credentials_refused" ? "rejected" : "ok";
}

/** Begins the call on disk, makes it, and records what came of it. A throw of the adapter is recorded as unknown. */
export async function callProvider<Outcome extends Answered>(
  context: Context,
  row: DocumentRow,
  operation: CallOperation,
  call: (callContext: CallContext) => Promise<Outcome>,
): Promise<Outcome> {
  const connection =
    row.connection_id === null ? undefined : await findConnectionRow(context.store.read, row.connection_id);
  const route: CallRoute = {
    mode: row.mode,
    provider: row.provider,
    connectionId: row.connection_id,
    credentials: connection?.credentials ?? null,
    merchantId: row.merchant_id,
    documentId: row.id,
  };
  const callId = await context.store.write((trx) => beginCall(trx, route, operation));
  const startedMs = context.clock.nowMs();
  const { callContext, shared } = buildCallContext(context, route, new AbortController().signal, 1);
  const end = (outcome: CallOutcomeWord, error: ErrorObject | null) => {
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    const evidence = shared();
    return context.store.write((trx) =>
      endCall(trx, context, { callId, outcome, error, durationMs, evidence, bodyOwner: callId }),
    );
  };
  try {
    const outcome = await call(callContext);
    await end(wordFor(outcome.kind), outcome.error ?? null);
    return outcome;
  } catch (error) {
    await end("unknown", null);
    throw error;
  }
}
