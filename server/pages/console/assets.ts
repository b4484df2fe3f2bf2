/** The console's stylesheet, scripts and icon, with a hash of the content in their names so that browsers can cache them. */
import { hash } from "node:crypto";
import { LIVE_SCRIPT } from "./live-script.ts";
import { NEW_SCRIPT } from "./new-script.ts";
import { STYLE } from "../style.ts";

/**
 * The script of short forms (`data-keep`): what was typed stays with the entry of the history, so it survives a reload and the back
 * button. Without scripts the browser itself does that, unless `autocomplete` is off.
 */
const KEEP_SCRIPT = `"use strict";
(() => {
  for (const form of document.querySelectorAll("form[data-keep]")) {
    // So that the browser does not suggest what was typed for others.
    form.autocomplete = "off";
    const typed = [...form.querySelectorAll("input:not([type=hidden], [type=file]), select")];
    for (const [name, value] of history.state?.typed ?? []) {
      const field = typed.find((one) => one.name === name);
      if (field !== undefined) field.value = value;
    }
    const keep = () => history.replaceState({ typed: typed.map(({ name, value }) => [name, value]) }, "");
    form.addEventListener("change", keep);
    addEventListener("beforeunload", keep);
  }
})();
`;

export interface Asset {
  type: string;
  text: string;
}

function pathOf(text: string, extension: string): string {
  return `/console/assets/${hash("sha256", text, "hex").slice(0, 16)}.${extension}`;
}

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#1d4ed8"/><path d="M9 7h14v3H13v5h8v3h-8v8H9z" fill="#fff"/></svg>`;

export const ICON_PATH = pathOf(ICON, "svg");
export const STYLE_PATH = pathOf(STYLE, "css");
const SCRIPT = LIVE_SCRIPT + KEEP_SCRIPT;
export const SCRIPT_PATH = pathOf(SCRIPT, "js");
export const NEW_SCRIPT_PATH = pathOf(NEW_SCRIPT, "js");

const ASSETS: ReadonlyMap<string, Asset> = new Map([
  [ICON_PATH, { type: "image/svg+xml", text: ICON }],
  [STYLE_PATH, { type: "text/css; charset=utf-8", text: STYLE }],
  [SCRIPT_PATH, { type: "text/javascript; charset=utf-8", text: SCRIPT }],
  [NEW_SCRIPT_PATH, { type: "text/javascript; charset=utf-8", text: NEW_SCRIPT }],
]);

export function findAsset(path: string): Asset | undefined {
  return ASSETS.get(path);
}
