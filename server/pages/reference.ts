/** The API reference at `/docs`: the description of the API in a viewer whose files are served from here. */
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { HTTPResponse } from "h3";
import { ASSETS, FOR_EVER } from "./assets.ts";
import { pageHeaders } from "./html.ts";
import { html } from "./markup.ts";
import type { Page } from "./page.ts";

/**
 * The viewer makes its styles while it runs, so that they cannot be told by a hash: `style-src` takes what is inline. Scripts
 * and requests stay with this server.
 */
const POLICY = [
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:",
  "connect-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
].join("; ");

export const REFERENCE_HEADERS: Readonly<Record<string, string>> = {
  ...pageHeaders("'none'"),
  "content-security-policy": POLICY,
};

/** As the build names it: after what is in it. */
const VIEWER_FORM = /^viewer-[0-9a-f]{16}\.js$/;

/** The viewer's name in `folder`; undefined where the build did not put it there. */
async function findViewer(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined || !existsSync(folder)) return undefined;
  return (await readdir(folder)).find((name) => VIEWER_FORM.test(name));
}

const TITLE = "API reference · fiscal";

/** `root`: the way to the server's root. Where the viewer is missing, the description itself is what there is. */
export async function referencePage(folder: string | undefined, root: string): Promise<Page> {
  const viewer = await findViewer(folder);
  const description = `${root}openapi.json`;
  const scripts = viewer === undefined ? [] : [`docs/assets/${viewer}`, ASSETS.referenceScript];
  const instead = html`<h1>${TITLE}</h1>
<p>${viewer === undefined ? "The reference is not part of this build; npm run build makes it." : "The reference is shown by a script."} The description that it is made of: <a href="${description}">openapi.json</a> (OpenAPI 3.1).</p>`;
  const { text } = html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${TITLE}</title>
<link rel="icon" type="image/svg+xml" href="${root}${ASSETS.icon}">
${scripts.map((script) => html`<script src="${root}${script}" defer></script>`)}
</head>
<body>
${viewer === undefined ? instead : html`<noscript>${instead}</noscript>`}
<div id="reference" data-description="${description}" data-copy="Copy"></div>
</body>
</html>
`;
  return { status: viewer === undefined ? 503 : 200, html: `<!doctype html>\n${text}` };
}

/** A file of the viewer, packed where the caller takes that: it is large. undefined where there is no such file. */
export async function answerViewer(
  folder: string | undefined,
  name: string,
  acceptedEncodings: string | null,
  headers: Readonly<Record<string, string>>,
): Promise<HTTPResponse | undefined> {
  if (folder === undefined || !VIEWER_FORM.test(name)) return undefined;
  const isPacked = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(acceptedEncodings ?? "");
  const file = join(folder, isPacked ? `${name}.gz` : name);
  if (!existsSync(file)) return undefined;
  return new HTTPResponse(await readFile(file), {
    headers: {
      ...headers,
      ...FOR_EVER,
      "content-type": "text/javascript; charset=utf-8",
      vary: "accept-encoding",
      ...(isPacked ? { "content-encoding": "gzip" } : {}),
    },
  });
}
