/** What the HTTP side of an exchange says, before a word of the body is weighed (mydata facts, part 1.4). Pure. */
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import { readRetryAfterMs } from "../../foundation/retry-after.ts";
import type {
  CredentialsRefusedOutcome,
  NotSentOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import type { HttpAnswer } from "../exchange.ts";
import { readRoot } from "./answers.ts";
import type { XmlElement } from "./xml.ts";

export type Reply =
  /** An answer of the application: its verdicts are inside. */
  | { kind: "read"; root: XmlElement }
  /** Refused for what the message is, before it was processed: nothing of it is registered. */
  | { kind: "message_refused"; error: ErrorObject }
  | NotSentOutcome
  | UnknownOutcome
  | CredentialsRefusedOutcome;

/** The message itself is at fault, or its size: sent in smaller parts, some of it may go through. */
const MESSAGE_REFUSED: ReadonlySet<number> = new Set([400, 413]);

/**
 * Answers of whatever stands before the application: a wrong address, method, type or header. All that reaches the application
 * is 200, business errors included, so that nothing is registered. 408 and 409 are not among them: what they say of the
 * message is not known.
 */
const NOT_PROCESSED: ReadonlySet<number> = new Set([404, 405, 406, 410, 411, 414, 415, 431]);

type Answered = Extract<HttpAnswer, { kind: "answered" }>;

/** Never throws. `nowMs` is for a `retry-after` that names an instant. */
export function judgeAnswer(answer: HttpAnswer, nowMs: number): Reply {
  if (answer.kind === "not_sent") return { kind: "not_sent", error: answer.error, connectionLost: true };
  if (answer.kind === "unanswered") return { kind: "unknown", error: answer.error };
  const { status } = answer;
  const pause = readRetryAfterMs(answer.headers["retry-after"], nowMs);
  const later = pause === undefined ? {} : { retryAfterMs: pause };
  if (status >= 200 && status < 300) return readBody(answer);
  // The authority's gateway says a used-up quota as 403 with the time when it is filled again: no verdict on the account.
  if (status === 429 || (status === 403 && pause !== undefined)) {
    const message = `The tax authority takes no further requests for now (HTTP ${status})`;
    return { kind: "not_sent", error: errorFrom(answer, "provider_unavailable", message), ...later };
  }
  if (status === 401 || status === 403) {
    const message = `The tax authority refuses the user id or the subscription key (HTTP ${status}); check them, and that they are of this environment`;
    return {
      kind: "credentials_refused",
      error: errorFrom(answer, "provider_credentials_invalid", message),
    };
  }
  if (MESSAGE_REFUSED.has(status)) {
    const message = `The tax authority did not take the message (HTTP ${status}); nothing of it is registered`;
    return { kind: "message_refused", error: errorFrom(answer, "provider_unavailable", message) };
  }
  if (NOT_PROCESSED.has(status)) {
    const message = `The tax authority takes no such request at the configured address (HTTP ${status}); check providers.registry_direct`;
    return { kind: "not_sent", error: errorFrom(answer, "provider_unavailable", message), ...later };
  }
  const message = `The tax authority answered with HTTP ${status}, which does not tell what became of the request`;
  return { kind: "unknown", error: buildErrorObject("provider_unavailable", message), ...later };
}

function readBody(answer: Answered): Reply {
  const root = readRoot(answer.body);
  if (root !== undefined) return { kind: "read", root };
  const message = "The tax authority's answer is empty or cannot be read";
  return { kind: "unknown", error: buildErrorObject("provider_unavailable", message) };
}

/** Messages of a gateway are a sentence; a page of HTML is no message. */
const TEXT_MAX = 1000;

/** With the words of the gateway: `{ "statusCode": 401, "message": "…" }`, or a plain sentence. */
function errorFrom(answer: Answered, code: ErrorCode, message: string): ErrorObject {
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
  try {
    return JSON.parse(text);
  } catch {
    // Plain text, a page, or nothing.
    return undefined;
  }
}
