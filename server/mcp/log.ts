/**
 * Records a call to `/mcp` in the request log (docs/contract.md#request-log). A tool call has a second row with the same id,
 * for its API request; arguments and response are stored only there. A tool that makes none has one row, with its arguments.
 */
import * as v from "valibot";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { recordRequest } from "../../src/logs/record-request.ts";
import type { Progress } from "../progress.ts";
import type { ToolOutcome } from "./call.ts";

export interface McpExchange {
  /** The protocol message, parsed; null if none was read. */
  message: unknown;
  status: number;
  /** The protocol's response. That of a tool call is replaced by one without content. */
  response: string | null;
  url: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  /** The tool that was called, and its result. */
  outcome: ToolOutcome | undefined;
}

/** A tool that makes no API request: what it read can be read again. */
const NOT_STORED = "[not stored]";
const ELSEWHERE = "[not stored here: see the API request with this x-request-id]";

/** Records nothing for a caller without a key, who has no mode. */
export function recordMcpCall(appliance: Appliance, progress: Progress, exchange: McpExchange): void {
  if (progress.mode === undefined) return;
  const { outcome } = exchange;
  const result = outcome?.served.result;
  const succeeded = result instanceof AppError ? undefined : result;
  recordRequest(appliance, {
    requestId: progress.requestId,
    mode: progress.mode,
    source: progress.source,
    method: "POST",
    path: "/mcp",
    operationId: outcome?.tool.operationId ?? null,
    status: exchange.status,
    durationMs: Math.round(performance.now() - progress.startedAt),
    idempotencyKey: outcome?.served.idempotencyKey ?? null,
    merchantId: succeeded?.merchantId ?? null,
    documentId: succeeded?.documentId ?? null,
    createdMs: progress.startedMs,
    url: exchange.url,
    requestHeaders: exchange.requestHeaders,
    requestBody: requestBodyOf(exchange),
    responseHeaders: exchange.responseHeaders,
    responseBody: responseBodyOf(exchange),
    isJson: true,
  });
}

/** Text in exactly this form; anything else that a caller writes may be a credential. */
function textLike(form: RegExp) {
  return v.fallback(v.optional(v.pipe(v.string(), v.regex(form))), undefined);
}

const Version = textLike(/^[\w.+-]{1,40}$/);

/** The logged part of a message: never the arguments, even of a call that was refused before it became a request. */
const LoggedMessageSchema = v.object({
  jsonrpc: textLike(/^2\.0$/),
  id: v.fallback(v.optional(v.union([v.number(), v.string()])), undefined),
  method: textLike(/^[A-Za-z][A-Za-z/_]{0,59}$/),
  params: v.fallback(
    v.optional(
      v.object({
        name: textLike(/^[a-z][a-z_]{0,63}$/),
        protocolVersion: Version,
        clientInfo: v.fallback(
          v.optional(v.object({ name: textLike(/^[\w .@/-]{1,80}$/), version: Version })),
          undefined,
        ),
      }),
    ),
    undefined,
  ),
});

function filterMessage(message: unknown): v.InferOutput<typeof LoggedMessageSchema> {
  const logged = v.safeParse(LoggedMessageSchema, message);
  return logged.success ? logged.output : {};
}

function requestBodyOf({ message, outcome }: McpExchange): string | null {
  if (message === null) return null;
  const logged = filterMessage(message);
  if (logged.method !== "tools/call") return JSON.stringify(logged);
  const given = outcome?.tool.kind === "own" ? (outcome.arguments ?? NOT_STORED) : ELSEWHERE;
  return JSON.stringify({ ...logged, params: { ...logged.params, arguments: given } });
}

function responseBodyOf({ message, response, outcome }: McpExchange): string | null {
  const { id, method } = filterMessage(message);
  // The list of tools is large and the same for every caller.
  if (method === "tools/list") return null;
  if (outcome === undefined) return response;
  const isError = outcome.served.result instanceof AppError;
  const content = outcome.tool.kind === "own" ? NOT_STORED : ELSEWHERE;
  return JSON.stringify({ jsonrpc: "2.0", id, result: { isError, content } });
}
