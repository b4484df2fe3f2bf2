/**
 * From a request to its answer, in the order of decisions 2.1: key, rate limit, path, Idempotency-Key, content type, size,
 * JSON, then what the operation asks for. One step a function; every answer leaves through `answer`.
 */
import { type H3Event, HTTPResponse } from "h3";
import type { Mode } from "../storage/stored-values.ts";
import type { Appliance } from "../src/appliance.ts";
import type { IdempotencyClaim } from "../src/journal/context.ts";
import { inProgress } from "../src/journal/create-once.ts";
import { AppError } from "../src/foundation/errors.ts";
import { fingerprint } from "../src/journal/idempotency.ts";
import { authenticateKey } from "../src/keys/api-keys.ts";
import { recordRequest } from "../src/logs/record-request.ts";
import { describe, failureOf } from "./errors.ts";
import { parseStrictJson } from "./json.ts";
import { createFixedWindow, type FixedWindow, type Window } from "./limits.ts";
import { headersForLog } from "./logged-headers.ts";
import type { Answer, AnswerFile, Operation } from "./operation.ts";
import { clientAddressOf, publicUrlOf, type Trust, trustedNetworks } from "./peer.ts";
import { parseQuery } from "./query.ts";
import { bearerOf, hasNoBody, idempotencyKeyOf, readBodyText, requestIdOf, requireJson } from "./request.ts";

export interface Pipeline {
  /** Serves `operation`, or the answer for a path that is none. */
  serve(event: H3Event, operation: Operation | undefined): Promise<HTTPResponse>;
  /** Serves `operation` to a caller who was let in before: the request that a tool call makes. It is logged, not answered. */
  serveCaller(event: H3Event, operation: Operation, caller: Caller): Promise<Served>;
  /** The beginning of every request, for what takes the API's keys outside the API. */
  begin(headers: Headers, known?: Partial<Progress>): Progress;
  /** 401, then 429: `unauthorized`, `rate_limited`. */
  admit(event: H3Event, progress: Progress): Promise<void>;
  /** What `work` came to. A fault of ours is logged under the request's id and told as nothing but that. */
  attempt<T>(requestId: string, name: string | undefined, work: () => Promise<T>): Promise<T | AppError>;
  /** The headers that every answer has. */
  headersFor(progress: Progress, status: number): Record<string, string>;
  /** From now on connections are closed behind their answers: the server is stopping. */
  closeConnections(): void;
  /** Whether it is. */
  isClosing(): boolean;
}

/** Somebody who is known already, and the request that he is known by. */
export interface Caller {
  mode: Mode;
  requestId: string;
}

/** What a caller's request came to. */
export interface Served {
  result: Answer | AppError;
  idempotencyKey: string | null;
}

/** What is learnt of a request on its way: for its headers and its row in the log. */
export interface Progress {
  requestId: string;
  source: "api" | "mcp";
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
    const progress = begin(event.req.headers);
    const result = await attempt(progress.requestId, operation?.id, async () => {
      await admit(event, progress);
      countLookup(operation, progress);
      if (operation === undefined)
        throw new AppError("not_found", "There is nothing at this path, or not with this method");
      return run(event, operation, progress);
    });
    return answer(event, operation, progress, result);
  }

  async function serveCaller(event: H3Event, operation: Operation, caller: Caller): Promise<Served> {
    const progress = begin(event.req.headers, { ...caller, source: "mcp" });
    const result = await attempt(progress.requestId, operation.id, async () => {
      countLookup(operation, progress);
      return run(event, operation, progress);
    });
    answer(event, operation, progress, result);
    return { result, idempotencyKey: progress.idempotencyKey };
  }

  function begin(headers: Headers, known: Partial<Progress> = {}): Progress {
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

  async function attempt<T>(
    requestId: string,
    name: string | undefined,
    work: () => Promise<T>,
  ): Promise<T | AppError> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) return error;
      // A read that the disk lets down; writes are explained where they are made.
      const unavailable = appliance.space.explain(error);
      if (unavailable !== undefined) return unavailable;
      appliance.log.error(
        { request_id: requestId, operation: name, error: describe(error) },
        "request failed",
      );
      return new AppError("internal_error", failureOf(error).body.message);
    }
  }

  /** 401, then 429. A bad key of an address with too many of them is 429 itself; a good one never is for that. */
  async function admit(event: H3Event, progress: Progress): Promise<void> {
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
  }

  /** A second limit, which holds for everybody of a mode together. */
  function countLookup(operation: Operation | undefined, progress: Progress): void {
    if (operation?.limit !== "lookups") return;
    const window = lookups.count(progress.mode!, progress.startedMs);
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
    if (operation.isBodyOptional === true && hasNoBody(event)) {
      body = {};
    } else if (operation.body !== undefined) {
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
    const call = { appliance: asAsked(event), mode, params, query, body, cause, claim };
    return claim === undefined ? operation.handle(call) : once(mode, claim, () => operation.handle(call));
  }

  /** Links in an answer lead where its caller came by, unless the operator has said where they lead. */
  function asAsked(event: H3Event): Appliance {
    const fallback = appliance.publicUrl();
    const url = publicUrlOf(event, trusted, { fallback, isSettled: config.server.publicUrl !== "" });
    return url === fallback ? appliance : { ...appliance, publicUrl: () => url };
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
    const body = file === undefined ? text : null;
    const durationMs = performance.now() - progress.startedAt;
    appliance.watch.request({
      requestId: progress.requestId,
      operation: operation?.id ?? null,
      source: progress.source,
      status,
      durationMs,
      bytes: file?.bytes.byteLength ?? Buffer.byteLength(text),
    });
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
      source: progress.source,
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

  function headersFor(progress: Progress, status: number): Record<string, string> {
    const headers = commonHeaders(progress, status);
    // What is left of a body that is too large is not read: the connection ends with the answer.
    if (isClosing || status === 413) headers["connection"] = "close";
    return headers;
  }

  return {
    serve,
    serveCaller,
    begin,
    admit,
    attempt,
    headersFor,
    closeConnections() {
      isClosing = true;
    },
    isClosing: () => isClosing,
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

function refuseKey(event: H3Event, failedAuth: FixedWindow, trusted: Trust, progress: Progress): AppError {
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

function commonHeaders(progress: Progress, status: number): Record<string, string> {
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
