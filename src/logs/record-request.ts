/** The log of API requests: one row for each, written with the next commit, never waited for. */
import { insertBody } from "../../storage/bodies.ts";
import { insertRequest, REQUEST_LAG_MS_MAX } from "../../storage/requests.ts";
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
  /** The route's template, `/api/v1/documents/{id}`; the path as it came where none matched. */
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
  requestHeaders: Record<string, string>;
  requestBody: string | null;
  /** For a request whose body holds credentials: what of it may be logged. */
  withoutSecrets?: ((body: unknown) => unknown) | undefined;
  responseHeaders: Record<string, string>;
  responseBody: string | null;
  /** A document that was accepted: what was sent and what is kept of it, so that no second copy is. */
  accepted: AcceptedBody | undefined;
}

export interface AcceptedBody {
  /** The body, parsed. */
  sent: unknown;
  /** The canonical document as it is stored. */
  document: unknown;
}

/**
 * What stands in the place of a body that is kept as the document itself: what was sent around it, and in what the document
 * that was sent differs from the one that is stored. The answer is the snapshot of the document's first event.
 */
export interface StandIn {
  around: Record<string, unknown>;
  difference: ReturnType<typeof diffJson>;
}

/** An exchange as it is sealed: with a stand-in, its two bodies are null and are made again when they are read. */
export type LoggedRequest = LoggedExchange & { standIn?: StandIn };

/** Requests have no secrets but those that are known by their form. */
const redactor = createRedactor();

/** A path that no route matched may be anything: this much of it is told, and only words like those of our routes. */
const PATH_LENGTH_MAX = 200;

function wordsOf(path: string): string {
  const segments = path.split("/").map((segment) => (/^(?:[a-z_]{0,40}|v1)$/.test(segment) ? segment : "*"));
  return segments.join("/").slice(0, PATH_LENGTH_MAX);
}

export function recordRequest(context: Context, entry: RequestLogEntry): void {
  // Callers who are refused for want of room come again and again: their rows would take what is left of it.
  if (context.space.level() !== "ample") return context.space.leftOut();
  context.store
    .defer(async (trx) => {
      const id = trx.newId("rql");
      await insertRequest(trx, {
        id,
        request_id: entry.requestId,
        mode: entry.mode,
        source: entry.source,
        method: entry.method,
        path: entry.operationId === null ? wordsOf(entry.path) : entry.path,
        operation_id: entry.operationId,
        status: entry.status,
        duration_ms: entry.durationMs,
        idempotency_key: entry.idempotencyKey,
        merchant_id: entry.merchantId,
        document_id: entry.documentId,
        created_at: new Date(Math.max(entry.createdMs, trx.nowMs - REQUEST_LAG_MS_MAX)).toISOString(),
        bodies_purged_at: null,
      });
      const sealed = sealExchange(context.store.cipher, id, buildKept(entry));
      await insertBody(trx, { id, sealed, created_at: trx.now });
    })
    .catch((error: unknown) => {
      if (isReportedAlready(error)) return context.space.leftOut();
      context.log.error({ request_id: entry.requestId, error: String(error) }, "request not logged");
    });
}

function buildKept(entry: RequestLogEntry): LoggedRequest {
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
        body: standIn === undefined ? buildLoggedBody(entry.responseBody, true) : null,
      },
    },
    redactor,
  );
  return standIn === undefined ? exchange : { ...exchange, standIn };
}

/** Undefined where the bodies are kept themselves. One over the limit is: it is cut as it came. */
function standInFor({ accepted, requestBody }: RequestLogEntry): StandIn | undefined {
  if (accepted === undefined || requestBody === null) return undefined;
  if (Buffer.byteLength(requestBody) > BODY_BYTES_MAX) return undefined;
  // What has a credential in it is kept as other bodies are: without.
  if (JSON.stringify(redactor.json(accepted.sent)) !== JSON.stringify(accepted.sent)) return undefined;
  const { document, ...around } = accepted.sent as Record<string, unknown>;
  return { around, difference: diffJson(document, accepted.document) };
}

function requestBodyOf({ requestBody, withoutSecrets }: RequestLogEntry): unknown {
  if (withoutSecrets === undefined || requestBody === null) return buildLoggedBody(requestBody, true);
  const body = buildLoggedBody(requestBody, true);
  // What is no JSON, or was cut, may hold a credential anywhere.
  return typeof body === "object" ? withoutSecrets(body) : REDACTED;
}

function withoutQuery(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : `${url.slice(0, end)}?${REDACTED}`;
}
