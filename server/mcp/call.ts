/**
 * Runs a tool call as a request through the API's pipeline, converts the response into a tool result, and records the call in the
 * request log (docs/contract.md#request-log). Its API request has a second row with the same id; arguments and response are stored only
 * there. A tool that makes none has one row, with its arguments.
 */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import { H3Event } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { parseWith } from "../../src/foundation/validation.ts";
import { failureOf } from "../errors.ts";
import { data, type OperationResult, type ResponseFile } from "../../src/operations/operation.ts";
import type { Caller, Pipeline, Served } from "../pipeline.ts";
import { type ApiRequest, requestOf } from "./arguments.ts";
import type { McpTool, OperationTool, OwnTool } from "./tools.ts";
import { recordRequest } from "../../src/logs/record-request.ts";
import type { Progress } from "../response.ts";

export interface ToolOutcome extends Served {
  tool: McpTool;
  /** The parsed arguments of a tool that makes no API request. */
  arguments?: unknown;
}

/** Never throws: errors become results in the form of the API's errors. With an error as arguments, the call is refused. */
export async function callTool(
  appliance: Appliance,
  pipeline: Pipeline,
  tool: McpTool,
  given: Readonly<Record<string, unknown>> | AppError,
  caller: Caller,
): Promise<ToolOutcome> {
  if (given instanceof AppError) return refusalOf(tool, given);
  return "operation" in tool
    ? requestFromApi(pipeline, tool, given, caller)
    : callOwnTool(appliance, pipeline, tool, given, caller);
}

async function callOwnTool(
  appliance: Appliance,
  pipeline: Pipeline,
  tool: OwnTool,
  given: Readonly<Record<string, unknown>>,
  { mode, requestId }: Caller,
): Promise<ToolOutcome> {
  const startedAt = performance.now();
  let parsed: unknown;
  const result = await pipeline.attempt(requestId, tool.operationId, async () => {
    parsed = parseWith(tool.schema, given, "");
    return data(await tool.run(parsed, appliance, mode));
  });
  const { status, json } = result instanceof AppError ? failureOf(result) : result;
  appliance.finishedWork.request({
    requestId,
    operation: tool.operationId,
    source: "mcp",
    status,
    durationMs: performance.now() - startedAt,
    bytes: Buffer.byteLength(json),
  });
  return { tool, result, idempotencyKey: null, arguments: parsed };
}

async function requestFromApi(
  pipeline: Pipeline,
  tool: OperationTool,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
): Promise<ToolOutcome> {
  const { operation } = tool;
  const served = await pipeline.attempt(caller.requestId, operation.id, async () => {
    const request = requestOf(operation, tool.arguments, given);
    return pipeline.serveCaller(eventOf(tool, request), operation, caller);
  });
  return served instanceof AppError ? refusalOf(tool, served) : { tool, ...served };
}

/** The outcome of a call that was refused before it became a request. */
export function refusalOf(tool: McpTool, error: AppError): ToolOutcome {
  return { tool, result: error, idempotencyKey: null };
}

/** The request in the form that the pipeline reads; its host is a placeholder. */
function eventOf({ operation }: OperationTool, { params, query, body, idempotencyKey }: ApiRequest): H3Event {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params[name] ?? "").toWellFormed()),
  );
  const search = query.size === 0 ? "" : `?${query}`;
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
  };
  const request = new Request(`http://mcp.invalid/api/v1${path}${search}`, {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const event = new H3Event(request);
  event.context.params = params;
  return event;
}

const REPLAYED =
  "This repeats the first result for these arguments: nothing was created now, and the object may have changed since. To create a second, equal one, pass a different idempotency_key.";

/** The API's response body as structured content and as text; a failure is marked with `isError`. */
export function toolResultOf({ result }: Pick<Served, "result">, requestId: string): CallToolResult {
  if (result instanceof AppError) return buildFailedResult(result, requestId);
  if (result.file !== undefined) return buildFileResult(result.file, result.documentId, requestId);
  const { json, replayed }: OperationResult = result;
  return {
    content: [{ type: "text", text: json }, ...(replayed ? [{ type: "text" as const, text: REPLAYED }] : [])],
    structuredContent: JSON.parse(json) as Record<string, unknown>,
    _meta: { request_id: requestId, ...(replayed ? { idempotent_replayed: true } : {}) },
  };
}

/** A larger file would fill the model's context, or exceed what clients read as one message. */
const FILE_BYTES_MAX = 1_048_576;

const TOO_LARGE =
  "The file is too large for a tool result. The operator gets it with GET /api/v1/documents/{id}/pdf or `fiscal documents pdf`.";

/** The file as an embedded resource, after a description of it. */
function buildFileResult(
  { bytes, contentType, name }: ResponseFile,
  documentId: string | null,
  requestId: string,
): CallToolResult {
  const described = { data: { object: "file", name, content_type: contentType, bytes: bytes.byteLength } };
  const blob = Buffer.from(bytes).toString("base64");
  const file: ContentBlock =
    bytes.byteLength > FILE_BYTES_MAX
      ? { type: "text", text: TOO_LARGE }
      : {
          type: "resource",
          resource: { uri: `fiscal://documents/${documentId}/${name}`, mimeType: contentType, blob },
        };
  return {
    content: [{ type: "text", text: JSON.stringify(described) }, file],
    structuredContent: described,
    _meta: { request_id: requestId },
  };
}

function buildFailedResult(error: AppError, requestId: string): CallToolResult {
  const { retryAfterSeconds } = error;
  const body = error.toObject();
  return {
    isError: true,
    content: [{ type: "text", text: JSON.stringify(body) }],
    structuredContent: { ...body },
    _meta: {
      request_id: requestId,
      ...(retryAfterSeconds === undefined ? {} : { retry_after_seconds: retryAfterSeconds }),
    },
  };
}

export interface McpExchange {
  status: number;
  url: string;
  requestHeaders: Record<string, string>;
  responseHeaders: Record<string, string>;
  outcome: ToolOutcome | undefined;
}

/**
 * Records nothing for a caller without a key, who has no mode. Of the messages only the tool's name is stored, the parsed arguments of a
 * tool that makes no API request, and the error of a call that failed: anything else that a caller writes may be a credential.
 */
export function recordMcpCall(appliance: Appliance, progress: Progress, exchange: McpExchange): void {
  if (progress.mode === undefined) return;
  const { outcome } = exchange;
  const result = outcome?.result;
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
    idempotencyKey: outcome?.idempotencyKey ?? null,
    merchantId: succeeded?.merchantId ?? null,
    documentId: succeeded?.documentId ?? null,
    createdMs: progress.startedMs,
    url: exchange.url,
    requestHeaders: exchange.requestHeaders,
    requestBody:
      outcome === undefined
        ? null
        : JSON.stringify({ tool: outcome.tool.definition.name, arguments: outcome.arguments }),
    responseHeaders: exchange.responseHeaders,
    responseBody: result instanceof AppError ? failureOf(result).json : null,
    isJson: true,
  });
}
