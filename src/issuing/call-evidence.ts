/** Stores the evidence of provider calls that have ended, with a response or without one. */
import type { RowLists } from "../../storage/database/session.ts";
import type { Kind, Transaction } from "../../storage/database/write.ts";
import type { DocumentRow } from "../../storage/documents/documents.ts";
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

type CallRow = RowLists<"provider_calls">["provider_calls"][number];

/** What a call is about. */
export type CallSubject = Pick<
  CallRow,
  "mode" | "provider" | "connection_id" | "merchant_id" | "document_id"
>;

/** A call about a document, by its own connection or another one. */
export function subjectOf(row: DocumentRow, connectionId: string | null = row.connection_id): CallSubject {
  const { id: document_id, mode, provider, merchant_id } = row;
  return { mode, provider, connection_id: connectionId, merchant_id, document_id };
}

/** A recorder that keeps the exchange in memory until its row is completed. */
export interface Evidence extends CallRecorder {
  readonly exchange: { request: RequestSide | null; response: ResponseSide | null };
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
  const [path = ""] = url.split(/[?#]/, 1);
  return redactor === undefined ? path : redactor.text(path);
}

type CallColumns = CallSubject &
  Pick<CallRow, "operation" | "purpose" | "outcome" | "started_at" | "duration_ms">;

/** A login (`auth`) stores no bodies. */
export interface EndedCall extends CallColumns {
  /** Null on success. */
  error: ErrorObject | null;
  /** The outcome comes from the HTTP status alone. */
  isOpen?: boolean;
  /** Several documents may have been in one exchange. */
  evidence: Evidence;
  /** Removes the credentials; undefined if there are none (the sandbox). */
  redactor: Redactor | undefined;
}

export function createCallRows(trx: Transaction) {
  const rows: RowLists<"bodies" | "provider_calls"> = { bodies: [], provider_calls: [] };
  const keepers = new Map<Evidence, string>();

  function keeperOf(id: string, { evidence, purpose, redactor }: EndedCall): string | null {
    const { exchange } = evidence;
    if ((exchange.request === null && exchange.response === null) || purpose === "auth") return null;
    const known = evidence.keeper ?? keepers.get(evidence);
    if (known !== undefined) return known;
    keepers.set(evidence, id);
    const sealed = sealExchanges(trx.cipher, id, { [id]: redactExchange(exchange, redactor) });
    rows.bodies.push({ id, sealed, created_at: trx.now });
    return id;
  }

  return {
    rows,
    /** Returns the call's id. The calls of one exchange share its bodies, which are stored once. */
    add(call: EndedCall): string {
      const id = trx.newId("pcl");
      const { evidence, redactor, error, isOpen, ...columns } = call;
      const { request, response } = evidence.exchange;
      // The response contains the raw body (docs/contract.md#provider-calls).
      const shown = error && { ...error, provider_raw: undefined, retryable: undefined };
      rows.provider_calls.push({
        ...columns,
        id,
        settled_at: isOpen === true ? null : trx.now,
        http_status: response?.status ?? null,
        error_json: shown && JSON.stringify(shown),
        url: withoutQuery(request?.url, redactor),
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
