/** Logs API requests, each with the next commit, without delaying the response (docs/contract.md#request-log). */
import { insertBody } from "../../storage/logs/bodies.ts";
import { insertRequest, REQUEST_LAG_MS_MAX } from "../../storage/logs/requests.ts";
import { inTurn } from "../../storage/database/write.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import {
  BODY_BYTES_MAX,
  redactExchange,
  buildLoggedBody,
  type LoggedExchange,
  sealExchange,
} from "./log-bodies.ts";
import { diffJson } from "./difference.ts";
import { createRedactor, REDACTED } from "./redaction.ts";

export interface RequestLogEntry {
  requestId: string;
  mode: Mode;
  source: "api" | "mcp";
  method: string;
  /** The route, such as `/api/v1/documents/{id}`; the requested path if no route matched. */
  path: string;
  operationId: string | null;
  status: number;
  durationMs: number;
  idempotencyKey: string | null;
  merchantId: string | null;
  documentId: string | null;
  createdMs: number;
  /** The requested path with its query. */
  url: string;
  requestHeaders: Record<string, string>;
  requestBody: string | null;
  /** Removes the secrets of a body with credentials before it is logged. */
  withoutSecrets?: ((body: unknown) => unknown) | undefined;
  responseHeaders: Record<string, string>;
  responseBody: string | null;
  /** The body of an accepted document, of which no second copy is stored. */
  accepted: AcceptedBody | undefined;
}

export interface AcceptedBody {
  /** The parsed body. */
  sent: unknown;
  /** The canonical document as stored. */
  document: unknown;
}

/**
 * Replaces the bodies of an accepted document: the other members of the request, and how the document sent differs from the
 * one stored. The response is the snapshot of the document's first event.
 */
export interface StandIn {
  around: Record<string, unknown>;
  difference: ReturnType<typeof diffJson>;
}

/** An exchange as it is stored. With a stand-in, both bodies are null and are restored when they are read. */
export type LoggedRequest = LoggedExchange & { standIn?: StandIn };

/** Requests to this server contain no secrets other than those recognised by their form. */
const redactor = createRedactor();

/** A path that matches no route may contain anything, so only plain words of it are logged, up to this length. */
const PATH_LENGTH_MAX = 200;

function maskPath(path: string): string {
  const segments = path.split("/").map((segment) => (/^(?:[a-z_]{0,40}|v1)$/.test(segment) ? segment : "*"));
  return segments.join("/").slice(0, PATH_LENGTH_MAX);
}

export function recordRequest(context: Context, entry: RequestLogEntry): void {
  // While the disk is nearly full, repeated requests would use up the rest of it.
  if (context.space.level() !== "ample") return context.space.leftOut();
  context.store.defer(LOG, entry).catch((error: unknown) => {
    if (isReportedAlready(error)) return context.space.leftOut();
    context.log.error({ request_id: entry.requestId, error: String(error) }, "request not logged");
  });
}

const LOG = inTurn(async (trx, entry: RequestLogEntry) => {
  const id = trx.newId("rql");
  await insertRequest(trx, {
    id,
    request_id: entry.requestId,
    mode: entry.mode,
    source: entry.source,
    method: entry.method,
    path: entry.operationId === null ? maskPath(entry.path) : entry.path,
    operation_id: entry.operationId,
    status: entry.status,
    duration_ms: entry.durationMs,
    idempotency_key: entry.idempotencyKey,
    merchant_id: entry.merchantId,
    document_id: entry.documentId,
    created_at: new Date(Math.max(entry.createdMs, trx.nowMs - REQUEST_LAG_MS_MAX)).toISOString(),
    bodies_purged_at: null,
  });
  const sealed = sealExchange(trx.cipher, id, buildLoggedRequest(entry));
  await insertBody(trx, { id, sealed, created_at: trx.now });
});

function buildLoggedRequest(entry: RequestLogEntry): LoggedRequest {
  const standIn = standInFor(entry);
  const exchange = redactExchange(
    {
      request: {
        method: entry.method,
        url: entry.withoutSecrets === undefined ? entry.url : withoutQuery(entry.url),
        headers: entry.requestHeaders,
        body: standIn === undefined ? requestBodyOf(entry) : null,
      },
      response: {
        status: entry.status,
        headers: entry.responseHeaders,
        body: standIn === undefined ? buildLoggedBody(entry.responseBody, true, redactor) : null,
      },
    },
    redactor,
  );
  return standIn === undefined ? exchange : { ...exchange, standIn };
}

/** Undefined if the bodies are stored themselves, as a body over the limit is. */
function standInFor({ accepted, requestBody }: RequestLogEntry): StandIn | undefined {
  if (accepted === undefined || requestBody === null) return undefined;
  if (Buffer.byteLength(requestBody) > BODY_BYTES_MAX) return undefined;
  // A body with a credential is stored redacted, like other bodies.
  if (redactor.changesJsonText(requestBody, accepted.sent)) return undefined;
  const { document, ...around } = accepted.sent as Record<string, unknown>;
  return { around, difference: diffJson(document, accepted.document) };
}

function requestBodyOf({ requestBody, withoutSecrets }: RequestLogEntry): unknown {
  if (withoutSecrets === undefined || requestBody === null)
    return buildLoggedBody(requestBody, true, redactor);
  const body = buildLoggedBody(requestBody, true);
  // Text, because it is not JSON or was truncated, may contain a credential anywhere.
  return typeof body === "object" ? withoutSecrets(body) : REDACTED;
}

function withoutQuery(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : `${url.slice(0, end)}?${REDACTED}`;
}
