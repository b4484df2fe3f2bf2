/** Builds the HTTP response of a request to `/mcp`, and records the request in the log. */
import { HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { failureOf } from "../errors.ts";
import { headersForLog } from "../logged-headers.ts";
import type { Pipeline } from "../pipeline.ts";
import { recordMcpCall } from "./log.ts";
import type { HttpExchange, ProtocolResponse } from "./http-exchange.ts";

/** Errors have the form of the API's errors, not of the protocol's. */
export function respondToMcp(
  appliance: Appliance,
  pipeline: Pipeline,
  exchange: HttpExchange,
  result: ProtocolResponse | AppError,
): HTTPResponse {
  const failure = result instanceof AppError ? failureOf(result) : undefined;
  const { status, body } =
    result instanceof AppError ? { status: failure!.status, body: JSON.stringify(failure!.body) } : result;
  const headers = pipeline.headersFor(exchange.progress, status);
  if (failure?.retryAfterSeconds !== undefined) headers["retry-after"] = String(failure.retryAfterSeconds);
  if (body === null) delete headers["content-type"];
  if (status === 405) headers["allow"] = "POST";
  const { event, progress, message, outcome } = exchange;
  recordMcpCall(appliance, progress, {
    message,
    status,
    response: body,
    url: event.url.pathname + event.url.search,
    requestHeaders: headersForLog(event.req.headers, progress.requestId, true),
    responseHeaders: headers,
    outcome,
  });
  return new HTTPResponse(body, { status, headers });
}
