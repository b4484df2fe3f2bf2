/** Classifies the provider's HTTP replies before their content is interpreted. Pure. */
import { isObject, tryParseJson } from "../../foundation/json.ts";
import { readRetryAfterMs } from "../../foundation/http-sender.ts";
import type {
  CredentialsRefusedOutcome,
  FailedQuery,
  NotSentOutcome,
  RejectedOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import { type HttpAnswer, notSent } from "../exchange.ts";
import { errorOf, readRefusal, textOf, unclear } from "./refusals.ts";

/** A readable reply: JSON with a status below 500. Whether it is a refusal or an invoice is still open. */
export interface Readable {
  kind: "read";
  status: number;
  body: unknown;
}

export type Reply = Readable | FailedQuery;
type Answered = Extract<HttpAnswer, { kind: "answered" }>;

/** Whether the token or the account was refused: the request was certainly not processed. */
export function isUnauthorised(answer: HttpAnswer): boolean {
  return answer.kind === "answered" && answer.status === 401;
}

/** `nowMs` is for a `Retry-After` with a date. */
export function readAnswer(answer: HttpAnswer, nowMs: number): Reply {
  if (answer.kind === "not_sent") return { kind: "not_sent", error: answer.error };
  if (answer.kind === "unanswered") return { kind: "unknown", error: answer.error };
  const { status } = answer;
  const body = parsedOf(answer);
  if (status === 401) return credentialsRefused(body);
  if (status === 429) {
    const later = notSent({
      en: "The provider accepts no more requests for now; it will be asked again later",
      el: "Ο πάροχος δεν δέχεται άλλα αιτήματα προς το παρόν· θα ερωτηθεί ξανά αργότερα",
    });
    return { ...later, ...pauseOf(answer, nowMs) };
  }
  // An HTML page of a gateway says nothing about the account.
  if (status === 403 && body !== undefined) return credentialsRefused(body);
  if (isInconclusive(status) || body === undefined) return { ...unclear(), ...pauseOf(answer, nowMs) };
  return { kind: "read", status, body };
}

/** Redirects are not followed, 408 and 425 come from gateways, and a 5xx may come after the work was done. */
function isInconclusive(status: number): boolean {
  return status >= 500 || status < 200 || (status >= 300 && status < 400) || status === 408 || status === 425;
}

/** Objects and lists; undefined for anything else, such as HTML, nothing or truncated JSON. */
function parsedOf({ body }: Answered): unknown {
  const parsed = tryParseJson(body);
  return typeof parsed === "object" && parsed !== null ? parsed : undefined;
}

function credentialsRefused(body: unknown): CredentialsRefusedOutcome {
  const message = {
    en: "The provider refused the credentials of the connection; check them at the provider, then connect or verify again",
    el: "Ο πάροχος δεν δέχτηκε τα διαπιστευτήρια της σύνδεσης· ελέγξτε τα στον πάροχο και μετά συνδέστε ή επαληθεύστε ξανά",
  };
  const error = errorOf(readRefusal(body), "provider_credentials_invalid", message);
  return { kind: "credentials_refused", error };
}

function pauseOf(answer: Answered, nowMs: number): { retryAfterMs?: number } {
  const retryAfterMs = readRetryAfterMs(answer.headers["retry-after"], nowMs);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** Why a document was not sent. */
export type Unsent = RejectedOutcome | Exclude<FailedQuery, UnknownOutcome>;

/**
 * The failure of an exchange made before the document is sent: whatever happened to that exchange, the document was
 * not sent.
 */
export function beforeSending(trouble: FailedQuery): NotSentOutcome | CredentialsRefusedOutcome {
  if (trouble.kind !== "unknown") return trouble;
  const { error, retryAfterMs } = trouble;
  return { kind: "not_sent", error, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

export type LoginReading = { kind: "token"; token: string } | NotSentOutcome | CredentialsRefusedOutcome;

/** What a header can carry. */
const TOKEN_FORM = /^[\x21-\x7e]{1,8192}$/;
const PAGE = /^\s*</;

/**
 * Reads the reply to a login, `{data: {attributes: {jwt}}}`. The status of a refusal is not documented, so a readable
 * list of errors is one with any status, but `{error}` alone is not with 404, which a wrong address returns too. HTML
 * comes from a gateway and says nothing about the credentials.
 */
export function readLogin(answer: HttpAnswer, nowMs: number): LoginReading {
  if (isUnauthorised(answer) && answer.kind === "answered" && PAGE.test(answer.body)) return NO_LOGIN;
  const reply = readAnswer(answer, nowMs);
  if (reply.kind !== "read") return beforeSending(reply);
  const token = tokenOf(reply.body);
  if (token !== undefined && reply.status < 300) return { kind: "token", token };
  const refusal = readRefusal(reply.body);
  const isMissingAddress = reply.status === 404 && !(isObject(reply.body) && "errors" in reply.body);
  if (refusal !== undefined && !isMissingAddress) return credentialsRefused(reply.body);
  return NO_LOGIN;
}

const NO_LOGIN = notSent({
  en: "The provider's response to the login cannot be understood",
  el: "Η απάντηση του παρόχου στη σύνδεση δεν είναι κατανοητή",
});

function tokenOf(body: unknown): string | undefined {
  const data = isObject(body) ? body["data"] : undefined;
  const attributes = isObject(data) ? data["attributes"] : undefined;
  const token = isObject(attributes) ? textOf(attributes["jwt"]) : undefined;
  return token !== undefined && TOKEN_FORM.test(token) ? token : undefined;
}
