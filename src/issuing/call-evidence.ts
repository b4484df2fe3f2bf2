/** Stores the evidence of provider calls that have ended, with a response or without one. */
import type { RowLists } from "../../storage/database/session.ts";
import type { Kind, Transaction } from "../../storage/database/write.ts";
import type { CallOperation, StoredCallOutcome, Mode, Provider } from "../../storage/stored-values.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import {
  redactExchange,
  buildLoggedBody,
  type RequestSide,
  type ResponseSide,
  sealExchanges,
} from "../logs/log-bodies.ts";
import type { Redactor } from "../logs/redaction.ts";
import type { CallRecorder } from "../domain/provider-adapter.ts";

export interface CallSubject {
  mode: Mode;
  provider: Provider;
  connectionId: string | null;
  merchantId: string;
  documentId: string | null;
}

/** A recorder that keeps the exchange in memory until its row is completed. */
export interface Evidence extends CallRecorder {
  readonly exchange: { request: RequestSide | null; response: ResponseSide | null };
  readonly httpStatus: number | null;
  /** Whether the adapter recorded anything. */
  readonly isUsed: boolean;
  /** The call that stores the bodies, once it is on disk. */
  keeper: string | undefined;
}

function isJsonType(headers: Record<string, string>): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  return type?.includes("json") ?? false;
}

export function createEvidence(onStatus?: (status: number) => void, redactor?: Redactor): Evidence {
  const exchange: Evidence["exchange"] = { request: null, response: null };
  return {
    exchange,
    keeper: undefined,
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

export interface EndedCall {
  subject: CallSubject;
  operation: CallOperation;
  /** A login stores no bodies. */
  purpose: "operation" | "auth";
  outcome: StoredCallOutcome;
  /** Null on success. */
  error: ErrorObject | null;
  /** The outcome comes from the HTTP status alone. */
  isOpen?: boolean;
  startedAt: string;
  durationMs: number;
  /** Several documents may have been in one exchange. */
  evidence: Evidence;
  /** Removes the credentials; undefined if there are none (the sandbox). */
  redactor: Redactor | undefined;
}

export function createCallRows(trx: Transaction) {
  const rows: RowLists<"bodies" | "provider_calls"> = { bodies: [], provider_calls: [] };
  const keepers = new Map<Evidence, string>();

  function keeperOf(id: string, { evidence, purpose, redactor }: EndedCall): string | null {
    if (!evidence.isUsed || purpose === "auth") return null;
    const known = evidence.keeper ?? keepers.get(evidence);
    if (known !== undefined) return known;
    keepers.set(evidence, id);
    const sealed = sealExchanges(trx.cipher, id, { [id]: redactExchange(evidence.exchange, redactor) });
    rows.bodies.push({ id, sealed, created_at: trx.now });
    return id;
  }

  return {
    rows,
    /** Returns the call's id. The calls of one exchange share its bodies, which are stored once. */
    add(call: EndedCall): string {
      const id = trx.newId("pcl");
      const { subject, evidence, error } = call;
      rows.provider_calls.push({
        id,
        mode: subject.mode,
        provider: subject.provider,
        operation: call.operation,
        purpose: call.purpose,
        outcome: call.outcome,
        settled_at: call.isOpen === true ? null : trx.now,
        http_status: evidence.httpStatus,
        duration_ms: call.durationMs,
        error_json: error === null ? null : JSON.stringify(withoutRaw(error)),
        url: withoutQuery(evidence.exchange.request?.url, call.redactor),
        merchant_id: subject.merchantId,
        document_id: subject.documentId,
        connection_id: subject.connectionId,
        started_at: call.startedAt,
        body_id: keeperOf(id, call),
        bodies_purged_at: null,
      });
      return id;
    },
  };
}

export const CALLS: Kind<EndedCall, string> = {
  async commit(trx, calls) {
    const { rows, add } = createCallRows(trx);
    const outcomes = calls.map((call) => ({ value: add(call) }));
    await trx.insertRows(rows);
    return outcomes;
  },
};

/** The error of a call has no raw body, because the response contains it (docs/contract.md#provider-calls). */
function withoutRaw({
  provider_raw: _raw,
  retryable: _retryable,
  ...rest
}: ErrorObject): Omit<ErrorObject, "provider_raw" | "retryable"> {
  return rest;
}
