/** What is known of a request before its page is asked: who comes, what they speak, what their forms must carry. */
import { hash, randomBytes } from "node:crypto";
import type { H3Event } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import { findConsoleSession } from "../../../src/console/sign-in.ts";
import { isHeld } from "../../../src/journal/held.ts";
import { requestIdOf } from "../../request.ts";
import type { Answering } from "./answers.ts";
import { cookieNames, readCookies, setCookie } from "./cookies.ts";
import type { SignInGuard } from "./guard.ts";
import { isLanguage, preferredLanguage } from "../language.ts";
import { speak } from "./language.ts";
import type { Visitor } from "./visit.ts";

const VISITOR_BYTES = 16;
const VISITOR_FORM = /^[0-9A-Za-z_-]{22}$/;
const VISITOR_SECONDS = 86_400;

/** How a request is answered, whoever it is from. */
export function beginAnswer(appliance: Appliance, event: H3Event): Answering {
  const { headers } = event.req;
  const forwarded = headers.get("x-forwarded-proto");
  return {
    requestId: requestIdOf(headers, appliance.config.server.platformRequestIdHeader),
    // Whoever claims it without a proxy only makes their own cookies stricter.
    isHttps: appliance.publicUrl().startsWith("https:") || forwarded?.startsWith("https") === true,
    names: cookieNames(appliance.config.server.publicUrl, event.url),
    cookies: [],
  };
}

/** What the token of a form is made of for somebody who is not signed in: a cookie of their own, made with their first page. */
function visitorSecret(
  cookies: ReadonlyMap<string, string>,
  { isHttps, names, cookies: set }: Answering,
  event: H3Event,
): string {
  const known = cookies.get(names.visitor) ?? "";
  if (VISITOR_FORM.test(known)) return known;
  const fresh = randomBytes(VISITOR_BYTES).toString("base64url");
  if (event.req.method === "GET")
    set.push(setCookie(names.visitor, fresh, { isHttps, maxAgeSeconds: VISITOR_SECONDS }));
  return fresh;
}

function formToken(secret: string): string {
  return hash("sha256", `form ${secret}`, "base64url");
}

/** Who comes. Cookies that they need are added to `answering`. */
export async function arrive(
  { appliance, guard }: { appliance: Appliance; guard: SignInGuard },
  event: H3Event,
  answering: Answering,
  params: Visitor["params"],
): Promise<Visitor> {
  const { headers } = event.req;
  const { names } = answering;
  const cookies = readCookies(headers.get("cookie"));
  const token = cookies.get(names.session);
  const session = token === undefined ? undefined : await findConsoleSession(appliance, token);
  const chosen = cookies.get(names.language);
  const language = isLanguage(chosen) ? chosen : preferredLanguage(headers.get("accept-language"));
  const visitorCookie = cookies.get(names.visitor) ?? "";
  const secret = session === undefined ? visitorSecret(cookies, answering, event) : token!;
  return {
    appliance,
    language,
    say: speak(language),
    params,
    query: event.url.searchParams,
    form: new Map(),
    here: event.url.pathname + event.url.search,
    isPosted: event.req.method === "POST",
    csrf: formToken(secret),
    openCsrf: VISITOR_FORM.test(visitorCookie) ? formToken(visitorCookie) : undefined,
    mode: session?.mode,
    session: session === undefined ? undefined : token,
    isHeld: await isHeld(appliance.store.read),
    attempts: guard.of(event),
  };
}
