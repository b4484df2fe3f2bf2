/**
 * Builds the HTTP responses of the console: security headers, 304 for unchanged pages, and its cookies, which are limited to its own
 * pages, inaccessible to scripts, and never sent from other sites.
 */
import { hash } from "node:crypto";
import { HTTPResponse } from "h3";
import { SESSION_COOKIE_MS } from "../../../src/console/sign-in.ts";
import type { Language } from "../language.ts";
import { pageHeaders } from "../markup.ts";
import type { FileBody, Flash, SessionChange } from "./visit.ts";
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
  requestId: string;
  isHttps: boolean;
  names: CookieNames;
  /** Set-Cookie headers. */
  cookies: string[];
}

function headersOf(context: ResponseContext, given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ "x-request-id": context.requestId, ...given });
  for (const cookie of context.cookies) headers.append("set-cookie", cookie);
  return headers;
}

/** 304 if `ifNoneMatch` names the same content. */
export function buildPageResponse(
  context: ResponseContext,
  page: { status: number; text: string; retryAfterSeconds?: number | undefined },
  ifNoneMatch: string | null,
): HTTPResponse {
  const etag = `"${hash("sha256", page.text, "base64url").slice(0, 22)}"`;
  const retry = page.retryAfterSeconds;
  const headers = headersOf(context, {
    ...PAGE_HEADERS,
    etag,
    ...(retry === undefined ? {} : { "retry-after": String(retry) }),
  });
  if (page.status === 200 && ifNoneMatch === etag) return new HTTPResponse(null, { status: 304, headers });
  return new HTTPResponse(page.text, { status: page.status, headers });
}

/** Redirects to another page of the console, which shows `flash`. */
export function buildRedirect(
  context: ResponseContext,
  to: string,
  change: {
    flash?: Flash | undefined;
    session?: SessionChange | undefined;
    language?: Language | undefined;
    merchant?: string | undefined;
  },
): HTTPResponse {
  const { isHttps, names } = context;
  const { flash, session, language, merchant } = change;
  if (flash !== undefined) {
    const value = encodeURIComponent(`${flash.code}|${flash.count ?? ""}`);
    context.cookies.push(setCookie(names.flash, value, { isHttps, maxAgeSeconds: FLASH_SECONDS }));
  }
  if (session?.kind === "opened") {
    const maxAgeSeconds = SESSION_COOKIE_MS / 1000;
    context.cookies.push(setCookie(names.session, session.token, { isHttps, maxAgeSeconds }));
  }
  if (language !== undefined) {
    const maxAgeSeconds = LANGUAGE_SECONDS;
    context.cookies.push(setCookie(names.language, language, { isHttps, maxAgeSeconds }));
  }
  if (merchant !== undefined) {
    const maxAgeSeconds = merchant === "" ? 0 : MERCHANT_SECONDS;
    context.cookies.push(setCookie(names.merchant, merchant, { isHttps, maxAgeSeconds }));
  }
  if (session?.kind === "ended")
    context.cookies.push(setCookie(names.session, "", { isHttps, maxAgeSeconds: 0 }));
  const headers = headersOf(context, { location: to, "cache-control": "no-store" });
  return new HTTPResponse(null, { status: 303, headers });
}

/** Parses a flash cookie; undefined if it is invalid. */
export function readFlash(value: string | undefined): Flash | undefined {
  const [code = "", count = ""] = (value ?? "").split("|");
  if (!isFlashCode(code)) return undefined;
  return { code, count: /^\d{1,9}$/.test(count) ? Number(count) : undefined };
}

export function buildFileResponse(
  context: ResponseContext,
  file: { type: string; name: string; body: FileBody },
): HTTPResponse {
  const headers = headersOf(context, {
    "content-type": file.type,
    "content-disposition": `attachment; filename="${file.name}"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  return new HTTPResponse(file.body, { headers });
}

/** For the script of a page whose session has ended. */
export function buildSessionEndedResponse(context: ResponseContext): HTTPResponse {
  const headers = headersOf(context, { "content-type": "text/plain", "cache-control": "no-store" });
  return new HTTPResponse("The session has ended", { status: 401, headers });
}

interface CookieNames {
  /** The session token. */
  session: string;
  /** The secret behind the CSRF token before sign-in. */
  visitor: string;
  /** The message for the next page. */
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

/** A Set-Cookie header. `maxAgeSeconds` 0 deletes the cookie. */
export function setCookie(
  name: string,
  value: string,
  { isHttps, maxAgeSeconds }: { isHttps: boolean; maxAgeSeconds: number },
): string {
  const secure = isHttps ? "; Secure" : "";
  return `${name}=${value}; Path=/console; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}
