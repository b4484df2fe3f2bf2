/**
 * The row of a call to `/mcp` in the request log (decisions 11). A tool call has a second one under the same id, that of the
 * API request which it made; arguments and answer are kept there, and only there.
 */
import type { Appliance } from "../../src/appliance.ts";
import { recordRequest } from "../../src/logs/record.ts";
import type { Answer } from "../operation.ts";
import type { Progress } from "../pipeline.ts";
import type { ToolOutcome } from "./call.ts";

export interface McpExchange {
  /** The protocol's message, parsed; null where none was read. */
  message: unknown;
  status: number;
  /** The protocol's answer. */
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
  const answered: Answer | undefined = result !== undefined && "json" in result ? result : undefined;
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
    // The list of tools is the same for everybody, and large.
    responseBody: methodOf(message) === "tools/list" ? null : withoutResult(exchange.answer, outcome),
    accepted: undefined,
  });
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

function withoutResult(answer: string | null, outcome: ToolOutcome | undefined): string | null {
  if (answer === null || outcome === undefined) return answer;
  const parsed: unknown = JSON.parse(answer);
  if (!isRecord(parsed) || !isRecord(parsed["result"])) return answer;
  const { isError = false, _meta } = parsed["result"];
  return JSON.stringify({ ...parsed, result: { isError, content: ELSEWHERE, _meta } });
}
