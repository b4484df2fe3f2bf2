/** The static files of the pages. Their names contain a hash of their content, so browsers cache them for a year. */
import { hash } from "node:crypto";
import { HTTPResponse } from "h3";
import { CONSOLE_SCRIPT } from "./console/live-script.ts";
import { NEW_SCRIPT } from "./console/new-script.ts";
import { REFERENCE_SCRIPT } from "./reference-script.ts";
import { STYLE } from "./style.ts";

/** The script of slow forms: shows that the form is being processed (`data-busy`), and prevents sending it twice. */
const FORM_SCRIPT = `"use strict";
for (const form of document.querySelectorAll("form[data-busy]")) {
  const status = form.querySelector("[role=status]");
  const idle = status.textContent;
  function show(isBusy) {
    form.ariaBusy = String(isBusy);
    status.textContent = isBusy ? form.dataset.busy : idle;
  }
  form.addEventListener("submit", (event) => {
    if (form.ariaBusy === "true") event.preventDefault();
    show(true);
  });
  // A page restored from the back/forward cache becomes usable again.
  addEventListener("pageshow", () => show(false));
}
`;

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1d4ed8"/><path d="M9 7h14v3H13v5h8v3h-8v8H9z" fill="#fff"/></svg>`;

const TYPES = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  svg: "image/svg+xml",
} as const;

function asset(stem: string, extension: keyof typeof TYPES, text: string) {
  const name = `${stem}-${hash("sha256", text, "hex").slice(0, 16)}.${extension}`;
  return { name, type: TYPES[extension], text };
}

const FILES = {
  style: asset("fiscal", "css", STYLE),
  icon: asset("fiscal", "svg", ICON),
  formScript: asset("form", "js", FORM_SCRIPT),
  referenceScript: asset("reference", "js", REFERENCE_SCRIPT),
  consoleScript: asset("console", "js", CONSOLE_SCRIPT),
  newScript: asset("new", "js", NEW_SCRIPT),
} as const;

/** The paths from the server's root; a page prepends its own path to the root. */
export const ASSETS = Object.fromEntries(
  Object.entries(FILES).map(([key, { name }]) => [key, `assets/${name}`]),
) as Readonly<Record<keyof typeof FILES, string>>;

/** For files whose names change with their content. */
export const IMMUTABLE_HEADERS = {
  "cache-control": "public, max-age=31536000, immutable",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
} as const;

export function serveAsset(name: string): HTTPResponse | undefined {
  const found = Object.values(FILES).find((file) => file.name === name);
  if (found === undefined) return undefined;
  return new HTTPResponse(found.text, {
    headers: { ...IMMUTABLE_HEADERS, "content-type": found.type },
  });
}
