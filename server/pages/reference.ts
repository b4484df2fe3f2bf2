/** Serves the API reference at `/docs`: a viewer for the OpenAPI description, with all its files on this server. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HTTPResponse } from "h3";
import { ASSETS, IMMUTABLE_HEADERS } from "./assets.ts";
import { html, pageHeaders } from "./markup.ts";
import { htmlDocument } from "./page.ts";

/**
 * The viewer generates styles at run time, so `style-src` must allow inline styles: no hash can list them. Scripts
 * and requests stay on this server.
 */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:",
  "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
].join("; ");

export const REFERENCE_HEADERS: Readonly<Record<string, string>> = {
  ...pageHeaders("'none'"),
  "content-security-policy": POLICY,
};

/** The build adds a hash of the content to the name. */
const VIEWER_FORM = /^viewer-[0-9a-f]{16}\.js$/;

/** The file name of the viewer in `folder`; undefined if the build did not create it. */
async function findViewer(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined || !existsSync(folder)) return undefined;
  return (await readdir(folder)).find((name) => VIEWER_FORM.test(name));
}

const TITLE = "API reference · fiscal";

/** `root` is the relative path to the server's root. Without the viewer the page only links to the description. */
export async function referencePage(
  folder: string | undefined,
  root: string,
): Promise<{ status: number; text: string }> {
  const viewer = await findViewer(folder);
  const description = `${root}openapi.json`;
  const scripts = viewer === undefined ? [] : [`docs/assets/${viewer}`, ASSETS.referenceScript];
  const instead = html`<h1>${TITLE}</h1>
<p>${viewer === undefined ? "The reference is not part of this build; create it with npm run build." : "The reference needs JavaScript."} The API description: <a href="${description}">openapi.json</a> (OpenAPI 3.1).</p>`;
  const text = htmlDocument({
    language: "en",
    title: TITLE,
    head: html`<link rel="icon" type="image/svg+xml" href="${root}${ASSETS.icon}">
${scripts.map((script) => html`<script src="${root}${script}" defer></script>`)}`,
    body: html`<body>
${viewer === undefined ? instead : html`<noscript>${instead}</noscript>`}
<div id="reference" data-description="${description}"></div>
</body>`,
  });
  return { status: viewer === undefined ? 503 : 200, text };
}

/** A file of the viewer, compressed if the client accepts that. Undefined if there is no such file. */
export async function serveViewer(
  folder: string | undefined,
  name: string,
  acceptedEncodings: string | null,
): Promise<HTTPResponse | undefined> {
  if (folder === undefined || !VIEWER_FORM.test(name)) return undefined;
  const isCompressed = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(acceptedEncodings ?? "");
  const file = join(folder, isCompressed ? `${name}.gz` : name);
  if (!existsSync(file)) return undefined;
  return new HTTPResponse(await readFile(file), {
    headers: {
      ...IMMUTABLE_HEADERS,
      "content-type": "text/javascript; charset=utf-8",
      vary: "accept-encoding",
      ...(isCompressed ? { "content-encoding": "gzip" } : {}),
    },
  });
}
