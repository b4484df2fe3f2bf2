/**
 * `/mcp`: streamable HTTP without sessions (docs/contract.md#mcp). A POST carries one message and the response is JSON, under the
 * API's keys, rate limits and log. `?read_only=true` offers only the tools that change nothing, `?tools=` chooses toolsets.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError, validationError } from "../../src/foundation/errors.ts";
import { failureOf } from "../errors.ts";
import { parseStrictJson } from "../json.ts";
import { beginProgress, headersForLog, type Progress } from "../response.ts";
import type { Operation } from "../../src/operations/operation.ts";
import { isLocalOrAddress, isLoopback, publicUrlOf, trustedNetworks } from "../peer.ts";
import type { Pipeline } from "../pipeline.ts";
import { booleanField, parseQuery, textField } from "../../src/operations/field.ts";
import { readBodyText, requireJson } from "../request.ts";
import { callTool, recordMcpCall, type ToolOutcome, toolResultOf } from "./call.ts";
import { OWN_TOOLS } from "./own-tools.ts";
import { createProtocolServer, type Session } from "./protocol.ts";
import { allTools } from "./tools.ts";
import { chooseToolsets, describeChoice, KEY_TOOLSETS } from "./toolsets.ts";

const QUERY = {
  read_only: booleanField("Offer only tools that change nothing."),
  tools: textField(200, "The toolsets to offer, separated by commas, or all."),
};

/** One HTTP request. Its log row is built from it. */
interface Exchange {
  event: H3Event;
  progress: Progress;
  outcome: ToolOutcome | undefined;
}

interface ProtocolResponse {
  status: number;
  json: string | null;
  headers: Record<string, string>;
}

export function createMcpEndpoint(
  appliance: Appliance,
  pipeline: Pipeline,
  operations: readonly Operation[],
): (event: H3Event) => Promise<HTTPResponse> {
  const tools = allTools(operations, OWN_TOOLS);
  const { publicUrl, trustedProxies, maxBodyBytes } = appliance.config.server;
  const trust = trustedNetworks(trustedProxies);

  /** Makes the checks of docs/contract.md#order-of-checks, then handles the message. */
  async function processPost(exchange: Exchange): Promise<ProtocolResponse> {
    const { event, progress } = exchange;
    const { requestId } = progress;
    await pipeline.admit(event, progress);
    requireJson(event.req.headers);
    const message = parseStrictJson(await readBodyText(event, maxBodyBytes));
    const { read_only: readsOnly = false, tools: written } = parseQuery(QUERY, event.url.searchParams);
    const toolsets = chooseToolsets(written, KEY_TOOLSETS);
    if (toolsets === undefined)
      throw validationError([{ path: "tools", message: describeChoice(KEY_TOOLSETS) }]);
    // A batch would be many calls under one rate limit and one id; the protocol dropped batches on 2025-06-18.
    if (Array.isArray(message)) return refuseMessage(400, "Send one message per request, not a batch");
    return handleMessage(event, message, {
      tools,
      toolsets,
      readsOnly,
      async call(tool, given) {
        const caller = { mode: progress.mode!, requestId };
        exchange.outcome = await callTool(appliance, pipeline, tool, given, caller);
        return toolResultOf(exchange.outcome, requestId);
      },
    });
  }

  /** Records the exchange in the log. Errors have the form of the API's errors, not of the protocol's. */
  function respond(exchange: Exchange, result: ProtocolResponse | AppError): HTTPResponse {
    const { event, progress, outcome } = exchange;
    const { status, json, headers: added } = result instanceof AppError ? failureOf(result) : result;
    const headers = { ...pipeline.headersFor(progress, status), ...added };
    if (json === null) delete headers["content-type"];
    recordMcpCall(appliance, progress, {
      status,
      url: event.url.pathname + event.url.search,
      requestHeaders: headersForLog(event.req.headers, progress.requestId),
      responseHeaders: headers,
      outcome,
    });
    return new HTTPResponse(json, { status, headers });
  }

  return async (event) => {
    const progress = beginProgress(appliance, event.req.headers, { source: "mcp" });
    const exchange: Exchange = { event, progress, outcome: undefined };
    const isSettled = publicUrl !== "";
    const ownUrl = publicUrlOf(event, trust, { fallback: appliance.publicUrl(), isSettled });
    const foreign = findForeignOrigin(event.req.headers, ownUrl);
    if (foreign !== undefined) return respond(exchange, refuseMessage(403, foreign));
    if (event.req.method !== "POST") return respond(exchange, NO_STREAMS);
    const work = () => processPost(exchange);
    return respond(exchange, await pipeline.attempt(progress.requestId, "mcp", work));
  };
}

/**
 * Every message gets its own server: without sessions, callers cannot be mixed up. Revisions of the protocol before 2026-07-28 begin
 * with a handshake, and the library would stream its responses to them.
 */
async function handleMessage(event: H3Event, message: unknown, session: Session): Promise<ProtocolResponse> {
  const server = createProtocolServer(session);
  const options = { parsedBody: message };
  try {
    let response: Response;
    if (await isLegacyRequest(event.req, message)) {
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      response = await transport.handleRequest(event.req, options);
    } else {
      // Subscriptions are the only streams; nothing that this server offers changes.
      const handler = createMcpHandler(() => server, { legacy: "reject", maxSubscriptions: 0 });
      response = await handler.fetch(event.req, options);
    }
    return { status: response.status, json: (await response.text()) || null, headers: {} };
  } finally {
    await server.close();
  }
}

/** JSON-RPC 2.0: the server does not accept this message. */
const INVALID_REQUEST = -32_600;

function refuseMessage(status: number, message: string): ProtocolResponse {
  const body = { jsonrpc: "2.0", error: { code: INVALID_REQUEST, message }, id: null };
  return { status, json: JSON.stringify(body), headers: {} };
}

/** GET would open a stream and DELETE would end a session. */
const NO_STREAMS = {
  ...refuseMessage(405, "Send messages with POST: this server has no sessions and no streams"),
  headers: { allow: "POST" },
};

/**
 * Pages of this server and of this machine may call. A page that makes its own name resolve to this machine (DNS rebinding) is
 * refused, as the MCP specification requires (Transports, Security). Returns the reason to refuse the call; undefined if it is
 * allowed. `ownUrl` is the server's public URL.
 */
export function findForeignOrigin(headers: Headers, ownUrl: string): string | undefined {
  const own = URL.canParse(ownUrl) ? new URL(ownUrl) : undefined;
  const origin = headers.get("origin");
  if (origin !== null && !isOwnOrigin(origin, own))
    return "Calls from pages of other origins are refused; if this is the server's own address, set server.public_url to it";
  const host = headers.get("host");
  if (host !== null && own !== undefined && isLoopback(own.hostname) && !isLocalOrAddress(host))
    return "The Host header names another server; if clients reach this one by that name, set server.public_url to it";
  return undefined;
}

function isOwnOrigin(origin: string, own: URL | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === own?.origin || isLoopback(url.hostname);
}
