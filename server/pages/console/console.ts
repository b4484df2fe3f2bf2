/**
 * Serves the console: web pages on top of the same functions as the API. The steps of a request: language, session, rate limit, form,
 * CSRF token, page. A GET changes nothing. Nothing is read from a browser that has never had a session, but its sign-in.
 */
import type { H3Event, HTTPResponse } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import { AppError } from "../../../src/foundation/errors.ts";
import { describeError } from "../../errors.ts";
import type { Windows } from "../../limits.ts";
import { trustedNetworks } from "../../peer.ts";
import { equalsSecret } from "../../request.ts";
import { readForm, type SentForm } from "../form.ts";
import { FILE_FORM_BYTES_MAX } from "./upload/read-upload.ts";
import {
  buildFileResponse,
  buildPageResponse,
  buildRedirect,
  buildSessionEndedResponse,
  takeFlash,
  type ResponseContext,
} from "./page-responses.ts";
import { arrive, beginResponse, type Surroundings } from "./arrival.ts";
import { framePage } from "./frame.ts";
import { TEXTS } from "./messages.ts";
import {
  keptFormPage,
  notFoundPage,
  problemPage,
  refusalPage,
  tooManyPage,
  unexpectedPage,
} from "./problems.ts";
import { sessionOverPage, SIGN_IN_ROUTES } from "./sign-in.ts";
import { type Page, pathTo, type Reply, type Route, type Visitor } from "./visit.ts";
import { CONNECTION_ROUTES } from "./connections.ts";
import { CUSTOMER_ROUTES } from "./customers.ts";
import { DOCUMENT_ROUTES } from "./documents.ts";
import { KEY_ROUTES } from "./keys.ts";
import { LOG_ROUTES } from "./logs.ts";
import { MERCHANT_ROUTES } from "./merchants.ts";
import { OVERVIEW_ROUTES } from "./overview.ts";
import { REPORT_ROUTES } from "./reports.ts";
import { UPLOAD_ROUTES } from "./upload/upload.ts";
import { WEBHOOK_ROUTES } from "./webhooks.ts";

export type Console = (event: H3Event) => Promise<HTTPResponse>;

/** Sent by the script of an open page: the CSRF token of that page. */
const LIVE_HEADER = "x-fiscal-live";

/** With a session: enough for the largest document, which has a thousand lines of a dozen fields. */
const FORM_LIMITS = { bytes: 524_288, fields: 12_000 };
const FILE_FORM_LIMITS = { ...FORM_LIMITS, bytes: FILE_FORM_BYTES_MAX };
/** Without one: a form that is kept until its sender has signed in again, or the sign-in itself. */
const KEPT_LIMITS = { bytes: 65_536, fields: 400 };

const ROUTES: readonly Route[] = [
  ...SIGN_IN_ROUTES,
  ...OVERVIEW_ROUTES,
  ...DOCUMENT_ROUTES,
  ...REPORT_ROUTES,
  ...MERCHANT_ROUTES,
  ...CUSTOMER_ROUTES,
  ...CONNECTION_ROUTES,
  ...WEBHOOK_ROUTES,
  ...KEY_ROUTES,
  ...LOG_ROUTES,
  ...UPLOAD_ROUTES,
];

const PATTERNS = ROUTES.map((route) => ({
  route,
  pattern: new RegExp(`^/console${route.path.replaceAll(/:(\w+)/g, "(?<$1>[0-9A-Za-z_-]{1,100})")}/?$`),
}));

interface FoundRoute {
  route: Route;
  params: Readonly<Record<string, string>>;
}

function findRoute(method: string, path: string): FoundRoute | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  for (const { route, pattern } of PATTERNS) {
    const found = route.method === wanted ? pattern.exec(path) : null;
    if (found !== null) return { route, params: { ...found.groups } };
  }
  return undefined;
}

export function createConsole(appliance: Appliance, windows: Windows): Console {
  const trusted = trustedNetworks(appliance.config.server.trustedProxies);
  return (event) => serve({ appliance, windows, trusted }, event);
}

async function serve(around: Surroundings, event: H3Event): Promise<HTTPResponse> {
  const context = beginResponse(around.appliance, event);
  const found = findRoute(event.req.method, event.url.pathname);
  const visitor = await arrive(around, event, context, found?.params ?? {});
  const visit = event.req.headers.get(LIVE_HEADER);
  const isLive = visit !== null;
  if (isLive && (visitor.mode === undefined || visit !== visitor.csrf)) return buildSessionEndedResponse();
  let reply: Reply;
  try {
    reply = await handleRequest(event, visitor, found);
    if (visitor.isPosted && visitor.mode !== undefined && found?.route.isQuery !== true)
      logAction(event, visitor, context, reply);
  } catch (error) {
    reply = pageForError(visitor, context.requestId, error);
  }
  if (reply.kind === "file") return buildFileResponse(reply);
  if (reply.kind === "redirect") return buildRedirect(context, reply, visitor.session);
  // Refreshes by the script leave the message for the next page that a person opens.
  const text = framePage(visitor, reply, isLive ? undefined : takeFlash(context, visitor.session));
  return buildPageResponse(context, text, reply);
}

/** Actions of the console are not in the request log, so they go to the program's log. */
function logAction(
  event: H3Event,
  { appliance, mode }: Visitor,
  { requestId }: ResponseContext,
  reply: Reply,
): void {
  // Paths contain ids, except for the sign-in, whose links are secrets.
  const path = event.url.pathname.replace(/^(\/console\/sign-in)\/.*/, "$1/…");
  const isDone = reply.kind !== "page" || (reply.status ?? 200) < 400;
  appliance.log.info({ request_id: requestId, mode, path, done: isDone }, "console action");
}

function pageForError(visitor: Visitor, requestId: string, error: unknown): Page {
  if (error instanceof AppError) return problemPage(visitor, error);
  visitor.appliance.log.error({ request_id: requestId, error: describeError(error) }, "console page failed");
  return unexpectedPage(requestId);
}

async function handleRequest(
  event: H3Event,
  visitor: Visitor,
  found: FoundRoute | undefined,
): Promise<Reply> {
  const { mode, session, windows } = visitor;
  const isPost = event.req.method === "POST";
  const window = await (session === undefined
    ? windows.count("pages", visitor.address)
    : windows.count("visits", session));
  if (window?.retryAfterSeconds !== undefined) return tooManyPage(window.retryAfterSeconds);
  const isOpen = found?.route.isOpen === true;
  const resumeAt = found?.route.resumeAt;
  const resumePath = resumeAt && pathTo(visitor, resumeAt);
  const isKept = visitor.hadSession && resumePath !== undefined;
  if (mode === undefined && !isOpen && (!isPost || !isKept))
    return isPost ? sessionOverPage(visitor) : { kind: "redirect", to: "/console/sign-in" };
  if (visitor.isReadOnly && !isOpen && (isPost || found?.route.isForm === true))
    return refusalPage(TEXTS.readOnly, TEXTS.readOnlyNote);
  if (found === undefined) return notFoundPage();
  if (isPost && found.route.isSecretLink !== true) {
    const refused = refusalPage(TEXTS.formRefused, TEXTS.formRefusedNote);
    const form = await readOwnForm(event, found.route, mode !== undefined);
    if (form === "too_large") return sessionOverPage(visitor);
    if (form === undefined) return refused;
    // Pages without sign-in may have been shown before this browser signed in, with the token of a visitor.
    const takesOpen = isOpen || resumePath === event.url.pathname;
    const isGenuine = hasToken(form.fields, takesOpen ? [visitor.csrf, visitor.openCsrf] : [visitor.csrf]);
    if (resumePath !== undefined && (!isGenuine || mode === undefined))
      return keptFormPage(visitor, form, resumePath);
    if (!isGenuine) return refused;
    visitor.form = form.fields;
    visitor.file = form.file;
  }
  const { route } = found;
  if (route.isOpen === true) return route.handle(visitor);
  return route.handle({ ...visitor, mode: mode! });
}

/**
 * The form; undefined if another site sent it, and `too_large` if it cannot be kept until its sender has signed in. Throws
 * `payload_too_large` if the sender is signed in.
 */
async function readOwnForm(
  event: H3Event,
  { takesFile }: Route,
  isSignedIn: boolean,
): Promise<SentForm | "too_large" | undefined> {
  const limits = !isSignedIn ? KEPT_LIMITS : takesFile === true ? FILE_FORM_LIMITS : FORM_LIMITS;
  try {
    return await readForm(event, limits);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "unauthorized") return undefined;
    if (error.code !== "payload_too_large") throw error;
    if (!isSignedIn) return "too_large";
    throw takesFile === true
      ? new AppError("payload_too_large", TEXTS.uploadTooLarge, { cause: error })
      : error;
  }
}

function hasToken(form: ReadonlyMap<string, string>, tokens: readonly (string | undefined)[]): boolean {
  const given = form.get("csrf") ?? "";
  return tokens.some((token) => token !== undefined && equalsSecret(given, token));
}
