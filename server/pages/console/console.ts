/**
 * The console: pages for people, over the same functions as the API. From a request to its answer: language, session, limit,
 * the form's token, then the page. Nothing is done by a GET.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import { findConsoleSession } from "../../../src/console/sign-in.ts";
import { AppError } from "../../../src/errors.ts";
import { describe } from "../../errors.ts";
import { createFixedWindow, type FixedWindow } from "../../limits.ts";
import { requestIdOf } from "../../request.ts";
import { readForm } from "../form.ts";
import {
  answerAsset,
  answerEnded,
  answerFile,
  answerPage,
  answerRedirect,
  type Answering,
  readFlash,
} from "./answers.ts";
import { findAsset } from "./assets.ts";
import {
  FLASH_COOKIE,
  LANGUAGE_COOKIE,
  readCookies,
  SESSION_COOKIE,
  setCookie,
  VISITOR_COOKIE,
} from "./cookies.ts";
import { framePage } from "./frame.ts";
import { isLanguage, preferredLanguage, speak } from "./language.ts";
import { notFoundPage, problemPage, refusedFormPage, tooManyPage, unexpectedPage } from "./problems.ts";
import { findRoute, type FoundRoute } from "./routes.ts";
import { createSignInGuard, type SignInGuard } from "./guard.ts";
import { sessionOverPage } from "./sign-in.ts";
import type { Page, Reply, Visitor } from "./visit.ts";

export type Console = (event: H3Event) => Promise<HTTPResponse>;

const VISITOR_BYTES = 16;
const VISITOR_FORM = /^[0-9A-Za-z_-]{22}$/;
/** Asked by the script of a page that is being looked at. */
const LIVE_HEADER = "x-fiscal-live";

export function createConsole(appliance: Appliance): Console {
  const { requests, windowSeconds } = appliance.config.rateLimit;
  // Pages that stay open ask every few seconds: as many requests as a key may make are more than enough for a person.
  const limit = createFixedWindow(requests, windowSeconds);
  const guard = createSignInGuard(appliance);
  return (event) => serve({ appliance, limit, guard }, event);
}

interface Tools {
  appliance: Appliance;
  limit: FixedWindow;
  guard: SignInGuard;
}

/** What is known of a request before its page is asked. */
interface Arrival {
  visitor: Visitor;
  answering: Answering;
  /** The cookie of somebody who is signed in. */
  session: string | undefined;
  isLive: boolean;
}

async function serve(tools: Tools, event: H3Event): Promise<HTTPResponse> {
  const { pathname } = event.url;
  const asset = findAsset(pathname);
  const found = findRoute(event.req.method, pathname);
  const arrival = await arrive(tools, event, found);
  const { visitor, answering, isLive } = arrival;
  if (asset !== undefined) return answerAsset(answering, asset);
  if (isLive && visitor.mode === undefined) return answerEnded(answering);
  let reply: Reply;
  try {
    reply = await replyTo(tools, event, arrival, found);
  } catch (error) {
    reply = failed(tools, visitor, answering.requestId, error);
  }
  if (reply.kind === "file") return answerFile(answering, reply);
  if (reply.kind === "redirect") return answerRedirect(answering, reply.to, reply);
  return show(event, arrival, reply);
}

function failed({ appliance }: Tools, visitor: Visitor, requestId: string, error: unknown): Page {
  if (error instanceof AppError) return problemPage(visitor, error);
  appliance.log.error({ request_id: requestId, error: describe(error) }, "a page of the console failed");
  return unexpectedPage(visitor, requestId);
}

/** Who comes, and what they speak. */
async function arrive(tools: Tools, event: H3Event, found: FoundRoute | undefined): Promise<Arrival> {
  const { appliance, guard } = tools;
  const { headers } = event.req;
  const cookies = readCookies(headers.get("cookie"));
  const answering: Answering = {
    requestId: requestIdOf(headers, appliance.config.server.platformRequestIdHeader),
    isHttps:
      appliance.publicUrl().startsWith("https:") ||
      headers.get("x-forwarded-proto")?.startsWith("https") === true,
    cookies: [],
  };
  const token = cookies.get(SESSION_COOKIE);
  const session = token === undefined ? undefined : await findConsoleSession(appliance, token);
  const chosen = cookies.get(LANGUAGE_COOKIE);
  const language = isLanguage(chosen) ? chosen : preferredLanguage(headers.get("accept-language"));
  const secret = session === undefined ? visitorSecret(cookies, answering, event) : token!;
  const visitor: Visitor = {
    appliance,
    language,
    say: speak(language),
    params: found?.params ?? {},
    query: event.url.searchParams,
    form: new Map(),
    here: event.url.pathname + event.url.search,
    csrf: hash("sha256", `form ${secret}`, "base64url"),
    mode: session?.mode,
    session: session === undefined ? undefined : token,
    attempts: guard.of(event),
  };
  return { visitor, answering, session: visitor.session, isLive: headers.has(LIVE_HEADER) };
}

/** What the token of a form is made of for somebody who is not signed in: a cookie of their own, made with their first page. */
function visitorSecret(cookies: ReadonlyMap<string, string>, answering: Answering, event: H3Event): string {
  const known = cookies.get(VISITOR_COOKIE) ?? "";
  if (VISITOR_FORM.test(known)) return known;
  const fresh = randomBytes(VISITOR_BYTES).toString("base64url");
  const { isHttps } = answering;
  if (event.req.method === "GET")
    answering.cookies.push(setCookie(VISITOR_COOKIE, fresh, { isHttps, maxAgeSeconds: 86_400 }));
  return fresh;
}

async function replyTo(
  { limit, appliance }: Tools,
  event: H3Event,
  { visitor, session }: Arrival,
  found: FoundRoute | undefined,
): Promise<Reply> {
  const { mode } = visitor;
  const isPost = event.req.method === "POST";
  if (session !== undefined) {
    const window = limit.count(session, appliance.clock.nowMs());
    if (window?.isExceeded === true) return tooManyPage(visitor, Math.max(1, window.resetSeconds));
  }
  const isOpen = found?.route.isOpen === true;
  if (mode === undefined && !isOpen)
    return isPost ? sessionOverPage(visitor) : { kind: "redirect", to: "/console/sign-in" };
  if (found === undefined) return notFoundPage(visitor);
  if (isPost) {
    const form = await readPosted(event, visitor);
    if (form === undefined) return refusedFormPage(visitor);
    visitor.form = form;
  }
  const { route } = found;
  if (route.isOpen === true) return route.handle(visitor);
  return route.handle({ ...visitor, mode: mode! });
}

/** The form; undefined where it is not one of this browser's own. */
async function readPosted(
  event: H3Event,
  { csrf }: Visitor,
): Promise<ReadonlyMap<string, string> | undefined> {
  let form: Map<string, string>;
  try {
    form = await readForm(event);
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthorized") return undefined;
    throw error;
  }
  const given = Buffer.from(form.get("csrf") ?? "");
  const wanted = Buffer.from(csrf);
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? form : undefined;
}

function show(event: H3Event, { visitor, answering, isLive }: Arrival, page: Page): HTTPResponse {
  const { isHttps } = answering;
  const told = isLive ? undefined : readCookies(event.req.headers.get("cookie")).get(FLASH_COOKIE);
  if (told !== undefined) answering.cookies.push(setCookie(FLASH_COOKIE, "", { isHttps, maxAgeSeconds: 0 }));
  const { title, content, status = 200, retryAfterSeconds } = page;
  const text = framePage(visitor, { title, content, flash: readFlash(told) });
  return answerPage(answering, { status, text, retryAfterSeconds }, event.req.headers.get("if-none-match"));
}
