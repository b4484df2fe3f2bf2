/** The log of API requests: one row for each, written with the next commit, never waited for. */
import { insertBody } from "../../storage/calls.ts";
import { insertRequest } from "../../storage/requests.ts";
import type { Mode } from "../../storage/schema.ts";
import type { Context } from "../context.ts";
import { keepBody, sealExchange } from "./bodies.ts";

export interface RequestLogEntry {
  requestId: string;
  mode: Mode;
  source: "api" | "mcp";
  method: string;
  /** The route's template, `/api/v1/documents/{id}`. */
  path: string;
  operationId: string | null;
  status: number;
  durationMs: number;
  idempotencyKey: string | null;
  merchantId: string | null;
  documentId: string | null;
  createdMs: number;
  /** The path with its query. */
  url: string;
  /** Without credentials. */
  requestHeaders: Record<string, string>;
  requestBody: string | null;
  responseHeaders: Record<string, string>;
  responseBody: string | null;
  /** The bodies are the document's own, kept as its input and as the snapshot of its first event: no second copy. */
  bodyIsDocumentInput: boolean;
}

export function recordRequest(context: Context, entry: RequestLogEntry): void {
  context.store
    .defer(async (trx) => {
      const id = trx.newId("rql");
      await insertRequest(trx, {
        id,
        request_id: entry.requestId,
        mode: entry.mode,
        source: entry.source,
        method: entry.method,
        path: entry.path,
        operation_id: entry.operationId,
        status: entry.status,
        duration_ms: entry.durationMs,
        idempotency_key: entry.idempotencyKey,
        merchant_id: entry.merchantId,
        document_id: entry.documentId,
        created_at: new Date(entry.createdMs).toISOString(),
        bodies_purged_at: null,
      });
      const { requestBody, responseBody } = entry.bodyIsDocumentInput
        ? { requestBody: null, responseBody: null }
        : entry;
      const sealed = sealExchange(context.store.cipher, id, {
        request: {
          method: entry.method,
          url: entry.url,
          headers: entry.requestHeaders,
          body: keepBody(requestBody, true),
        },
        response: {
          status: entry.status,
          headers: entry.responseHeaders,
          body: keepBody(responseBody, true),
        },
      });
      await insertBody(trx, { id, sealed, created_at: trx.now });
    })
    .catch((error: unknown) => {
      context.log.error({ request_id: entry.requestId, error: String(error) }, "request not logged");
    });
}
