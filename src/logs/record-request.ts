/** Logs API requests, each with the next commit, without delaying the response (docs/contract.md#request-log). */
import { type RequestRow, REQUEST_LAG_MS_MAX } from "../../storage/logs/logs.ts";
import type { RowLists } from "../../storage/database/session.ts";
import type { Kind, Transaction } from "../../storage/database/write.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { BODY_BYTES_MAX, buildLoggedBody, sealExchanges } from "./log-bodies.ts";
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
  /** Whether the request's body is known to be valid JSON. */
  isJson: boolean;
}

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
  context.store.defer(LOG, { entry, exchange: buildExchange(entry) }).catch((error: unknown) => {
    if (isReportedAlready(error)) return context.space.leftOut();
    context.log.error({ request_id: entry.requestId, error: String(error) }, "request not logged");
  });
}

interface LogItem {
  entry: RequestLogEntry;
  /** As JSON. */
  exchange: string;
}

/** Exchanges that share a row of `bodies`, so that one request is read without decrypting much. */
const SHARED_MAX = 64;
const SHARED_CHARACTERS_MAX = 262_144;

const LOG: Kind<LogItem, void> = {
  async commit(trx, items) {
    const rows: RowLists<"requests" | "bodies"> = { requests: [], bodies: [] };
    let bodyId = "";
    let exchanges: string[] = [];
    let characters = 0;
    const close = () => {
      if (exchanges.length === 0) return;
      const sealed = sealExchanges(trx.cipher, bodyId, `{${exchanges.join(",")}}`);
      rows.bodies.push({ id: bodyId, sealed, created_at: trx.now });
      exchanges = [];
      characters = 0;
    };
    for (const { entry, exchange } of items) {
      const id = trx.newId("rql");
      if (exchanges.length === 0) bodyId = id;
      rows.requests.push(rowOf(trx, id, bodyId, entry));
      exchanges.push(`"${id}":${exchange}`);
      characters += exchange.length;
      if (exchanges.length === SHARED_MAX || characters >= SHARED_CHARACTERS_MAX) close();
    }
    close();
    await trx.insertRows(rows);
    return items.map(() => ({ value: undefined }));
  },
};

function rowOf(trx: Transaction, id: string, bodyId: string, entry: RequestLogEntry): RequestRow {
  return {
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
    body_id: bodyId,
  };
}

function buildExchange(entry: RequestLogEntry): string {
  const { method, status } = entry;
  const url = redactor.url(entry.withoutSecrets === undefined ? entry.url : withoutQuery(entry.url));
  const request = sideOf(
    { method, url, headers: redactor.headers(entry.requestHeaders) },
    requestBodyOf(entry),
  );
  const response = sideOf(
    { status, headers: redactor.headers(entry.responseHeaders) },
    loggedJson(entry.responseBody, true),
  );
  return `{"request":${request},"response":${response}}`;
}

/** One side of an exchange as JSON, without its body if the rest exceeds the limit. */
function sideOf(head: object, body: string): string {
  const text = JSON.stringify(head);
  const bytes = Buffer.byteLength(text);
  return bytes > BODY_BYTES_MAX
    ? JSON.stringify({ omitted: `${bytes} bytes without the body` })
    : `${text.slice(0, -1)},"body":${body}}`;
}

/** A body as JSON. Nearly always that is the text itself, with nothing to redact. */
function loggedJson(text: string | null, isJson: boolean): string {
  const isPlain = text !== null && isJson && text !== "" && !redactor.mayChangeJson(text);
  if (isPlain && Buffer.byteLength(text) <= BODY_BYTES_MAX) return text;
  return JSON.stringify(redactor.json(buildLoggedBody(text, true, redactor)));
}

function requestBodyOf({ requestBody, isJson, withoutSecrets }: RequestLogEntry): string {
  if (withoutSecrets === undefined || requestBody === null) return loggedJson(requestBody, isJson);
  const body = buildLoggedBody(requestBody, true);
  // Text, because it is not JSON or was truncated, may contain a credential anywhere.
  return JSON.stringify(redactor.json(typeof body === "object" ? withoutSecrets(body) : REDACTED));
}

function withoutQuery(url: string): string {
  const end = url.indexOf("?");
  return end === -1 ? url : `${url.slice(0, end)}?${REDACTED}`;
}
