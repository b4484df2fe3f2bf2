/** Classifies a reply by its HTTP status, before its body is interpreted (docs/authority.md#http-status). Pure. */
import { unknown, type HttpAnswer } from "../exchange.ts";
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import { readRetryAfterMs } from "../../foundation/http-sender.ts";
import type {
  CredentialsRefusedOutcome,
  NotSentOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import { readRoot } from "./answers.ts";
import type { XmlElement } from "./xml.ts";

export type Reply =
  /** The application answered; its verdicts are in the body. */
  | { kind: "read"; root: XmlElement }
  /** Refused for its form before it was processed: nothing was registered. */
  | { kind: "message_refused"; error: ErrorObject }
  | NotSentOutcome
  | UnknownOutcome
  | CredentialsRefusedOutcome;

/** The message is too large. In smaller parts, it may be accepted. */
const TOO_LARGE = 413;

/**
 * Replies from the gateway in front of the application: wrong address, method, type or header. The application
 * always replies with 200, business errors included, so nothing was registered. 400, 408 and 409 are not listed: 400 is
 * its "General Exception Error", and none of them shows what happened to the message.
 */
const NOT_PROCESSED: ReadonlySet<number> = new Set([404, 405, 406, 410, 411, 414, 415, 431]);

type Answered = Extract<HttpAnswer, { kind: "answered" }>;

/** Never throws. `nowMs` is for a `retry-after` with a date. */
export async function classifyResponse(answer: HttpAnswer, nowMs: number): Promise<Reply> {
  if (answer.kind === "not_sent") return { kind: "not_sent", error: answer.error };
  if (answer.kind === "unanswered") return { kind: "unknown", error: answer.error };
  const { status } = answer;
  const pause = readRetryAfterMs(answer.headers["retry-after"], nowMs);
  const later = pause === undefined ? {} : { retryAfterMs: pause };
  if (status >= 200 && status < 300) return readBody(answer);
  const isRefusal = status === 403 && (await isAuthoritysOwn(answer.body));
  // The gateway reports an exhausted quota as 403 with the time of its renewal, which says nothing about the
  // account.
  if (status === 429 || (isRefusal && pause !== undefined)) {
    const message = {
      en: `The tax authority accepts no more requests for now (HTTP ${status})`,
      el: `Η ΑΑΔΕ δεν δέχεται άλλα αιτήματα προς το παρόν (HTTP ${status})`,
    };
    return { kind: "not_sent", error: errorFrom(answer, "provider_unavailable", message), ...later };
  }
  if (status === 401 || isRefusal) {
    const message = {
      en: `The tax authority refuses the user id or the subscription key (HTTP ${status}); check them, and that they belong to this environment`,
      el: `Η ΑΑΔΕ δεν δέχεται το όνομα χρήστη ή το κλειδί (HTTP ${status})· ελέγξτε τα, και ότι είναι αυτού του περιβάλλοντος`,
    };
    return {
      kind: "credentials_refused",
      error: errorFrom(answer, "provider_credentials_invalid", message),
    };
  }
  if (status === TOO_LARGE) {
    const message = {
      en: `The tax authority did not accept the message (HTTP ${status}); nothing was registered`,
      el: `Η ΑΑΔΕ δεν δέχτηκε το μήνυμα (HTTP ${status})· δεν καταχωρίστηκε τίποτα`,
    };
    return { kind: "message_refused", error: errorFrom(answer, "provider_unavailable", message) };
  }
  if (NOT_PROCESSED.has(status)) {
    const message = {
      en: `The tax authority does not accept such requests at the configured address (HTTP ${status}); check providers.registry_direct`,
      el: `Η ΑΑΔΕ δεν δέχεται τέτοια αιτήματα στη διεύθυνση των ρυθμίσεων (HTTP ${status})· ελέγξτε το providers.registry_direct`,
    };
    return { kind: "not_sent", error: errorFrom(answer, "provider_unavailable", message), ...later };
  }
  const message = {
    en: `The tax authority answered with HTTP ${status}, which does not show what happened to the request`,
    el: `Η ΑΑΔΕ απάντησε με HTTP ${status}, που δεν δείχνει τι έγινε με το αίτημα`,
  };
  return { kind: "unknown", error: errorFrom(answer, "provider_unavailable", message), ...later };
}

/** False for the page or the empty body of a proxy or firewall, which says nothing about the account or the request. */
async function isAuthoritysOwn(body: string): Promise<boolean> {
  const parsed = parseJson(body);
  const { statusCode, message } = (parsed ?? {}) as { statusCode?: unknown; message?: unknown };
  return (
    (typeof statusCode === "number" && typeof message === "string") ||
    (await readRoot(body))?.name === "ResponseDoc"
  );
}

async function readBody(answer: Answered): Promise<Reply> {
  const root = await readRoot(answer.body);
  if (root !== undefined) return { kind: "read", root };
  return unknown({
    en: "The tax authority's response is empty or cannot be read",
    el: "Η απάντηση της ΑΑΔΕ είναι κενή ή δεν διαβάζεται",
  });
}

/** Gateway messages are one sentence; a page of HTML is not a message. */
const TEXT_MAX = 1000;
const JSON_LENGTH_MAX = 65_536;

/** With the gateway's own message: `{ "statusCode": 401, "message": "…" }`, or a plain sentence. */
function errorFrom(answer: Answered, code: ErrorCode, message: Text): ErrorObject {
  const providerCode = String(answer.status);
  const body = answer.body.trim();
  const parsed = parseJson(body);
  if (typeof parsed === "object" && parsed !== null) {
    const { message: words } = parsed as { message?: unknown };
    const named = typeof words === "string" && words !== "" ? { providerMessage: words } : {};
    return buildErrorObject(code, message, { providerCode, ...named, providerRaw: parsed });
  }
  const isSentence = body !== "" && body.length <= TEXT_MAX && !body.startsWith("<");
  return buildErrorObject(code, message, { providerCode, ...(isSentence ? { providerMessage: body } : {}) });
}

function parseJson(text: string): unknown {
  // No message of the gateway's; parsing megabytes would hold up everything else.
  if (text.length > JSON_LENGTH_MAX) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Plain text, a page or nothing.
    return undefined;
  }
}
