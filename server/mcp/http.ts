/**
 * `/mcp`: streamable HTTP without sessions (decisions 1 and 16). A POST carries one message and is answered in JSON; it takes the
 * API's keys, limits and log. `?read_only=true` leaves the tools that change nothing.
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
import type { Pipeline, Progress } from "../pipeline.ts";
import { booleanField, parseQuery } from "../query.ts";
import { readBodyText, requireJson } from "../request.ts";
import { callTool, refusalOf, type ToolOutcome, toolResultOf } from "./call.ts";
import { recordMcpCall } from "./log.ts";
import { foreignCall } from "./origin.ts";
import { createProtocolServer } from "./protocol.ts";
import { toolsOf } from "./tools.ts";

/** What is learnt of one POST, for its answer and its row. */
interface Visit {
  event: H3Event;
  progress: Progress;
  message: unknown;
  outcome: ToolOutcome | undefined;
}

interface ProtocolAnswer {
  status: number;
  body: string | null;
}

const QUERY = { read_only: booleanField("Only tools that change nothing.") };

/** Of the protocol (JSON-RPC 2.0): the message is none that this server takes. */
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
    const visit: Visit = { event, progress, message: null, outcome: undefined };
    const foreign = foreignCall(
      event.req.headers,
      publicUrlOf(event, trust, { fallback: appliance.publicUrl(), isSettled: publicUrl !== "" }),
    );
    if (foreign !== undefined) return respond(visit, { status: 403, body: protocolError(foreign) });
    if (event.req.method !== "POST") return refuseMethod(visit);
    const result = await pipeline.attempt(progress.requestId, "mcp", () => answerMessage(visit));
    return respond(visit, result);
  };

  /** The checks of decisions 2.1 in their order, then the protocol's own. */
  async function answerMessage(visit: Visit): Promise<ProtocolAnswer> {
    const { event, progress } = visit;
    await pipeline.admit(event, progress);
    requireJson(event.req.headers);
    const text = await readBodyText(event, appliance.config.server.maxBodyBytes);
    const message = parseStrictJson(text);
    visit.message = message;
    const { read_only: readsOnly = false } = parseQuery(QUERY, event.url.searchParams);
    // A batch would be many calls under one rate limit and one id; the protocol has had none since 2025-06-18.
    if (Array.isArray(message))
      return { status: 400, body: protocolError("Send one message a request, not a batch") };
    return exchangeMessage(visit, message, readsOnly);
  }

  /** A server and a transport of its own for every message: there is no session that could mix callers up. */
  async function exchangeMessage(
    visit: Visit,
    message: unknown,
    readsOnly: boolean,
  ): Promise<ProtocolAnswer> {
    const { requestId } = visit.progress;
    const finish = (outcome: ToolOutcome) => {
      visit.outcome = outcome;
      return toolResultOf(outcome.served, requestId);
    };
    const caller = { mode: visit.progress.mode!, requestId };
    const server = createProtocolServer({
      tools,
      readsOnly,
      call: async (tool, given) => finish(await callTool(pipeline, tool, given, caller)),
      refuse: (tool, error) => finish(refusalOf(tool, error)),
    });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      const response = await transport.handleRequest(visit.event.req, { parsedBody: message });
      const body = await response.text();
      return { status: response.status, body: body === "" ? null : body };
    } finally {
      await server.close();
    }
  }

  function respond(visit: Visit, result: ProtocolAnswer | AppError): HTTPResponse {
    const failure = result instanceof AppError ? failureOf(result) : undefined;
    const { status, body } =
      result instanceof AppError ? { status: failure!.status, body: JSON.stringify(failure!.body) } : result;
    const headers = pipeline.headersFor(visit.progress, status);
    if (failure?.retryAfterSeconds !== undefined) headers["retry-after"] = String(failure.retryAfterSeconds);
    if (body === null) delete headers["content-type"];
    if (status === 405) headers["allow"] = "POST";
    record(visit, status, body, headers);
    return new HTTPResponse(body, { status, headers });
  }

  function record(
    visit: Visit,
    status: number,
    answer: string | null,
    responseHeaders: Record<string, string>,
  ) {
    const { event, progress, message, outcome } = visit;
    recordMcpCall(appliance, progress, {
      message,
      status,
      answer,
      url: event.url.pathname + event.url.search,
      requestHeaders: headersForLog(event.req.headers, progress.requestId, true),
      responseHeaders,
      outcome,
    });
  }

  /** There is no stream to open and no session to end. */
  function refuseMethod(visit: Visit): HTTPResponse {
    return respond(visit, {
      status: 405,
      body: protocolError("POST a message here: this server keeps no sessions and opens no streams"),
    });
  }
}

function protocolError(message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", error: { code: INVALID_REQUEST, message }, id: null });
}
