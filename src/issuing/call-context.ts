/** What an adapter is called with: credentials opened, evidence collected, further exchanges recorded. */
import type { Context } from "../context.ts";
import { readJson } from "../json.ts";
import type { CallContext, CallRecorder } from "../providers/adapter.ts";
import type { CallOperation, CallOutcomeWord } from "../../storage/schema.ts";
import { beginCall, type CallSubject, createEvidence, endCall, type Evidence } from "./evidence.ts";

export interface CallRoute extends CallSubject {
  /** Sealed; null for the sandbox, and once they are deleted. */
  credentials: Uint8Array | null;
}

export interface CallInHand {
  callContext: CallContext;
  /** The evidence of document `index`: its own, or the one that stands for the batch. */
  evidenceOf(index: number): { evidence: Evidence; isShared: boolean };
  /** The evidence of a call about one thing, however the adapter recorded it. */
  shared(): Evidence;
}

export function buildCallContext(
  context: Context,
  route: CallRoute,
  signal: AbortSignal,
  documents: number,
): CallInHand {
  const shared = createEvidence();
  const own: (Evidence | undefined)[] = Array.from({ length: documents });
  const isSealed = route.credentials !== null && route.connectionId !== null;
  const opened = isSealed ? context.store.cipher.open(route.connectionId!, route.credentials!) : undefined;
  return {
    callContext: {
      mode: route.mode,
      credentials: opened === undefined ? null : readJson<Record<string, string>>(opened.toString()),
      signal,
      nowMs: () => context.clock.nowMs(),
      evidence: shared,
      evidenceOf(index) {
        own[index] ??= createEvidence();
        return own[index];
      },
      begin: (operation, purpose) => beginFurtherCall(context, route, operation, purpose),
    },
    evidenceOf(index) {
      const mine = own[index];
      return mine === undefined ? { evidence: shared, isShared: true } : { evidence: mine, isShared: false };
    },
    shared: () => own[0] ?? shared,
  };
}

/** A further exchange: its row is on disk before the recorder is handed out, and completed when the answer is recorded. */
async function beginFurtherCall(
  context: Context,
  subject: CallSubject,
  operation: CallOperation,
  purpose: "operation" | "auth",
): Promise<CallRecorder> {
  const callId = await context.store.write((trx) => beginCall(trx, subject, operation, purpose));
  const startedMs = context.clock.nowMs();
  const evidence = createEvidence();
  const finish = (outcome: CallOutcomeWord) => {
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    context.store
      .write((trx) =>
        endCall(trx, context, { callId, outcome, error: null, durationMs, evidence, bodyOwner: callId }),
      )
      .catch((error: unknown) =>
        context.log.error({ call: callId, error: String(error) }, "call not completed"),
      );
  };
  return {
    request: (sent) => evidence.request(sent),
    response(received) {
      evidence.response(received);
      finish(received.status < 400 ? "ok" : received.status < 500 ? "rejected" : "transient");
    },
    failed(cause) {
      evidence.failed(cause);
      finish("unknown");
    },
  };
}
