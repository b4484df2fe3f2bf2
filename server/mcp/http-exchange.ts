/** Passes one message to the SDK's server, and returns the protocol's response. */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { H3Event } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import type { Pipeline } from "../pipeline.ts";
import type { Progress } from "../progress.ts";
import { callTool, refusalOf, type ToolOutcome, toolResultOf } from "./call.ts";
import { createProtocolServer } from "./protocol.ts";
import type { Tools } from "./tools.ts";
import type { SessionTools } from "./toolsets.ts";

/** The state of one HTTP request; its response and its log row are built from it. */
export interface HttpExchange {
  event: H3Event;
  progress: Progress;
  /** The protocol message, parsed; null until it has been read. */
  message: unknown;
  /** The tool that was called, and its result. */
  outcome: ToolOutcome | undefined;
}

export interface ProtocolResponse {
  status: number;
  body: string | null;
}

/** JSON-RPC 2.0: the server does not accept this message. */
const INVALID_REQUEST = -32_600;

/** The response to a request whose message is not handled. */
export function refuseMessage(status: number, message: string): ProtocolResponse {
  const body = { jsonrpc: "2.0", error: { code: INVALID_REQUEST, message }, id: null };
  return { status, body: JSON.stringify(body) };
}

/** What the caller chose with the address. */
export interface Offer {
  tools: Tools;
  toolsets: SessionTools;
  readsOnly: boolean;
}

/**
 * Handles the message of an authenticated caller. Every message gets its own server and transport: without sessions, callers
 * cannot be mixed up.
 */
export async function handleMessage(
  appliance: Appliance,
  pipeline: Pipeline,
  exchange: HttpExchange,
  offer: Offer,
): Promise<ProtocolResponse> {
  const { event, message, progress } = exchange;
  const { requestId } = progress;
  const caller = { mode: progress.mode!, requestId };
  const finish = (outcome: ToolOutcome) => {
    exchange.outcome = outcome;
    return toolResultOf(outcome.served, requestId);
  };
  const server = createProtocolServer({
    ...offer,
    call: async (tool, given) => finish(await callTool(appliance, pipeline, tool, given, caller)),
    refuse: (tool, error) => finish(refusalOf(tool, error)),
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(event.req, { parsedBody: message });
    const body = await response.text();
    return { status: response.status, body: body === "" ? null : body };
  } finally {
    await server.close();
  }
}
