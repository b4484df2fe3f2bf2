/** Stores the evidence of provider calls: a row before the request is sent, completed after the response or its absence. */
import { insertBody } from "../../storage/logs/bodies.ts";
import { completeCall, insertCall } from "../../storage/logs/calls.ts";
import type { CallOperation, StoredCallOutcome, Mode, Provider } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Context } from "../journal/context.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import {
  redactExchange,
  buildLoggedBody,
  type RequestSide,
  type ResponseSide,
  sealExchange,
} from "../logs/log-bodies.ts";
import type { Redactor } from "../logs/redaction.ts";
import type { CallRecorder } from "../domain/provider-adapter.ts";

/** The subject of a call. */
export interface CallSubject {
  mode: Mode;
  provider: Provider;
  connectionId: string | null;
  merchantId: string;
  documentId: string | null;
}

/** Inserts the row of a call that is about to be made, and returns its id. */
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

/** A recorder that keeps the exchange in memory until its row is completed. */
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

/** Calls `onStatus` for each response. */
export function createEvidence(onStatus?: (status: number) => void, redactor?: Redactor): Evidence {
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
      exchange.request = { method, url, headers, body: buildLoggedBody(body, isJsonType(headers), redactor) };
    },
    response({ status, headers, body }) {
      onStatus?.(status);
      exchange.response = { status, headers, body: buildLoggedBody(body, isJsonType(headers), redactor) };
    },
    failed(cause) {
      const error = cause instanceof Error ? cause.message : String(cause);
      exchange.request = { ...(exchange.request ?? { method: "", url: "", headers: {}, body: null }), error };
    },
  };
}

/** Origin and path only (docs/contract.md#provider-calls). */
function withoutQuery(url: string | undefined, redactor: Redactor | undefined): string | null {
  if (url === undefined || url === "") return null;
  const end = url.search(/[?#]/);
  const path = end === -1 ? url : url.slice(0, end);
  return redactor === undefined ? path : redactor.text(path);
}

/** How a call ended. */
export interface CallEnd {
  callId: string;
  outcome: StoredCallOutcome;
  /** Null on success. */
  error: ErrorObject | null;
  durationMs: number;
  evidence: Evidence;
  /** The call that stores the bodies, if one exchange carried several documents. */
  bodyOwner: string;
  /** Removes the credentials; undefined if there are none (the sandbox). */
  redactor: Redactor | undefined;
  /** Set for a further exchange: its outcome comes from the HTTP status alone, and a login stores no bodies. */
  further?: "operation" | "auth";
}

/** Completes the row of a call and stores the bodies of its exchange. */
export async function endCall(trx: Transaction, context: Context, end: CallEnd): Promise<void> {
  const { evidence, callId, bodyOwner, redactor } = end;
  const hasBodies = evidence.isUsed && end.further !== "auth";
  if (hasBodies && callId === bodyOwner) {
    const exchange = redactExchange(evidence.exchange, redactor);
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

/** The error of a call has no raw body, because the response contains it (docs/contract.md#provider-calls). */
function withoutRaw({
  provider_raw: _raw,
  retryable: _retryable,
  ...rest
}: ErrorObject): Omit<ErrorObject, "provider_raw" | "retryable"> {
  return rest;
}
