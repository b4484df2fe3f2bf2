/** The progress of a request through the pipeline, the HTTP response built from it, and its record in the metrics and the log. */
import { type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../src/appliance.ts";
import { AppError } from "../src/foundation/errors.ts";
import { recordRequest } from "../src/logs/record-request.ts";
import { isId } from "../src/foundation/system.ts";
import { type Failure, failureOf } from "./errors.ts";
import type { Operation, OperationResult, ResponseFile } from "../src/operations/operation.ts";
import { requestIdOf } from "./request.ts";
import { REDACTED } from "../src/logs/redaction.ts";
import type { Mode } from "../src/domain/vocabulary.ts";
import type { Window } from "./limits.ts";

/** A request that the pipeline has finished with. */
export interface FinishedRequest {
  event: H3Event;
  /** Undefined for a path that is no operation. */
  operation: Operation | undefined;
  progress: Progress;
  result: OperationResult | AppError;
}

export function respond(appliance: Appliance, finished: FinishedRequest, isClosing: boolean): HTTPResponse {
  const { operation, progress, result } = finished;
  const shown: Shown = result instanceof AppError ? failureOf(result) : show(result);
  const { status, json, file } = shown;
  const headers = { ...buildHeaders(progress, status, isClosing), ...shown.headers };
  appliance.finishedWork.request({
    requestId: progress.requestId,
    operation: operation?.id ?? null,
    source: progress.source,
    status,
    durationMs: performance.now() - progress.startedAt,
    bytes: file?.bytes.byteLength ?? Buffer.byteLength(json),
  });
  const body = file === undefined ? json : null;
  // Without a valid key the request belongs to no mode, and is not logged.
  if (progress.mode !== undefined) logRequest(appliance, finished, { status, headers, body });
  return new HTTPResponse(file?.bytes ?? json, { status, headers });
}

interface Shown extends Failure {
  file?: ResponseFile | undefined;
}

/** Browsers display a file, and save it under its name. */
function show({ status, json, file, replayed }: OperationResult): Shown {
  if (file === undefined) return { status, json, headers: replayed ? { "idempotent-replayed": "true" } : {} };
  const { contentType, name } = file;
  const headers = { "content-type": contentType, "content-disposition": `inline; filename="${name}"` };
  return { status, json, headers, file };
}

function logRequest(
  appliance: Appliance,
  { event, operation, progress, result }: FinishedRequest,
  response: { status: number; headers: Record<string, string>; body: string | null },
): void {
  const about = result instanceof AppError ? undefined : result;
  recordRequest(appliance, {
    requestId: progress.requestId,
    mode: progress.mode!,
    source: progress.source,
    method: event.req.method,
    path: operation === undefined ? event.url.pathname : `/api/v1${operation.path}`,
    operationId: operation?.id ?? null,
    status: response.status,
    durationMs: Math.round(performance.now() - progress.startedAt),
    idempotencyKey: progress.idempotencyKey,
    merchantId: about?.merchantId ?? namedMerchant(event, operation, progress),
    documentId: about?.documentId ?? null,
    createdMs: progress.startedMs,
    url: event.url.pathname + event.url.search,
    requestHeaders: headersForLog(event.req.headers, progress.requestId),
    requestBody: progress.bodyText,
    withoutSecrets: operation?.bodyForLog,
    responseHeaders: response.headers,
    // The OpenAPI description is large and the same for every caller.
    responseBody: operation?.response.kind === "text" ? null : response.body,
    isJson: progress.body !== undefined,
  });
}

/** The merchant that the request names: in its path, or in the body of a document that was refused. */
function namedMerchant(event: H3Event, operation: Operation | undefined, { body }: Progress): string | null {
  const named =
    operation?.path.startsWith("/merchants/{id}") === true
      ? event.context.params?.["id"]
      : (body as { merchant?: unknown } | null | undefined)?.merchant;
  return typeof named === "string" && isId(named, "mer") ? named : null;
}

/** The statuses that report the rate limit in their headers (docs/contract.md#response-headers). */
const LIMITED_STATUSES: ReadonlySet<number> = new Set([200, 201, 400, 404, 409, 413, 415, 422, 429, 503]);

export function buildHeaders(progress: Progress, status: number, isClosing: boolean): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "x-request-id": progress.requestId,
  };
  const { window } = progress;
  if (window !== undefined && LIMITED_STATUSES.has(status)) {
    headers["ratelimit-limit"] = String(window.limit);
    headers["ratelimit-remaining"] = String(window.remaining);
    headers["ratelimit-reset"] = String(window.resetSeconds);
  }
  if (status === 401) headers["www-authenticate"] = 'Bearer realm="service"';
  // Only so much of a body that is too large is discarded, so the connection cannot be reused.
  if (isClosing || status === 413) headers["connection"] = "close";
  return headers;
}

const ID_HEADER = "x-request-id";

/** The headers for the log, which removes credentials. A request id that was refused may contain anything. */
export function headersForLog(headers: Headers, requestId: string): Record<string, string> {
  const logged = Object.fromEntries(headers);
  const { [ID_HEADER]: id } = logged;
  if (id !== undefined && requestId !== `client:${id}`) logged[ID_HEADER] = REDACTED;
  return logged;
}

/** Filled in step by step; the response headers and the log row are built from it. */
export interface Progress {
  requestId: string;
  source: "api" | "mcp";
  /** When the request began, by the appliance's clock. */
  startedMs: number;
  /** The same instant by the monotonic clock, to measure the duration. */
  startedAt: number;
  /** The mode of the caller's key; undefined until the key is accepted. */
  mode: Mode | undefined;
  /** The rate limit to report in the headers; undefined where no limit applies. */
  window: Window | undefined;
  idempotencyKey: string | null;
  bodyText: string | null;
  /** `bodyText`, parsed. */
  body: unknown;
}

/** `known` overrides fields, for a request on behalf of a caller who was authenticated before. */
export function beginProgress(
  { config, clock }: Pick<Appliance, "config" | "clock">,
  headers: Headers,
  known: Partial<Progress> = {},
): Progress {
  return {
    requestId: requestIdOf(headers, config.server.platformRequestIdHeader),
    source: "api",
    startedMs: clock.nowMs(),
    startedAt: performance.now(),
    mode: undefined,
    window: undefined,
    idempotencyKey: null,
    bodyText: null,
    body: undefined,
    ...known,
  };
}
