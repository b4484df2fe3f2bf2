/**
 * `/mcp`: streamable HTTP without sessions (docs/contract.md#mcp). A POST carries one message and the response is JSON, under the
 * API's keys, rate limits and log. `?read_only=true` offers only the tools that change nothing.
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { failureOf } from "../errors.ts";
import { parseStrictJson } from "../json.ts";
import { headersForLog } from "../logged-headers.ts";
import type { Operation } from "../operation.ts";
import { publicUrlOf, trustedNetworks } from "../peer.ts";
import type { Pipeline } from "../pipeline.ts";
import type { Progress } from "../progress.ts";
import { booleanField, parseQuery } from "../query.ts";
import { readBodyText, requireJson } from "../request.ts";
import { callTool, refusalOf, type ToolOutcome, toolResultOf } from "./call.ts";
import { recordMcpCall } from "./log.ts";
import { findForeignOrigin } from "./origin.ts";
import { createProtocolServer } from "./protocol.ts";
import { toolsOf } from "./tools.ts";

/** The state of one POST, for its response and its log row. */
interface Exchange {
  event: H3Event;
  progress: Progress;
  message: unknown;
  outcome: ToolOutcome | undefined;
}

interface ProtocolResponse {
  status: number;
  body: string | null;
}

const QUERY = { read_only: booleanField("Offer only tools that change nothing.") };

/** JSON-RPC 2.0: the server does not accept this message. */
const INVALID_REQUEST = -32_600;

export function createMcpEndpoint(
  appliance: Appliance,
  pipeline: Pipeline,
  operations: readonly Operation[],
): (event: H3Event) => Promise<HTTPResponse> {
  const tools = toolsOf(operations);
  const { publicUrl, trustedProxies } = appliance.config.server;
  const trust = trustedNetworks(trustedProxies);

  return async (event) => {
    const progress: Progress = pipeline.begin(event.req.headers, { source: "mcp" });
    const exchange: Exchange = { event, progress, message: null, outcome: undefined };
    const foreign = findForeignOrigin(
      event.req.headers,
      publicUrlOf(event, trust, { fallback: appliance.publicUrl(), isSettled: publicUrl !== "" }),
    );
    if (foreign !== undefined) return respond(exchange, { status: 403, body: protocolError(foreign) });
    if (event.req.method !== "POST") return refuseMethod(exchange);
    const result = await pipeline.attempt(progress.requestId, "mcp", () => processMessage(exchange));
    return respond(exchange, result);
  };

  /** The checks of docs/contract.md#order-of-checks, then those of the protocol. */
  async function processMessage(exchange: Exchange): Promise<ProtocolResponse> {
    const { event, progress } = exchange;
    await pipeline.admit(event, progress);
    requireJson(event.req.headers);
    const text = await readBodyText(event, appliance.config.server.maxBodyBytes);
    const message = parseStrictJson(text);
    exchange.message = message;
    const { read_only: readsOnly = false } = parseQuery(QUERY, event.url.searchParams);
    // A batch would be many calls under one rate limit and one id; the protocol dropped batches on 2025-06-18.
    if (Array.isArray(message))
      return { status: 400, body: protocolError("Send one message per request, not a batch") };
    return exchangeMessage(exchange, message, readsOnly);
  }

  /** Every message gets its own server and transport: without sessions, callers cannot be mixed up. */
  async function exchangeMessage(
    exchange: Exchange,
    message: unknown,
    readsOnly: boolean,
  ): Promise<ProtocolResponse> {
    const { requestId } = exchange.progress;
    const finish = (outcome: ToolOutcome) => {
      exchange.outcome = outcome;
      return toolResultOf(outcome.served, requestId);
    };
    const caller = { mode: exchange.progress.mode!, requestId };
    const server = createProtocolServer({
      tools,
      readsOnly,
      call: async (tool, given) => finish(await callTool(pipeline, tool, given, caller)),
      refuse: (tool, error) => finish(refusalOf(tool, error)),
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const response = await transport.handleRequest(exchange.event.req, { parsedBody: message });
      const body = await response.text();
      return { status: response.status, body: body === "" ? null : body };
    } finally {
      await server.close();
    }
  }

  function respond(exchange: Exchange, result: ProtocolResponse | AppError): HTTPResponse {
    const failure = result instanceof AppError ? failureOf(result) : undefined;
    const { status, body } =
      result instanceof AppError ? { status: failure!.status, body: JSON.stringify(failure!.body) } : result;
    const headers = pipeline.headersFor(exchange.progress, status);
    if (failure?.retryAfterSeconds !== undefined) headers["retry-after"] = String(failure.retryAfterSeconds);
    if (body === null) delete headers["content-type"];
    if (status === 405) headers["allow"] = "POST";
    record(exchange, status, body, headers);
    return new HTTPResponse(body, { status, headers });
  }

  function record(
    exchange: Exchange,
    status: number,
    body: string | null,
    responseHeaders: Record<string, string>,
  ) {
    const { event, progress, message, outcome } = exchange;
    recordMcpCall(appliance, progress, {
      message,
      status,
      response: body,
      url: event.url.pathname + event.url.search,
      requestHeaders: headersForLog(event.req.headers, progress.requestId, true),
      responseHeaders,
      outcome,
    });
  }

  /** GET would open a stream and DELETE would end a session; there is neither. */
  function refuseMethod(exchange: Exchange): HTTPResponse {
    return respond(exchange, {
      status: 405,
      body: protocolError("Send messages with POST: this server has no sessions and no streams"),
    });
  }
}

function protocolError(message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code: INVALID_REQUEST, message }, id: null });
}
