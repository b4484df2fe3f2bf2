/** Routes of the standalone pages and their files: connect links, sandbox documents, the API reference. */
import { type H3, type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { STATUS_OF } from "../errors.ts";
import type { Windows } from "../limits.ts";
import { clientAddressOf, trustedNetworks } from "../peer.ts";
import { serveAsset } from "./assets.ts";
import { connectPage, refusedFormPage, submitConnectPage, tooManyPage } from "./connect/connect.ts";
import { type FormLimits, isCrossSite, readForm } from "./form.ts";
import { pageHeaders } from "./markup.ts";
import { languageOf } from "./language.ts";
import { htmlPage, type Page } from "./page.ts";
import { REFERENCE_HEADERS, referencePage, serveViewer } from "./reference.ts";
import { sandboxDocumentPage } from "./sandbox-document.ts";
import { API_VERSION } from "../../src/foundation/wire.ts";

/** Enough for the credentials of any provider, percent-encoded. */
const CONNECT_LIMITS: FormLimits = { bytes: 32_768, fields: 100 };

/** `viewerFolder` contains the built viewer of the API reference. */
export function mountPages(
  app: H3,
  appliance: Appliance,
  windows: Windows,
  viewerFolder: string | undefined,
): void {
  const trusted = trustedNetworks(appliance.config.server.trustedProxies);
  const get = (path: string, handler: (event: H3Event) => HTTPResponse | Promise<HTTPResponse>) => {
    for (const method of ["GET", "HEAD"] as const) app.on(method, path, handler);
  };

  get("/assets/:name", (event) => {
    const found = serveAsset(parameter(event, "name"));
    if (found === undefined) throw notFound();
    return found;
  });
  get("/sandbox/documents/:mark", async (event) => {
    const page = await sandboxDocumentPage(appliance, parameter(event, "mark"));
    const headers = pageHeaders("'none'");
    return new HTTPResponse(htmlPage(page, languageOf(event), "../../"), { status: page.status, headers });
  });
  const connect = async (event: H3Event, show: () => Promise<Page>) => {
    const window = await windows.count("pages", clientAddressOf(event, trusted));
    const seconds = window?.retryAfterSeconds;
    const page = seconds === undefined ? await show() : tooManyPage(seconds);
    const headers = {
      ...pageHeaders("'self'"),
      ...(seconds !== undefined && { "retry-after": String(seconds) }),
    };
    return new HTTPResponse(htmlPage(page, languageOf(event), `../${rootOf(event)}`), {
      status: page.status,
      headers,
    });
  };
  get("/connect/:token", (event) => connect(event, () => connectPage(appliance, parameter(event, "token"))));
  app.on("POST", "/connect/:token", (event) => connect(event, () => connectForm(appliance, event)));
  get("/docs", async (event) => {
    const { status, text } = await referencePage(viewerFolder, rootOf(event));
    return new HTTPResponse(text, { status, headers: REFERENCE_HEADERS });
  });
  get("/docs/assets/:name", async (event) => {
    const encodings = event.req.headers.get("accept-encoding");
    const found = await serveViewer(viewerFolder, parameter(event, "name"), encodings);
    if (found === undefined) throw notFound();
    return found;
  });
}

/** The relative path from a page to the folder that it is in. */
function rootOf({ url }: H3Event): "" | "../" {
  return url.pathname.endsWith("/") ? "../" : "";
}

function parameter(event: H3Event, name: string): string {
  return event.context.params?.[name] ?? "";
}

function notFound(): AppError {
  return new AppError("not_found", { en: "Not found", el: "Δεν βρέθηκε" });
}

/** Responds with a page even to an invalid form, because a person sent it. */
async function connectForm(appliance: Appliance, event: H3Event): Promise<Page> {
  if (isCrossSite(event)) return refusedFormPage(403);
  let form: ReadonlyMap<string, string>;
  try {
    form = (await readForm(event, CONNECT_LIMITS)).fields;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedFormPage(STATUS_OF[error.code]);
  }
  return submitConnectPage(appliance, parameter(event, "token"), form);
}

const DESCRIPTION = JSON.stringify({
  name: "fiscal",
  api_version: API_VERSION,
  api: "/api/v1",
  openapi: "/openapi.json",
  docs: "/docs",
  console: "/console",
  mcp: "/mcp",
});

/** See docs/contract.md#root-path. */
export function rootResponse(accept: string | null): HTTPResponse {
  const common = { vary: "accept", "cache-control": "no-store" };
  // Browsers name HTML when they open a page; programs accept anything, or JSON.
  if (accept?.includes("text/html") === true)
    return new HTTPResponse(null, { status: 302, headers: { ...common, location: "/console" } });
  return new HTTPResponse(DESCRIPTION, {
    status: 200,
    headers: { ...common, "content-type": "application/json" },
  });
}
