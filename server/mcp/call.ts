/** Runs a tool call as a request through the API's pipeline, and converts the response into a tool result. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { H3Event } from "h3";
import { AppError } from "../../src/foundation/errors.ts";
import { failureOf } from "../errors.ts";
import type { OperationResult } from "../operation.ts";
import type { Caller, Pipeline, Served } from "../pipeline.ts";
import { type ApiRequest, requestOf } from "./arguments.ts";
import type { OperationTool } from "./tools.ts";

export interface ToolOutcome {
  tool: OperationTool;
  served: Served;
}

/** Never throws: errors become results in the form of the API's errors. */
export async function callTool(
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
  return served instanceof AppError ? refusalOf(tool, served) : { tool, served };
}

/** The outcome of a call that was refused before it became a request. */
export function refusalOf(tool: OperationTool, error: AppError): ToolOutcome {
  return { tool, served: { result: error, idempotencyKey: null } };
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
  const { json, replayed }: OperationResult = result;
  return {
    content: [{ type: "text", text: json }, ...(replayed ? [{ type: "text" as const, text: REPLAYED }] : [])],
    structuredContent: JSON.parse(json) as Record<string, unknown>,
    _meta: { request_id: requestId, ...(replayed ? { idempotent_replayed: true } : {}) },
  };
}

function buildFailedResult(error: AppError, requestId: string): CallToolResult {
  const { body, retryAfterSeconds } = failureOf(error);
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
