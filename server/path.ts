/** Decides whether a path is spelled as routes are, since other spellings would pass by the path rules of a proxy. */
import type { H3Event } from "h3";
import { nodeRequestOf } from "./request.ts";

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
const ESCAPE = /%[0-9a-f]{2}/gi;
/** Characters that need no escape in a path, and those that would change its structure. */
const NEVER_ESCAPED = /[A-Za-z0-9\-._~/\\%]/;
/** Pages whose relative links depend on the trailing slash. The router ignores it everywhere. */
const WITH_TRAILING_SLASH = /^\/(?:docs|console|console\/.+|connect\/[^/]+)\/$/;

/** The path exactly as it was sent; the parsed URL has lost dot segments and backslashes. */
export function writtenPathOf(event: H3Event): string {
  const target = nodeRequestOf(event)?.url;
  if (target === undefined) return event.url.pathname;
  const path = target.startsWith("/") ? target : target.replace(ABSOLUTE_FORM, "");
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** Whether a route may match `path`, the written path of `event` (docs/contract.md#path-matching). */
export function isPlainPath(event: H3Event, path: string): boolean {
  if (path !== event.url.pathname || path.includes("//")) return false;
  if (path.includes("%") && path.match(ESCAPE)?.some(isNeedless) === true) return false;
  return !path.endsWith("/") || path === "/" || WITH_TRAILING_SLASH.test(path);
}

function isNeedless(escape: string): boolean {
  return NEVER_ESCAPED.test(String.fromCharCode(Number.parseInt(escape.slice(1), 16)));
}
