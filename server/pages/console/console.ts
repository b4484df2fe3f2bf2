/**
 * The console: pages for people, over the same functions as the API. From a request to its answer: language, session, limit,
 * the form's token, then the page. Nothing is done by a GET.
 */
import { timingSafeEqual } from "node:crypto";
import type { H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { describeError } from "../../errors.ts";
import { createFixedWindow, type FixedWindow } from "../../limits.ts";
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
import { arrive, beginAnswer } from "./arrival.ts";
import { findAsset } from "./assets.ts";
import { readCookies, setCookie } from "./cookies.ts";
import { framePage } from "./frame.ts";
import { createSignInGuard, type SignInGuard } from "./guard.ts";
import { notFoundPage, problemPage, refusedFormPage, tooManyPage, unexpectedPage } from "./problems.ts";
import { findRoute, type FoundRoute } from "./routes.ts";
import { sessionOverPage } from "./sign-in.ts";
import type { Page, Reply, Visitor } from "./visit.ts";

export type Console = (event: H3Event) => Promise<HTTPResponse>;

/** Asked by the script of a page that is being looked at: what the forms of that page carry. */
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

async function serve(tools: Tools, event: H3Event): Promise<HTTPResponse> {
  const answering = beginAnswer(tools.appliance, event);
  const asset = findAsset(event.url.pathname);
  if (asset !== undefined) return answerAsset(answering, asset);
  const found = findRoute(event.req.method, event.url.pathname);
  const visitor = await arrive(tools, event, answering, found?.params ?? {});
  const visit = event.req.headers.get(LIVE_HEADER);
  const isLive = visit !== null;
  if (isLive && (visitor.mode === undefined || visit !== visitor.csrf)) return answerEnded(answering);
  let reply: Reply;
  try {
    reply = await replyTo(tools, event, visitor, found);
    if (visitor.isPosted && visitor.mode !== undefined) noteAction(tools, event, visitor, answering, reply);
  } catch (error) {
    reply = failed(tools, visitor, answering.requestId, error);
  }
  if (reply.kind === "file") return answerFile(answering, reply);
  if (reply.kind === "redirect") return answerRedirect(answering, reply.to, reply);
  return isLive ? show(event, visitor, answering, reply) : showWithFlash(event, visitor, answering, reply);
}

/** What is done here is in no request log: who wants to know finds it among the program's own lines. */
function noteAction(
  { appliance }: Tools,
  event: H3Event,
  { mode }: Visitor,
  { requestId }: Answering,
  reply: Reply,
): void {
  // Paths have ids in them, but for the sign-in, whose links are secrets.
  const path = event.url.pathname.replace(/^(\/console\/sign-in)\/.*/, "$1/…");
  const isDone = reply.kind !== "page" || (reply.status ?? 200) < 400;
  appliance.log.info({ request_id: requestId, mode, path, done: isDone }, "an action of the console");
}

function failed({ appliance }: Tools, visitor: Visitor, requestId: string, error: unknown): Page {
  if (error instanceof AppError) return problemPage(visitor, error);
  appliance.log.error({ request_id: requestId, error: describeError(error) }, "a page of the console failed");
  return unexpectedPage(visitor, requestId);
}

async function replyTo(
  { limit, appliance }: Tools,
  event: H3Event,
  visitor: Visitor,
  found: FoundRoute | undefined,
): Promise<Reply> {
  const { mode, session } = visitor;
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
    // A link that is opened from elsewhere shows its page to nobody's session, whoever is signed in.
    const form = await readPosted(event, isOpen ? [visitor.csrf, visitor.openCsrf] : [visitor.csrf]);
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
  tokens: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, string> | undefined> {
  let form: Map<string, string>;
  try {
    form = await readForm(event);
  } catch (error) {
    if (error instanceof AppError && error.code === "unauthorized") return undefined;
    throw error;
  }
  const given = Buffer.from(form.get("csrf") ?? "");
  return tokens.some((token) => token !== undefined && equals(given, Buffer.from(token))) ? form : undefined;
}

function equals(given: Buffer, wanted: Buffer): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** What a script asks for leaves the flash to the page that a person sees next. */
function showWithFlash(event: H3Event, visitor: Visitor, answering: Answering, page: Page): HTTPResponse {
  const { isHttps, names, cookies } = answering;
  const told = readCookies(event.req.headers.get("cookie")).get(names.flash);
  if (told !== undefined) cookies.push(setCookie(names.flash, "", { isHttps, maxAgeSeconds: 0 }));
  return show(event, visitor, answering, page, told);
}

function show(
  event: H3Event,
  visitor: Visitor,
  answering: Answering,
  { title, content, status = 200, retryAfterSeconds }: Page,
  told?: string,
): HTTPResponse {
  const text = framePage(visitor, { title, content, flash: readFlash(told) });
  return answerPage(answering, { status, text, retryAfterSeconds }, event.req.headers.get("if-none-match"));
}
