/**
 * The row of a call to `/mcp` in the request log (decisions 11). A tool call has a second one under the same id, that of the
 * API request which it made; arguments and answer are kept there, and only there.
 */
import * as v from "valibot";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { recordRequest } from "../../src/logs/record-request.ts";
import type { Progress } from "../pipeline.ts";
import type { ToolOutcome } from "./call.ts";

export interface McpExchange {
  /** The protocol's message, parsed; null where none was read. */
  message: unknown;
  status: number;
  /** The protocol's answer; that of a tool is made anew, without what it holds. */
  answer: string | null;
  url: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  /** The tool that was called, and what came of it. */
  outcome: ToolOutcome | undefined;
}

const ELSEWHERE = "[not kept here: see the API request under this x-request-id]";

/** A caller without a key has no mode, and leaves no row. */
export function recordMcpCall(appliance: Appliance, progress: Progress, exchange: McpExchange): void {
  if (progress.mode === undefined) return;
  const { outcome } = exchange;
  const result = outcome?.served.result;
  const answered = result instanceof AppError ? undefined : result;
  recordRequest(appliance, {
    requestId: progress.requestId,
    mode: progress.mode,
    source: progress.source,
    method: "POST",
    path: "/mcp",
    operationId: outcome?.tool.operation.id ?? null,
    status: exchange.status,
    durationMs: Math.round(performance.now() - progress.startedAt),
    idempotencyKey: outcome?.served.idempotencyKey ?? null,
    merchantId: answered?.merchantId ?? null,
    documentId: answered?.documentId ?? null,
    createdMs: progress.startedMs,
    url: exchange.url,
    requestHeaders: exchange.requestHeaders,
    requestBody: requestBodyOf(exchange),
    responseHeaders: exchange.responseHeaders,
    responseBody: responseBodyOf(exchange),
    accepted: undefined,
  });
}

/** A text of the form, and nothing else: what a caller writes may hold a credential in any place. */
function textLike(form: RegExp) {
  return v.fallback(v.optional(v.pipe(v.string(), v.regex(form))), undefined);
}

const Version = textLike(/^[\w.+-]{1,40}$/);

/** What is kept of a message: never arguments, also of a call that was refused before it became a request. */
const KeptMessageSchema = v.object({
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

function keptMessageOf(message: unknown): v.InferOutput<typeof KeptMessageSchema> {
  const kept = v.safeParse(KeptMessageSchema, message);
  return kept.success ? kept.output : {};
}

function requestBodyOf({ message }: McpExchange): string | null {
  if (message === null) return null;
  const kept = keptMessageOf(message);
  const isCall = kept.method === "tools/call";
  return JSON.stringify(isCall ? { ...kept, params: { ...kept.params, arguments: ELSEWHERE } } : kept);
}

function responseBodyOf({ message, answer, outcome }: McpExchange): string | null {
  const { id, method } = keptMessageOf(message);
  // The list of tools is the same for everybody, and large.
  if (method === "tools/list") return null;
  if (outcome === undefined) return answer;
  const isError = outcome.served.result instanceof AppError;
  return JSON.stringify({ jsonrpc: "2.0", id, result: { isError, content: ELSEWHERE } });
}
