/**
 * The row of a call to `/mcp` in the request log (decisions 11). A tool call has a second one under the same id, that of the
 * API request which it made; arguments and answer are kept there, and only there.
 */
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/errors.ts";
import { recordRequest } from "../../src/logs/record.ts";
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
  const { message, outcome } = exchange;
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
    requestBody: message === null ? null : JSON.stringify(withoutArguments(message)),
    responseHeaders: exchange.responseHeaders,
    responseBody: responseBodyOf(exchange),
    accepted: undefined,
  });
}

function responseBodyOf({ message, answer, outcome }: McpExchange): string | null {
  if (outcome !== undefined) return withoutResult(message, outcome);
  // The list of tools is the same for everybody, and large.
  return methodOf(message) === "tools/list" ? null : answer;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function methodOf(message: unknown): unknown {
  return isRecord(message) ? message["method"] : undefined;
}

/** Also of a call that was refused before it became a request: they may hold credentials. */
function withoutArguments(message: unknown): unknown {
  if (methodOf(message) !== "tools/call" || !isRecord(message)) return message;
  const { params } = message;
  if (!isRecord(params)) return { ...message, params: ELSEWHERE };
  return { ...message, params: { name: params["name"], arguments: ELSEWHERE } };
}

/** The protocol's answer to a tool call, but for what the tool answered. */
function withoutResult(message: unknown, outcome: ToolOutcome): string {
  const id = isRecord(message) ? message["id"] : null;
  const isError = outcome.served.result instanceof AppError;
  return JSON.stringify({ jsonrpc: "2.0", id, result: { isError, content: ELSEWHERE } });
}
