/**
 * From a request to its answer, in the order of decisions 2.1: key, rate limit, path, Idempotency-Key, content type, size,
 * JSON, then what the operation asks for. One step a function; every answer leaves through `answer`.
 */
import { type H3Event, HTTPResponse } from "h3";
import type { BlockList } from "node:net";
import type { Mode } from "../storage/schema.ts";
import type { Appliance } from "../src/appliance.ts";
import type { IdempotencyClaim } from "../src/context.ts";
import { inProgress } from "../src/creation.ts";
import { AppError } from "../src/errors.ts";
import { fingerprint } from "../src/idempotency.ts";
import { authenticateKey } from "../src/keys/keys.ts";
import { REDACTED } from "../src/logs/redaction.ts";
import { recordRequest } from "../src/logs/record.ts";
import { describe, failureOf } from "./errors.ts";
import { parseStrictJson } from "./json.ts";
import { createFixedWindow, type FixedWindow, type Window } from "./limits.ts";
import type { Answer, AnswerFile, Operation } from "./operation.ts";
import { parseQuery } from "./query.ts";
import {
  bearerOf,
  clientAddressOf,
  idempotencyKeyOf,
  readBodyText,
  requestIdOf,
  requireJson,
  trustedNetworks,
} from "./request.ts";

export interface Pipeline {
  /** Serves `operation`, or the answer for a path that is none. */
  serve(event: H3Event, operation: Operation | undefined): Promise<HTTPResponse>;
  /** From now on connections are closed behind their answers: the server is stopping. */
  closeConnections(): void;
}

/** What is learnt of a request on its way: for its headers and its row in the log. */
interface Progress {
  requestId: string;
  startedMs: number;
  startedAt: number;
  mode: Mode | undefined;
  window: Window | undefined;
  idempotencyKey: string | null;
  bodyText: string | null;
  /** The same, parsed. */
  body: unknown;
}

/** decisions 2.7. */
const FAILED_AUTH_WINDOW_SECONDS = 60;
const LOOKUP_WINDOW_SECONDS = 60;
const NO_PARAMETERS = new URLSearchParams();

export function createPipeline(appliance: Appliance): Pipeline {
  const { config, clock } = appliance;
  const requests = createFixedWindow(config.rateLimit.requests, config.rateLimit.windowSeconds);
  const lookups = createFixedWindow(config.rateLimit.lookups, LOOKUP_WINDOW_SECONDS);
  const failedAuth = createFixedWindow(config.rateLimit.failedAuth, FAILED_AUTH_WINDOW_SECONDS);
  const trusted = trustedNetworks(config.server.trustedProxies);
  const running = new Set<string>();
  let isClosing = false;

  async function serve(event: H3Event, operation: Operation | undefined): Promise<HTTPResponse> {
    const progress: Progress = {
      requestId: requestIdOf(event.req.headers, config.server.platformRequestIdHeader),
      startedMs: clock.nowMs(),
      startedAt: performance.now(),
      mode: undefined,
      window: undefined,
      idempotencyKey: null,
      bodyText: null,
      body: undefined,
    };
    let result: Answer | AppError;
    try {
      await authorise(event, operation, progress);
      if (operation === undefined)
        throw new AppError("not_found", "There is nothing at this path, or not with this method");
      result = await run(event, operation, progress);
    } catch (error) {
      if (!(error instanceof AppError)) {
        appliance.log.error(
          { request_id: progress.requestId, operation: operation?.id, error: describe(error) },
          "request failed",
        );
      }
      result =
        error instanceof AppError ? error : new AppError("internal_error", failureOf(error).body.message);
    }
    return answer(event, operation, progress, result);
  }

  /** 401, then 429. A bad key of an address with too many of them is 429 itself; a good one never is for that. */
  async function authorise(
    event: H3Event,
    operation: Operation | undefined,
    progress: Progress,
  ): Promise<void> {
    const bearer = bearerOf(event.req.headers);
    const key = bearer === undefined ? undefined : await authenticateKey(appliance, bearer);
    const nowMs = progress.startedMs;
    if (key === undefined) throw refuseKey(event, failedAuth, trusted, progress);
    progress.mode = key.mode;
    progress.window = requests.count(key.keyId, nowMs);
    if (progress.window?.isExceeded === true) {
      throw tooMany(
        progress.window,
        "Too many requests with this key; slow down and try again after retry-after",
      );
    }
    if (operation?.limit !== "lookups") return;
    const window = lookups.count(key.mode, nowMs);
    // The headers tell the limit that is reached first.
    if (
      window !== undefined &&
      (progress.window === undefined || window.remaining <= progress.window.remaining)
    )
      progress.window = window;
    if (window?.isExceeded === true) {
      throw tooMany(window, "Too many tax-number lookups in this mode; try again after retry-after");
    }
  }

  async function run(event: H3Event, operation: Operation, progress: Progress): Promise<Answer> {
    const { headers } = event.req;
    const mode = progress.mode!;
    if (operation.idempotency !== "none") {
      progress.idempotencyKey = idempotencyKeyOf(headers, operation.idempotency === "required");
    }
    let body: unknown;
    if (operation.body !== undefined) {
      requireJson(headers);
      progress.bodyText = await readBodyText(event, config.server.maxBodyBytes);
      body = parseStrictJson(progress.bodyText);
      progress.body = body;
    }
    const query = parseQuery(
      operation.query,
      event.url.search === "" ? NO_PARAMETERS : event.url.searchParams,
    );
    const params = event.context.params ?? {};
    const claim = claimOf(operation, params, body, progress);
    const cause = { mode, requestId: progress.requestId, idempotencyKey: progress.idempotencyKey };
    const call = { appliance, mode, params, query, body, cause, claim };
    return claim === undefined ? operation.handle(call) : once(mode, claim, () => operation.handle(call));
  }

  /** One request a key at a time in this process; what other processes do, the database settles. */
  async function once(mode: Mode, claim: IdempotencyClaim, work: () => Promise<Answer>): Promise<Answer> {
    const name = `${mode} ${claim.operation} ${claim.key}`;
    if (running.has(name)) throw inProgress();
    running.add(name);
    try {
      return await work();
    } finally {
      running.delete(name);
    }
  }

  function answer(
    event: H3Event,
    operation: Operation | undefined,
    progress: Progress,
    result: Answer | AppError,
  ): HTTPResponse {
    const failure = result instanceof AppError ? failureOf(result) : undefined;
    const status = failure?.status ?? (result as Answer).status;
    const text = failure === undefined ? (result as Answer).json : JSON.stringify(failure.body);
    const file = failure === undefined ? (result as Answer).file : undefined;
    const headers = headersFor(progress, status);
    if (file !== undefined) describeFile(headers, file);
    if (failure?.retryAfterSeconds !== undefined) headers["retry-after"] = String(failure.retryAfterSeconds);
    if (failure === undefined && (result as Answer).replayed) headers["idempotent-replayed"] = "true";
    // What is left of a body that is too large is not read: the connection ends with the answer.
    if (isClosing || status === 413) headers["connection"] = "close";
    const body = file === undefined ? text : null;
    if (progress.mode !== undefined) log(event, operation, progress, result, { status, headers, body });
    return new HTTPResponse(file?.bytes ?? text, { status, headers });
  }

  function log(
    event: H3Event,
    operation: Operation | undefined,
    progress: Progress,
    result: Answer | AppError,
    response: { status: number; headers: Record<string, string>; body: string | null },
  ): void {
    const about = result instanceof AppError ? undefined : result;
    recordRequest(appliance, {
      requestId: progress.requestId,
      mode: progress.mode!,
      source: "api",
      method: event.req.method,
      path: operation === undefined ? event.url.pathname : `/api/v1${operation.path}`,
      operationId: operation?.id ?? null,
      status: response.status,
      durationMs: Math.round(performance.now() - progress.startedAt),
      idempotencyKey: progress.idempotencyKey,
      merchantId: about?.merchantId ?? null,
      documentId: about?.documentId ?? null,
      createdMs: progress.startedMs,
      url: event.url.pathname + event.url.search,
      requestHeaders: headersForLog(
        event.req.headers,
        progress.requestId,
        operation?.bodyForLog !== undefined,
      ),
      requestBody: progress.bodyText,
      withoutSecrets: operation?.bodyForLog,
      responseHeaders: response.headers,
      // The description is the same for everybody, and large.
      responseBody: operation?.answer.kind === "text" ? null : response.body,
      accepted: about?.accepted === undefined ? undefined : { sent: progress.body, document: about.accepted },
    });
  }

  return {
    serve,
    closeConnections() {
      isClosing = true;
    },
  };
}

/** In a browser a document is shown, and saved under its name. */
function describeFile(headers: Record<string, string>, { contentType, name }: AnswerFile): void {
  headers["content-type"] = contentType;
  headers["content-disposition"] = `inline; filename="${name}"`;
}

function tooMany(window: Window, message: string): AppError {
  return new AppError("rate_limited", message, { retryAfterSeconds: Math.max(1, window.resetSeconds) });
}

function refuseKey(
  event: H3Event,
  failedAuth: FixedWindow,
  trusted: BlockList,
  progress: Progress,
): AppError {
  const window = failedAuth.count(clientAddressOf(event, trusted), progress.startedMs);
  if (window?.isExceeded === true) {
    // The limit that the answer's headers tell is the one that was reached.
    progress.window = window;
    return tooMany(
      window,
      "Too many requests with no valid key from this address; try again after retry-after",
    );
  }
  return new AppError("unauthorized", "A valid API key is needed: Authorization: Bearer <key>");
}

/** The claim of a creation; other operations note the key and repeat nothing. */
function claimOf(
  operation: Operation,
  params: Record<string, string>,
  body: unknown,
  progress: Progress,
): IdempotencyClaim | undefined {
  const creates = operation.idempotency === "required" || operation.creates === true;
  if (!creates || progress.idempotencyKey === null) return undefined;
  return { operation: operation.id, key: progress.idempotencyKey, fingerprint: fingerprint(params, body) };
}

/** spec, Wire conventions: the statuses whose answers tell the rate limit. */
const LIMITED_STATUSES: ReadonlySet<number> = new Set([200, 201, 400, 404, 409, 413, 415, 422, 429, 503]);

function headersFor(progress: Progress, status: number): Record<string, string> {
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
  return headers;
}

/** Names that say that a header may carry a credential; `idempotency-key` is none. */
const CREDENTIAL_HEADER = /auth|key|secret|token|cookie|passw|credential|session|signature|user/;
const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "connection",
  "content-length",
  "content-type",
  "host",
  "idempotency-key",
  "user-agent",
  "x-request-id",
]);

/** Headers for the log. Where credentials are sent, one may have come in any header that is not known to be harmless. */
function headersForLog(
  headers: Headers,
  requestId: string,
  carriesCredentials: boolean,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    // A request id that was not taken may be anything.
    const isRefusedId = name === "x-request-id" && requestId !== `client:${value}`;
    const isHarmless = isRefusedId
      ? false
      : HARMLESS_HEADERS.has(name) || (!carriesCredentials && !CREDENTIAL_HEADER.test(name));
    kept[name] = isHarmless ? value : REDACTED;
  }
  return kept;
}
