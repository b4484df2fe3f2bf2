/** The h3 app: the operations behind the pipeline, and what stands outside the API. */
import { type H3Event, H3, HTTPResponse } from "h3";
import type { Appliance } from "../src/appliance.ts";
import { AppError } from "../src/foundation/errors.ts";
import { describe, failureOf } from "./errors.ts";
import { buildOpenApi } from "./openapi.ts";
import type { Operation } from "./operation.ts";
import { CONNECT_SESSION_OPERATIONS } from "./operations/connect-sessions.ts";
import { CONNECTION_OPERATIONS } from "./operations/connections.ts";
import { DOCUMENT_OPERATIONS } from "./operations/documents.ts";
import { EVENT_OPERATIONS } from "./operations/events.ts";
import { LOG_OPERATIONS } from "./operations/logs.ts";
import { MERCHANT_OPERATIONS } from "./operations/merchants.ts";
import { metaOperations } from "./operations/meta.ts";
import { TAX_ID_OPERATIONS } from "./operations/tax-ids.ts";
import { WEBHOOK_OPERATIONS } from "./operations/webhooks.ts";
import { createMetricsPage } from "./pages/metrics.ts";
import { mountPages } from "./pages/routes.ts";
import { createPipeline } from "./pipeline.ts";
import { answerReadiness } from "./readiness.ts";
import { requestIdOf } from "./request.ts";

const API = "/api/v1";

export interface ServerApp {
  app: H3;
  /** Connections are closed behind their answers from now on. */
  closeConnections(): void;
}

/** Every operation, in the order of the description. */
export function allOperations(): readonly Operation[] {
  const operations: Operation[] = [];
  let text: string | undefined;
  const openApi = () => (text ??= JSON.stringify(buildOpenApi(operations)));
  operations.push(
    ...DOCUMENT_OPERATIONS,
    ...MERCHANT_OPERATIONS,
    ...CONNECTION_OPERATIONS,
    ...CONNECT_SESSION_OPERATIONS,
    ...EVENT_OPERATIONS,
    ...WEBHOOK_OPERATIONS,
    ...LOG_OPERATIONS,
    ...TAX_ID_OPERATIONS,
    ...metaOperations(openApi),
  );
  return operations;
}

/** `viewerFolder`: where the build put the viewer of the API reference; without it `/docs` says that there is none. */
export function createApp(appliance: Appliance, viewerFolder?: string): ServerApp {
  const pipeline = createPipeline(appliance);
  const app = new H3({
    silent: true,
    // A path with a broken escape is a path like any other: without a key 401, then not found.
    allowMalformedURL: true,
    onError: (error, event) => onError(appliance, error, event),
  });
  const operations = allOperations();
  for (const operation of operations) {
    const path = API + operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    // The router takes a slash at the end for nothing; there is no such path.
    app.on(operation.method, path, (event) =>
      pipeline.serve(event, event.url.pathname.endsWith("/") ? undefined : operation),
    );
  }
  app.all(API, (event) => pipeline.serve(event, undefined));
  app.all(`${API}/**`, (event) => pipeline.serve(event, undefined));

  // The protocol's library is large: it is loaded by the first call.
  let mcp: Promise<(event: H3Event) => Promise<HTTPResponse>> | undefined;
  const openMcp = async () =>
    (await import("./mcp/http.ts")).createMcpEndpoint(appliance, pipeline, operations);
  app.all("/mcp", async (event) => (await (mcp ??= openMcp()))(event));

  const outside = (path: string, handler: (event: H3Event) => HTTPResponse | Promise<HTTPResponse>) => {
    for (const method of ["GET", "HEAD"] as const) app.on(method, path, handler);
  };
  const openApi = operations.find(({ id }) => id === "getOpenApi")!;
  const call = { appliance, mode: "test" as const, params: {}, query: {}, body: undefined, claim: undefined };
  outside("/openapi.json", async (event) => {
    const { json } = await openApi.handle({
      ...call,
      cause: { mode: "test", requestId: null, idempotencyKey: null },
    });
    return plain(appliance, event, 200, json);
  });
  outside("/healthz", (event) => plain(appliance, event, 200, '{"status":"ok"}'));
  outside("/readyz", async (event) => {
    const { status, body } = answerReadiness(await appliance.ready(), pipeline.isClosing());
    return plain(appliance, event, status, body);
  });
  outside("/metrics", createMetricsPage(appliance));
  mountPages(app, appliance, viewerFolder);
  // Loaded by its first visitor: most servers have none.
  let consolePages: Promise<(event: H3Event) => Promise<HTTPResponse>> | undefined;
  const openConsole = async (event: H3Event) => {
    consolePages ??= import("./pages/console/console.ts").then((pages) => pages.createConsole(appliance));
    return (await consolePages)(event);
  };
  app.all("/console", openConsole).all("/console/**", openConsole);
  app.all("/**", (event) => {
    const { body } = failureOf(new AppError("not_found", "There is nothing at this path"));
    return plain(appliance, event, 404, JSON.stringify(body));
  });
  return { app, closeConnections: pipeline.closeConnections };
}

function idHeader(appliance: Appliance, event: H3Event): { "x-request-id": string } {
  return { "x-request-id": requestIdOf(event.req.headers, appliance.config.server.platformRequestIdHeader) };
}

function plain(
  appliance: Appliance,
  event: H3Event,
  status: number,
  body: string,
  id = idHeader(appliance, event),
): HTTPResponse {
  return new HTTPResponse(body, { status, headers: { ...id, "content-type": "application/json" } });
}

/** What no handler caught: logged under the id that the answer tells, and in the shape of every failure. */
function onError(appliance: Appliance, error: Error, event: H3Event): HTTPResponse {
  const id = idHeader(appliance, event);
  const cause = error.cause instanceof AppError ? error.cause : error;
  if (!(cause instanceof AppError)) {
    appliance.log.error(
      { request_id: id["x-request-id"], error: describe(error.cause ?? error) },
      "request failed outside the pipeline",
    );
  }
  const { status, body } = failureOf(cause);
  const answer = plain(appliance, event, status, JSON.stringify(body), id);
  if (status === 401) answer.headers.set("www-authenticate", 'Bearer realm="service"');
  return answer;
}
