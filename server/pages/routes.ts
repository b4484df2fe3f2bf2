/** What people open in a browser, and the files that it is made of: connect links, sandbox documents, the API reference. */
import { type H3, type H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../src/appliance.ts";
import { AppError } from "../../src/foundation/errors.ts";
import { failureOf } from "../errors.ts";
import { requestIdOf } from "../request.ts";
import { answerAsset } from "./assets.ts";
import { connectPage, submitConnectPage } from "./connect/connect.ts";
import { refusedFormPage } from "./connect/ends.ts";
import { isFromElsewhere, readForm } from "./form.ts";
import { pageHeaders } from "./html.ts";
import { languageOf } from "./language.ts";
import type { Page } from "./page.ts";
import { answerViewer, REFERENCE_HEADERS, referencePage } from "./reference.ts";
import { sandboxDocumentPage } from "./sandbox-document.ts";

/** `viewerFolder`: where the build put the viewer of the API reference. */
export function mountPages(app: H3, appliance: Appliance, viewerFolder: string | undefined): void {
  const header = appliance.config.server.platformRequestIdHeader;
  const idOf = (event: H3Event) => ({ "x-request-id": requestIdOf(event.req.headers, header) });
  const answer = (event: H3Event, { status, html }: Page, headers: Readonly<Record<string, string>>) =>
    new HTTPResponse(html, { status, headers: { ...idOf(event), ...headers } });
  const get = (path: string, handler: (event: H3Event) => HTTPResponse | Promise<HTTPResponse>) => {
    for (const method of ["GET", "HEAD"] as const) app.on(method, path, handler);
  };

  get("/assets/:name", (event) => {
    const found = answerAsset(parameter(event, "name"), idOf(event));
    if (found === undefined) throw nothingHere();
    return found;
  });
  get("/sandbox/documents/:mark", async (event) => {
    const page = await sandboxDocumentPage(appliance, parameter(event, "mark"), languageOf(event));
    return answer(event, page, pageHeaders("'none'"));
  });
  get("/connect/:token", async (event) => {
    // What the page refers to is found from the path without a slash behind it.
    const { pathname, search } = event.url;
    if (pathname.endsWith("/")) return answerMoved(`../${lastPartOf(pathname)}${search}`, idOf(event));
    const page = await connectPage(appliance, parameter(event, "token"), languageOf(event));
    return answer(event, page, pageHeaders("'self'"));
  });
  app.on("POST", "/connect/:token", async (event) =>
    answer(event, await connectForm(appliance, event), pageHeaders("'self'")),
  );
  get("/docs", async (event) => {
    const root = event.url.pathname.endsWith("/") ? "../" : "";
    return answer(event, await referencePage(viewerFolder, root), REFERENCE_HEADERS);
  });
  get("/docs/assets/:name", async (event) => {
    const encodings = event.req.headers.get("accept-encoding");
    const found = await answerViewer(viewerFolder, parameter(event, "name"), encodings, idOf(event));
    if (found === undefined) throw nothingHere();
    return found;
  });
}

/** `location` is relative: behind a proxy the server does not know its own path. */
function answerMoved(location: string, headers: Readonly<Record<string, string>>): HTTPResponse {
  return new HTTPResponse(null, {
    status: 308,
    headers: { ...headers, location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });
}

function lastPartOf(path: string): string {
  return path.split("/").findLast((part) => part !== "") ?? "";
}

function parameter(event: H3Event, name: string): string {
  return event.context.params?.[name] ?? "";
}

function nothingHere(): AppError {
  return new AppError("not_found", "There is nothing at this path");
}

/** A form is answered with a page whatever is wrong with it: a person sent it. */
async function connectForm(appliance: Appliance, event: H3Event): Promise<Page> {
  const language = languageOf(event);
  if (isFromElsewhere(event)) return refusedFormPage(403, language);
  let form: ReadonlyMap<string, string>;
  try {
    form = await readForm(event);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return refusedFormPage(failureOf(error).status, language);
  }
  return submitConnectPage(appliance, parameter(event, "token"), form, language);
}
