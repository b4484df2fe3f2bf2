/**
 * Builds the HTTP responses of the console: security headers, 304 for unchanged pages, and its cookies, which are limited to its own
 * pages, inaccessible to scripts, and never sent from other sites.
 */
import { hash } from "node:crypto";
import { getCookie, type H3Event, HTTPResponse, setCookie } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import { openForSession, sealForSession, SESSION_COOKIE_MS } from "../../../src/console/sign-in.ts";
import { pageHeaders } from "../markup.ts";
import type { Flash, Page, Redirect, Reply } from "./visit.ts";
import { isFlashCode } from "./messages.ts";

const PAGE_HEADERS = {
  // The script fetches the page itself.
  ...pageHeaders("'self'", "; connect-src 'self'"),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** Long enough for the redirect that follows. */
const FLASH_SECONDS = 60;
const DAY_SECONDS = 86_400;
const LANGUAGE_SECONDS = 365 * DAY_SECONDS;
const MERCHANT_SECONDS = 90 * DAY_SECONDS;

export interface ResponseContext {
  appliance: Appliance;
  event: H3Event;
  requestId: string;
  isHttps: boolean;
  names: CookieNames;
}

/** 304 if the browser has the same content. */
export function buildPageResponse({ event }: ResponseContext, text: string, page: Page): HTTPResponse {
  const { status = 200, retryAfterSeconds: retry } = page;
  const etag = `"${hash("sha256", text, "base64url").slice(0, 22)}"`;
  const headers = { ...PAGE_HEADERS, etag, ...(retry !== undefined && { "retry-after": String(retry) }) };
  if (status === 200 && event.req.headers.get("if-none-match") === etag)
    return new HTTPResponse(null, { status: 304, headers });
  return new HTTPResponse(text, { status, headers });
}

/** Redirects to another page of the console, which shows the flash message. `token` is that of the visitor's session, if there is one. */
export function buildRedirect(
  context: ResponseContext,
  reply: Redirect,
  token: string | undefined,
): HTTPResponse {
  const { names } = context;
  const { to, flash, session, language, merchant } = reply;
  const set = (name: string, value: string, seconds: number) =>
    setOwnCookie(context, name, value, value === "" ? 0 : seconds);
  if (flash !== undefined) set(names.flash, writtenFlash(context, flash, token), FLASH_SECONDS);
  if (session !== undefined) set(names.session, session, SESSION_COOKIE_MS / 1000);
  if (language !== undefined) set(names.language, language, LANGUAGE_SECONDS);
  if (merchant !== undefined) set(names.merchant, merchant, MERCHANT_SECONDS);
  return new HTTPResponse(null, { status: 303, headers: { location: to, "cache-control": "no-store" } });
}

/** A secret is sealed: proxies may log cookies. They log that of the session too, so it stays sealed once that is over. */
function writtenFlash({ appliance }: ResponseContext, flash: Flash, token: string | undefined): string {
  const { code, count, secret } = flash;
  const sealed = secret && token && sealForSession(appliance, token, secret);
  return [code, count, sealed].join("|");
}

/** The flash message that the request brought, which is then removed; undefined if there is none, or an invalid one. */
export function takeFlash(context: ResponseContext, token: string | undefined): Flash | undefined {
  const { appliance, event, names } = context;
  const value = getCookie(event, names.flash);
  if (value === undefined) return undefined;
  setOwnCookie(context, names.flash, "", 0);
  const [code = "", count = "", sealed = ""] = value.split("|");
  const secret = token && openForSession(appliance, token, sealed);
  // Without its secret, the message would announce what is not there.
  if (!isFlashCode(code) || (sealed !== "" && secret === undefined)) return undefined;
  return { code, count: /^\d{1,9}$/.test(count) ? Number(count) : undefined, secret };
}

export function buildFileResponse(file: Extract<Reply, { kind: "file" }>): HTTPResponse {
  return new HTTPResponse(file.body, {
    headers: {
      "content-type": file.type,
      "content-disposition": `attachment; filename="${file.name}"`,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  });
}

/** For the script of a page whose session has ended. */
export function buildSessionEndedResponse(): HTTPResponse {
  const headers = { "content-type": "text/plain", "cache-control": "no-store" };
  return new HTTPResponse("The session has ended", { status: 401, headers });
}

interface CookieNames {
  session: string;
  /** The secret behind the CSRF token before sign-in. */
  visitor: string;
  flash: string;
  language: string;
  /** The merchant that the browser works for. */
  merchant: string;
}

/**
 * Browsers send cookies to every port of a host. With the port in their names, two consoles on one host, or behind two
 * tunnels to it, do not overwrite each other's. `publicUrl` is the configured one, which all servers behind a proxy share; if
 * it is empty, the port of the request counts.
 */
export function cookieNames(publicUrl: string, asked: URL): CookieNames {
  const { port } = publicUrl === "" ? asked : new URL(publicUrl);
  const session = port === "" ? "fiscal_console" : `fiscal_console_${port}`;
  return {
    session,
    visitor: `${session}_visitor`,
    flash: `${session}_flash`,
    language: `${session}_language`,
    merchant: `${session}_merchant`,
  };
}

/** Sets a cookie of the console's pages; after 0 seconds it is gone at once. */
export function setOwnCookie(
  { event, isHttps }: ResponseContext,
  name: string,
  value: string,
  maxAge: number,
): void {
  setCookie(event, name, value, {
    path: "/console",
    maxAge,
    httpOnly: true,
    sameSite: "strict",
    secure: isHttps,
  });
}
