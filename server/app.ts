/**
 * Builds the h3 app: routes the API's operations through the pipeline, and everything outside the API. Only paths that are spelled as
 * routes are get there, since other spellings would pass by the path rules of a proxy.
 */
import * as connections from "../src/operations/connections.ts";
import * as actions from "../src/operations/document-actions.ts";
import * as documents from "../src/operations/documents.ts";
import * as withdrawals from "../src/operations/withdraw-documents.ts";
import * as logs from "../src/operations/logs.ts";
import * as events from "../src/operations/events.ts";
import * as merchants from "../src/operations/merchants.ts";
import * as taxIds from "../src/operations/tax-ids.ts";
import * as webhooks from "../src/operations/webhooks.ts";
import { H3, type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../src/appliance.ts";
import type { Text } from "../src/foundation/text.ts";
import { AppError } from "../src/foundation/errors.ts";
import { describeError, failureOf } from "./errors.ts";
import { buildOpenApi, descriptionOperation } from "./openapi/build-openapi.ts";
import { type Operation, operationsIn } from "../src/operations/operation.ts";
import { createMetricsPage, describeReadiness } from "./monitoring.ts";
import { mountPages, rootResponse } from "./pages/routes.ts";
import { createPipeline } from "./pipeline.ts";
import { createWindows } from "./limits.ts";
import { nodeRequestOf, requestIdOf } from "./request.ts";

const API = "/api/v1";

export interface ServerApp {
  app: H3;
  /** From now on every response closes its connection. */
  closeConnections(): void;
}

/** In the order of the OpenAPI description. */
const NOUNS: readonly object[] = [
  actions,
  documents,
  withdrawals,
  merchants,
  connections,
  events,
  webhooks,
  logs,
  taxIds,
];

export const OPERATIONS: readonly Operation[] = [
  ...NOUNS.flatMap(operationsIn),
  descriptionOperation(openApiText),
];

let description: string | undefined;

/** Made on demand, because it takes a while and describes the operation that returns it. */
function openApiText(): string {
  return (description ??= JSON.stringify(buildOpenApi(OPERATIONS)));
}

/** For a path outside the API, which is often one without its beginning. */
const NOTHING_HERE: Text = {
  en: `Not found. The paths of the API begin with ${API}, and /docs describes them`,
  el: `Δεν βρέθηκε. Οι διαδρομές του API αρχίζουν με ${API}, και το /docs τις περιγράφει`,
};

/** `viewerFolder` contains the built viewer of the API reference; without it `/docs` shows that it is missing. */
export function createApp(appliance: Appliance, viewerFolder?: string): ServerApp {
  const windows = createWindows(appliance);
  const pipeline = createPipeline(appliance, windows);
  const app = new H3({
    silent: true,
    // A path with a broken escape gets the same responses as any other: 401 without a key, otherwise 404.
    allowMalformedURL: true,
    onError: (error, event) => onError(appliance, error, event),
  });
  const notFound = (event: H3Event) => {
    // As of a path that only begins like one of the API.
    if (!event.res.headers.has("x-request-id")) nameResponse(appliance, event);
    const { status, json } = failureOf(new AppError("not_found", NOTHING_HERE));
    return plain(status, json);
  };
  app.use((event) => {
    const path = writtenPathOf(event);
    // The pipeline names its responses itself.
    if (!path.startsWith(API) && path !== "/mcp") nameResponse(appliance, event);
    if (isPlainPath(event, path)) return undefined;
    return path.startsWith(API) ? pipeline.serve(event, undefined) : notFound(event);
  });
  for (const operation of OPERATIONS) {
    const path = API + operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    // The router ignores a trailing slash, but such a path is not an endpoint.
    app.on(operation.method, path, (event) =>
      pipeline.serve(event, event.url.pathname.endsWith("/") ? undefined : operation),
    );
  }
  app.all(API, (event) => pipeline.serve(event, undefined));
  app.all(`${API}/**`, (event) => pipeline.serve(event, undefined));

  // The MCP library is large, so the first call loads it.
  let mcp: Promise<(event: H3Event) => Promise<HTTPResponse>> | undefined;
  const openMcp = async () =>
    (await import("./mcp/http.ts")).createMcpEndpoint(appliance, pipeline, OPERATIONS);
  app.all("/mcp", async (event) => (await (mcp ??= openMcp()))(event));

  const outside = (path: string, handler: (event: H3Event) => HTTPResponse | Promise<HTTPResponse>) => {
    for (const method of ["GET", "HEAD"] as const) app.on(method, path, handler);
  };
  outside("/openapi.json", () => plain(200, openApiText()));
  outside("/", (event) => rootResponse(event.req.headers.get("accept")));
  outside("/healthz", () => plain(200, '{"status":"ok"}'));
  outside("/readyz", async () => {
    const { status, body } = describeReadiness(await appliance.ready(), pipeline.isClosing());
    return plain(status, body);
  });
  outside("/metrics", createMetricsPage(appliance));
  mountPages(app, appliance, windows, viewerFolder);
  // Loaded by the first visitor: most servers have none.
  let serveConsole: Promise<(event: H3Event) => Promise<HTTPResponse>> | undefined;
  const openConsole = async (event: H3Event) => {
    serveConsole ??= import("./pages/console/console.ts").then((pages) =>
      pages.createConsole(appliance, windows),
    );
    return (await serveConsole)(event);
  };
  app.all("/console", openConsole).all("/console/**", openConsole);
  app.all("/**", notFound);
  return { app, closeConnections: pipeline.closeConnections };
}

/** Gives the response its request id, which is returned. */
function nameResponse({ config }: Appliance, event: H3Event): string {
  const id = requestIdOf(event.req.headers, config.server.platformRequestIdHeader);
  event.res.headers.set("x-request-id", id);
  return id;
}

function plain(status: number, body: string): HTTPResponse {
  return new HTTPResponse(body, { status, headers: { "content-type": "application/json" } });
}

/** Logs an error that no handler caught under the request's id, and responds in the form of every failure. */
function onError(appliance: Appliance, error: Error, event: H3Event): HTTPResponse {
  const id = nameResponse(appliance, event);
  const cause = error.cause instanceof AppError ? error.cause : error;
  if (!(cause instanceof AppError)) {
    appliance.log.error(
      { request_id: id, error: describeError(error.cause ?? error) },
      "request failed outside the pipeline",
    );
  }
  const { status, json } = failureOf(cause);
  const response = plain(status, json);
  if (status === 401) response.headers.set("www-authenticate", 'Bearer realm="service"');
  return response;
}

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const ESCAPE = /%[0-9a-f]{2}/gi;
/** Characters that need no escape in a path, and those that would change its structure. */
const NEVER_ESCAPED = /[A-Za-z0-9\-._~/\\%]/;
/** Pages whose relative links depend on the trailing slash. The router ignores it everywhere. */
const WITH_TRAILING_SLASH = /^\/(?:docs|console|console\/.+|connect\/[^/]+)\/$/;

/** The path exactly as it was sent; the parsed URL has lost dot segments and backslashes. */
function writtenPathOf(event: H3Event): string {
  const target = nodeRequestOf(event)?.url;
  if (target === undefined) return event.url.pathname;
  const path = target.startsWith("/") ? target : target.replace(ABSOLUTE_FORM, "");
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** Whether a route may match `path`, the written path of `event` (docs/contract.md#path-matching). */
function isPlainPath(event: H3Event, path: string): boolean {
  if (path !== event.url.pathname || path.includes("//")) return false;
  if (path.includes("%") && path.match(ESCAPE)?.some(isNeedless) === true) return false;
  return !path.endsWith("/") || path === "/" || WITH_TRAILING_SLASH.test(path);
}

function isNeedless(escape: string): boolean {
  return NEVER_ESCAPED.test(String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
