/** The evidence of calls to providers: a row before the request leaves, completed by the answer or its lack. */
import { insertBody } from "../../storage/bodies.ts";
import { completeCall, insertCall } from "../../storage/calls.ts";
import type { CallOperation, CallOutcomeWord, Mode, Provider } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import {
  BODY_BYTES_MAX,
  cleanExchange,
  keepBody,
  type RequestSide,
  type ResponseSide,
  sealExchange,
} from "../logs/log-bodies.ts";
import type { Redactor } from "../logs/redaction.ts";
import type { CallRecorder } from "../domain/provider-adapter.ts";

/** What a call is about. */
export interface CallSubject {
  mode: Mode;
  provider: Provider;
  connectionId: string | null;
  merchantId: string;
  documentId: string | null;
}

/** Writes the row of a call that is about to be made, and answers its id. */
export async function beginCall(
  trx: Transaction,
  subject: CallSubject,
  operation: CallOperation,
  purpose: "operation" | "auth" = "operation",
): Promise<string> {
  const id = trx.newId("pcl");
  await insertCall(trx, {
    id,
    mode: subject.mode,
    provider: subject.provider,
    operation,
    purpose,
    outcome: "unknown",
    settled_at: null,
    http_status: null,
    duration_ms: 0,
    error_json: null,
    url: null,
    merchant_id: subject.merchantId,
    document_id: subject.documentId,
    connection_id: subject.connectionId,
    started_at: trx.now,
    open: 1,
    body_id: null,
    bodies_purged_at: null,
  });
  return id;
}

/** A recorder that remembers, for the row that is completed later. */
export interface Evidence extends CallRecorder {
  readonly exchange: { request: RequestSide | null; response: ResponseSide | null };
  readonly httpStatus: number | null;
  /** Whether the adapter recorded anything. */
  readonly isUsed: boolean;
}

function isJsonType(headers: Record<string, string>): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return type?.includes("json") ?? false;
}

/** `onStatus` is told of each answer. `redactor` goes over bodies before they are cut: a half of a secret is known by nobody. */
export function createEvidence(onStatus?: (status: number) => void, redactor?: Redactor): Evidence {
  const clean = (body: string | null) =>
    body === null || redactor === undefined || body.length < BODY_BYTES_MAX / 4 ? body : redactor.text(body);
  const exchange: Evidence["exchange"] = { request: null, response: null };
  return {
    exchange,
    get httpStatus() {
      return exchange.response?.status ?? null;
    },
    get isUsed() {
      return exchange.request !== null || exchange.response !== null;
    },
    request({ method, url, headers, body }) {
      exchange.request = { method, url, headers, body: keepBody(clean(body), isJsonType(headers)) };
    },
    response({ status, headers, body }) {
      onStatus?.(status);
      exchange.response = { status, headers, body: keepBody(clean(body), isJsonType(headers)) };
    },
    failed(cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      exchange.request = { ...(exchange.request ?? { method: "", url: "", headers: {}, body: null }), error };
    },
  };
}

/** spec, Provider call: origin and path only. */
function withoutQuery(url: string | undefined, redactor: Redactor | undefined): string | null {
  if (url === undefined || url === "") return null;
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  return redactor === undefined ? path : redactor.text(path);
}

/** How a call ended. */
export interface CallEnd {
  callId: string;
  outcome: CallOutcomeWord;
  /** Null on success. */
  error: ErrorObject | null;
  durationMs: number;
  evidence: Evidence;
  /** The call of the batch that keeps the bodies, where one exchange carried several documents. */
  bodyOwner: string;
  /** Takes the credentials out; undefined where there are none (the sandbox). */
  redactor: Redactor | undefined;
  /** A further exchange: its verdict is read from the HTTP status alone, and a login keeps no bodies. */
  further?: "operation" | "auth";
}

/** Completes the row of a call and keeps the bodies of its exchange. */
export async function endCall(trx: Transaction, context: Context, end: CallEnd): Promise<void> {
  const { evidence, callId, bodyOwner, redactor } = end;
  const hasBodies = evidence.isUsed && end.further !== "auth";
  if (hasBodies && callId === bodyOwner) {
    const exchange = cleanExchange(evidence.exchange, redactor);
    const sealed = sealExchange(context.store.cipher, bodyOwner, exchange);
    await insertBody(trx, { id: bodyOwner, sealed, created_at: trx.now });
  }
  await completeCall(trx, {
    id: callId,
    outcome: end.outcome,
    settledAt: end.further === undefined ? trx.now : null,
    httpStatus: evidence.httpStatus,
    durationMs: end.durationMs,
    errorJson: end.error === null ? null : JSON.stringify(withoutRaw(end.error)),
    url: withoutQuery(evidence.exchange.request?.url, redactor),
    bodyId: hasBodies ? bodyOwner : null,
  });
}

/** spec, Provider call: its error has no raw body; that is in the response. */
function withoutRaw({
  provider_raw: _raw,
  retryable: _retryable,
  ...rest
}: ErrorObject): Omit<ErrorObject, "provider_raw" | "retryable"> {
  return rest;
}
