/**
 * `/mcp`: streamable HTTP without sessions (docs/contract.md#mcp). A POST carries one message and the response is JSON, under the
 * API's keys, rate limits and log. `?read_only=true` offers only the tools that change nothing, `?tools=` chooses toolsets.
 */
import type { H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { validationError } from "../../src/foundation/errors.ts";
import { parseStrictJson } from "../json.ts";
import type { Operation } from "../operation.ts";
import { publicUrlOf, trustedNetworks } from "../peer.ts";
import type { Pipeline } from "../pipeline.ts";
import { booleanField, parseQuery, textField } from "../query.ts";
import { readBodyText, requireJson } from "../request.ts";
import { type HttpExchange, handleMessage, type ProtocolResponse, refuseMessage } from "./http-exchange.ts";
import { respondToMcp } from "./http-response.ts";
import { findForeignOrigin } from "./origin.ts";
import { OWN_TOOLS } from "./own-tools.ts";
import { allTools, type Tools } from "./tools.ts";
import { chooseToolsets, describeChoice, KEY_TOOLSETS } from "./toolsets.ts";

const QUERY = {
  read_only: booleanField("Offer only tools that change nothing."),
  tools: textField(200, "The toolsets to offer, separated by commas, or all."),
};

export function createMcpEndpoint(
  appliance: Appliance,
  pipeline: Pipeline,
  operations: readonly Operation[],
): (event: H3Event) => Promise<HTTPResponse> {
  const tools = allTools(operations, OWN_TOOLS);
  const { publicUrl, trustedProxies } = appliance.config.server;
  const trust = trustedNetworks(trustedProxies);

  return async (event) => {
    const progress = pipeline.begin(event.req.headers, { source: "mcp" });
    const exchange: HttpExchange = { event, progress, message: null, outcome: undefined };
    const ownUrl = publicUrlOf(event, trust, {
      fallback: appliance.publicUrl(),
      isSettled: publicUrl !== "",
    });
    const refused = refuseOrigin(event, ownUrl) ?? refuseMethod(event);
    if (refused !== undefined) return respondToMcp(appliance, pipeline, exchange, refused);
    const result = await pipeline.attempt(progress.requestId, "mcp", () =>
      processPost(appliance, pipeline, tools, exchange),
    );
    return respondToMcp(appliance, pipeline, exchange, result);
  };
}

function refuseOrigin(event: H3Event, ownUrl: string): ProtocolResponse | undefined {
  const reason = findForeignOrigin(event.req.headers, ownUrl);
  return reason === undefined ? undefined : refuseMessage(403, reason);
}

/** GET would open a stream and DELETE would end a session; there is neither. */
function refuseMethod(event: H3Event): ProtocolResponse | undefined {
  if (event.req.method === "POST") return undefined;
  return refuseMessage(405, "Send messages with POST: this server has no sessions and no streams");
}

/** Makes the checks of docs/contract.md#order-of-checks, then handles the message. */
async function processPost(
  appliance: Appliance,
  pipeline: Pipeline,
  tools: Tools,
  exchange: HttpExchange,
): Promise<ProtocolResponse> {
  const { event, progress } = exchange;
  await pipeline.admit(event, progress);
  requireJson(event.req.headers);
  exchange.message = parseStrictJson(await readBodyText(event, appliance.config.server.maxBodyBytes));
  const { read_only: readsOnly = false, tools: written } = parseQuery(QUERY, event.url.searchParams);
  const toolsets = chooseToolsets(written, KEY_TOOLSETS);
  if (toolsets === undefined)
    throw validationError([{ path: "tools", message: describeChoice(KEY_TOOLSETS) }]);
  // A batch would be many calls under one rate limit and one id; the protocol dropped batches on 2025-06-18.
  if (Array.isArray(exchange.message)) return refuseMessage(400, "Send one message per request, not a batch");
  return handleMessage(appliance, pipeline, exchange, { tools, toolsets, readsOnly });
}
