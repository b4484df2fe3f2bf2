/** Identifies the visitor of a request: session, language, merchant and CSRF token. */
import { hash, randomBytes } from "node:crypto";
import { type H3Event, parseCookies } from "h3";
import type { Appliance } from "../../../src/appliance.ts";
import { findConsoleSession } from "../../../src/console/sign-in.ts";
import { unlessNotFound } from "../../../src/foundation/errors.ts";
import { isHeld } from "../../../src/journal/held.ts";
import { getMerchant, listMerchants } from "../../../src/merchants/merchants.ts";
import { cookieNames, type ResponseContext, setOwnCookie } from "./page-responses.ts";
import { isCrossSite } from "../form.ts";
import { isLanguage, preferredLanguage } from "../language.ts";
import type { Visitor } from "./visit.ts";
import type { Windows } from "../../limits.ts";
import { clientAddressOf, type Trust } from "../../peer.ts";

const VISITOR_BYTES = 16;
const VISITOR_FORM = /^[0-9A-Za-z_-]{22}$/;
const VISITOR_SECONDS = 86_400;

/** The response context that does not depend on the visitor. */
export function beginResponse(appliance: Appliance, event: H3Event): ResponseContext {
  const forwarded = event.req.headers.get("x-forwarded-proto");
  return {
    appliance,
    event,
    requestId: event.res.headers.get("x-request-id")!,
    // A client that forges the header only makes its own cookies stricter.
    isHttps: appliance.publicUrl().startsWith("https:") || forwarded?.startsWith("https") === true,
    names: cookieNames(appliance.config.server.publicUrl, event.url),
  };
}

/** The secret behind the CSRF token of a visitor who is not signed in: a cookie set with their first page. */
function visitorSecret(known: string, context: ResponseContext): string {
  const { event, names } = context;
  if (VISITOR_FORM.test(known)) return known;
  const fresh = randomBytes(VISITOR_BYTES).toString("base64url");
  // Other sites' forms come without the cookie, which must not be replaced for that.
  if (event.req.method === "GET" || !isCrossSite(event))
    setOwnCookie(context, names.visitor, fresh, VISITOR_SECONDS);
  return fresh;
}

function formToken(secret: string): string {
  return hash("sha256", `form ${secret}`, "base64url");
}

export interface Surroundings {
  appliance: Appliance;
  windows: Windows;
  trusted: Trust;
}

/** Identifies the visitor. Adds the cookies they need to the response. */
export async function arrive(
  { appliance, windows, trusted }: Surroundings,
  event: H3Event,
  context: ResponseContext,
  params: Visitor["params"],
): Promise<Visitor> {
  const { headers } = event.req;
  const { names } = context;
  const cookies = parseCookies(event);
  const token = cookies[names.session];
  const found = token === undefined ? undefined : await findConsoleSession(appliance, token);
  const session = found === "over" ? undefined : found;
  const chosen = cookies[names.language];
  const language = isLanguage(chosen) ? chosen : preferredLanguage(headers.get("accept-language"));
  const visitorCookie = cookies[names.visitor] ?? "";
  const secret = session === undefined ? visitorSecret(visitorCookie, context) : token!;
  return {
    appliance,
    language,
    params,
    query: event.url.searchParams,
    form: new Map(),
    here: event.url.pathname + event.url.search,
    isPosted: event.req.method === "POST",
    csrf: formToken(secret),
    openCsrf: VISITOR_FORM.test(visitorCookie) ? formToken(visitorCookie) : undefined,
    mode: session?.mode,
    isReadOnly: session?.isReadOnly === true,
    session: session === undefined ? undefined : token,
    hadSession: found === "over",
    ...(await merchantsOf(appliance, session, cookies[names.merchant])),
    isHeld: await isHeld(appliance.store.read),
    windows,
    address: clientAddressOf(event, trusted),
  };
}

/** Limits the menu; any other merchant is chosen on its page. */
const MERCHANTS_OFFERED_MAX = 100;

async function merchantsOf(
  appliance: Appliance,
  session: object | undefined,
  chosen: string | undefined,
): Promise<Pick<Visitor, "merchant" | "merchants">> {
  if (session === undefined) return { merchant: undefined, merchants: [] };
  const { data } = await listMerchants(appliance, { archived: false, limit: MERCHANTS_OFFERED_MAX });
  const known = data.length === 1 ? data[0] : data.find(({ id }) => id === chosen);
  if (known !== undefined || chosen === undefined) return { merchant: known, merchants: data };
  // Undefined also for a cookie of another appliance.
  const other = await unlessNotFound(getMerchant(appliance, chosen));
  return other === undefined
    ? { merchant: undefined, merchants: data }
    : { merchant: other, merchants: [...data, other] };
}
