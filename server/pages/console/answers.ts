/** From what a page answers to HTTP: headers that keep it to itself, cookies, and 304 for what has not changed. */
import { hash } from "node:crypto";
import { HTTPResponse } from "h3";
import { SESSION_LIFETIME_MS } from "../../../src/console/sign-in.ts";
import type { Asset } from "./assets.ts";
import { type CookieNames, setCookie } from "./cookies.ts";
import type { Language } from "../language.ts";
import type { Flash, SessionChange } from "./visit.ts";
import { type Word, WORDS } from "./words.ts";

const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

/** Long enough for the redirect that follows. */
const FLASH_SECONDS = 60;
const DAY_SECONDS = 86_400;
/** Their names change with what they hold. */
const ASSET_SECONDS = 365 * DAY_SECONDS;
const LANGUAGE_SECONDS = 365 * DAY_SECONDS;

export interface Answering {
  requestId: string;
  isHttps: boolean;
  names: CookieNames;
  /** Set-Cookie headers. */
  cookies: string[];
}

function headersOf(answering: Answering, given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ "x-request-id": answering.requestId, ...given });
  for (const cookie of answering.cookies) headers.append("set-cookie", cookie);
  return headers;
}

/** A page. The same text as `ifNoneMatch` names is not sent again. */
export function answerPage(
  answering: Answering,
  page: { status: number; text: string; retryAfterSeconds?: number | undefined },
  ifNoneMatch: string | null,
): HTTPResponse {
  const etag = `"${hash("sha256", page.text, "base64url").slice(0, 22)}"`;
  const retry = page.retryAfterSeconds;
  const headers = headersOf(answering, {
    ...PAGE_HEADERS,
    etag,
    ...(retry === undefined ? {} : { "retry-after": String(retry) }),
  });
  if (page.status === 200 && ifNoneMatch === etag) return new HTTPResponse(null, { status: 304, headers });
  return new HTTPResponse(page.text, { status: page.status, headers });
}

/** To another page of the console, telling `flash` there. */
export function answerRedirect(
  answering: Answering,
  to: string,
  change: { flash?: Flash | undefined; session?: SessionChange | undefined; language?: Language | undefined },
): HTTPResponse {
  const { isHttps, names } = answering;
  const { flash, session, language } = change;
  if (flash !== undefined) {
    const value = encodeURIComponent(`${flash.word}|${flash.count ?? ""}`);
    answering.cookies.push(setCookie(names.flash, value, { isHttps, maxAgeSeconds: FLASH_SECONDS }));
  }
  if (session?.kind === "opened") {
    const maxAgeSeconds = SESSION_LIFETIME_MS / 1000;
    answering.cookies.push(setCookie(names.session, session.token, { isHttps, maxAgeSeconds }));
  }
  if (language !== undefined) {
    const maxAgeSeconds = LANGUAGE_SECONDS;
    answering.cookies.push(setCookie(names.language, language, { isHttps, maxAgeSeconds }));
  }
  if (session?.kind === "ended")
    answering.cookies.push(setCookie(names.session, "", { isHttps, maxAgeSeconds: 0 }));
  const headers = headersOf(answering, { location: to, "cache-control": "no-store" });
  return new HTTPResponse(null, { status: 303, headers });
}

/** What a flash cookie tells; undefined where it is none of ours. */
export function readFlash(value: string | undefined): Flash | undefined {
  if (value === undefined || !/^[\w%.|~-]{1,80}$/.test(value)) return undefined;
  // What is no escape of ours would throw.
  if (/%(?![0-9A-Fa-f]{2})/.test(value) || /%[89A-Fa-f]/.test(value)) return undefined;
  const [word = "", count = ""] = decodeURIComponent(value).split("|");
  if (!word.startsWith("flash ") || !Object.hasOwn(WORDS, word)) return undefined;
  return { word: word as Word, count: /^\d{1,9}$/.test(count) ? Number(count) : undefined };
}

export function answerFile(
  answering: Answering,
  file: { type: string; name: string; body: Uint8Array<ArrayBuffer> },
): HTTPResponse {
  const headers = headersOf(answering, {
    "content-type": file.type,
    "content-disposition": `attachment; filename="${file.name}"`,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  return new HTTPResponse(file.body, { headers });
}

/** Nothing secret stands in an asset: it may be kept. */
export function answerAsset(answering: Answering, { type, text }: Asset): HTTPResponse {
  const headers = headersOf(answering, {
    "content-type": type,
    "x-content-type-options": "nosniff",
    "cache-control": `public, max-age=${ASSET_SECONDS}, immutable`,
  });
  return new HTTPResponse(text, { headers });
}

/** To the script of a page whose session has ended. */
export function answerEnded(answering: Answering): HTTPResponse {
  const headers = headersOf(answering, { "content-type": "text/plain", "cache-control": "no-store" });
  return new HTTPResponse("The session has ended", { status: 401, headers });
}
