/** Builds the context of a provider call: opens credentials, collects evidence, and records further exchanges. */
import { placeIn } from "../../storage/encryption/sealed.ts";
import type { Context } from "../journal/context.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import { createRedactor, type Redactor } from "../logs/redaction.ts";
import type { CallContext, CallRecorder, CallVerdict } from "../domain/provider-adapter.ts";
import type { StoredCallOutcome } from "../../storage/stored-values.ts";
import { beginCall, type CallSubject, createEvidence, endCall, type Evidence } from "./call-evidence.ts";

export interface CallRoute extends CallSubject {
  /** Sealed; null for the sandbox and after they were deleted. */
  credentials: Uint8Array | null;
}

export interface OpenCall {
  callContext: CallContext;
  /** Removes every credential of this call; undefined if there are none. */
  redactor: Redactor | undefined;
  /** The evidence of document `index`, and the index of the document whose call stores the bodies: the first of the exchange. */
  evidenceOf(index: number): { evidence: Evidence; keeper: number };
  /** The evidence of a call about a single subject, however the adapter recorded it. */
  shared(): Evidence;
  /** The ids of further exchanges begun so far. */
  furtherCalls: readonly string[];
  /** Whether any exchange got a response below 500, so the provider is available. */
  wasAnswered(): boolean;
}

/** Decrypts the credentials of a connection; null if there are none or they cannot be decrypted. */
export function openCredentials(context: Context, route: CallRoute): Record<string, string> | null {
  if (route.credentials === null || route.connectionId === null) return null;
  const opened = context.store.cipher.open(placeIn("connections", route.connectionId), route.credentials);
  return opened === undefined ? null : readJson<Record<string, string>>(opened.toString());
}

/** What the adapter reports while it sends a batch; a call about a single subject reports nothing. */
export type Reports = Pick<CallContext, "known" | "filing">;

const NO_REPORTS: Reports = { known: () => undefined, filing: async () => undefined };

export function buildCallContext(
  context: Context,
  subject: CallSubject,
  credentials: Readonly<Record<string, string>> | null,
  documents: number,
  reports: Reports = NO_REPORTS,
): OpenCall {
  const redactor = credentials === null ? undefined : createRedactor(Object.values(credentials));
  let wasAnswered = false;
  const onStatus = (status: number) => {
    if (status < 500) wasAnswered = true;
  };
  const evidenceFor = () => createEvidence(onStatus, redactor);
  const shared = evidenceFor();
  const own: (Evidence | undefined)[] = Array.from({ length: documents });
  const furtherCalls: string[] = [];
  return {
    redactor,
    furtherCalls,
    wasAnswered: () => wasAnswered,
    callContext: {
      mode: subject.mode,
      credentials,
      signal: context.cut,
      nowMs: () => context.clock.nowMs(),
      secret: (value) => redactor?.add(value),
      evidence: shared,
      evidenceOf(index, ...others) {
        const evidence = (own[index] ??= evidenceFor());
        for (const other of others) own[other] = evidence;
        return evidence;
      },
      async begin(operation, purpose, verdict) {
        const callId = await context.store.write((trx) => beginCall(trx, subject, operation, purpose));
        furtherCalls.push(callId);
        return recordFurtherCall(context, { callId, purpose, verdict, redactor, evidence: evidenceFor() });
      },
      ...reports,
    },
    evidenceOf(index) {
      const mine = own[index];
      return mine === undefined
        ? { evidence: shared, keeper: 0 }
        : { evidence: mine, keeper: own.indexOf(mine) };
    },
    shared: () => own[0] ?? shared,
  };
}

/** Removes credentials that the provider echoed from the error of an outcome. */
export function withoutCredentials<Outcome extends { kind: string; error?: ErrorObject }>(
  outcome: Outcome,
  redactor: Redactor | undefined,
): Outcome {
  if (redactor === undefined || outcome.error === undefined) return outcome;
  const { error } = outcome;
  // Our own code and message stay: a short credential could be part of a word in them.
  return {
    ...outcome,
    error: {
      ...error,
      provider_code: error.provider_code === null ? null : redactor.text(error.provider_code),
      provider_message: error.provider_message === null ? null : redactor.text(error.provider_message),
      ...(error.provider_raw === undefined ? {} : { provider_raw: redactor.json(error.provider_raw) }),
    },
  };
}

/** Returns the recorder of a further exchange, whose row is already on disk and is completed by the response. */
function recordFurtherCall(
  context: Context,
  further: {
    callId: string;
    purpose: "operation" | "auth";
    verdict: CallVerdict | undefined;
    redactor: Redactor | undefined;
    evidence: Evidence;
  },
): CallRecorder {
  const { callId, purpose, verdict, redactor, evidence } = further;
  const startedMs = context.clock.nowMs();
  const finish = (outcome: StoredCallOutcome) => {
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    const end = {
      callId,
      outcome: verdict?.outcome ?? outcome,
      error:
        verdict === undefined
          ? null
          : (withoutCredentials({ kind: "", error: verdict.error ?? undefined }, redactor).error ?? null),
      durationMs,
      evidence,
      bodyOwner: callId,
      redactor,
      ...(verdict === undefined ? { further: purpose } : {}),
    };
    context.store
      .write((trx) => endCall(trx, context, end))
      .catch((error: unknown) =>
        context.log.error(
          { call: callId, error: String(error) },
          "a provider call could not be completed in the log",
        ),
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
