/**
 * Sends requests to the authority's REST API, assigns each exchange to the documents it carried, and classifies the replies by their HTTP
 * status (docs/authority.md#http-status) before their bodies are interpreted.
 */
import { tryParseJson } from "../../foundation/json.ts";
import type { CallContext, CallRecorder, FailedQuery } from "../../domain/provider-adapter.ts";
import { baseUrlOf, type ClientOptions, type HttpAnswer, unknown } from "../exchange.ts";
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import { joinTexts, sameInBoth, type Text } from "../../foundation/text.ts";
import { readRetryAfterMs } from "../../foundation/http-sender.ts";
import type { XmlElement } from "./answers.ts";
import { UNCLEAR } from "./outcome.ts";

/** The methods that only read. */
export type ListMethod = "RequestTransmittedDocs" | "RequestDocs" | "RequestVatInfo";

export interface ClientRequest {
  method: "SendInvoices" | "CancelInvoice" | ListMethod;
  query?: Readonly<Record<string, string>>;
  /** XML; null if the method takes none. */
  body?: string | null;
}

/** One call, whose requests are sent as its account. */
export interface Session {
  readonly call: CallContext;
  /** Never throws for anything the network or the authority does. */
  send(recorder: CallRecorder, request: ClientRequest): Promise<Reply>;
}

/** A page with five thousand documents is about 10 MB; without it, a document that was lost could not be looked up. */
const LISTING_BYTES_MAX = 16 * 1024 * 1024;

/** Both environments use the same headers, with different keys (docs/authority.md#headers). */
function headersOf(call: CallContext): Record<string, string> {
  const { user_id: userId, subscription_key: key } = call.credentials ?? {};
  if (userId === undefined || key === undefined) {
    throw new Error("The credentials of a connection to registry_direct are not of its form");
  }
  return { "aade-user-id": userId, "ocp-apim-subscription-key": key };
}

export function openSession(options: ClientOptions, call: CallContext): Session {
  const timeoutMs = options.timeoutSeconds * 1000;
  return {
    call,
    async send(recorder, { method, query = {}, body = null }) {
      const base = baseUrlOf(options, call.mode);
      const parameters = new URLSearchParams(query).toString();
      const url = `${base}/${method}${parameters === "" ? "" : `?${parameters}`}`;
      // No Accept header: with one the authority wraps its responses in a text element
      // (docs/authority.md#string-wrapper).
      const headers = {
        ...headersOf(call),
        ...(body === null ? {} : { "content-type": "application/xml" }),
      };
      const isList = method.startsWith("Request");
      const long = isList ? { answerBytesMax: LISTING_BYTES_MAX } : {};
      const request = { method: isList ? "GET" : "POST", url, headers, body, timeoutMs, ...long } as const;
      return classifyResponse(await options.exchange.send(recorder, request, call.signal), call.nowMs());
    },
  };
}

/** Records an exchange that is assigned to documents once the response is known. */
export interface Tape extends CallRecorder {
  playTo(recorder: CallRecorder): void;
}

export function createTape(): Tape {
  const steps: ((recorder: CallRecorder) => void)[] = [];
  return {
    request: (sent) => void steps.push((recorder) => recorder.request(sent)),
    response: (received) => void steps.push((recorder) => recorder.response(received)),
    failed: (cause) => void steps.push((recorder) => recorder.failed(cause)),
    playTo(recorder) {
      for (const step of steps) step(recorder);
    },
  };
}

/** Records the exchange of the documents at `places`, of which there is at least one. */
export function recorderFor(call: CallContext, places: readonly number[]): CallRecorder {
  const [first = 0, ...others] = places;
  return places.includes(0) ? call.evidence : call.evidenceOf(first, ...others);
}

/** Records that the document at `place` was in no exchange, so that it does not share the others' evidence. */
export function recordNoExchange(call: CallContext, place: number): void {
  call.evidenceOf(place);
}

export type Reply =
  /** The application answered; its verdicts are in the body. */
  | { kind: "read"; root: XmlElement }
  /** Refused for its form before it was processed: nothing was registered. */
  | { kind: "message_refused"; error: ErrorObject }
  | FailedQuery;

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
  const unavailable = (meaning: Text) => errorFrom(answer, "provider_unavailable", meaning);
  // The gateway reports an exhausted quota as 403 with the time of its renewal, which says nothing about the
  // account.
  if (status === 429 || (isRefusal && pause !== undefined))
    return { kind: "not_sent", error: unavailable(NO_MORE_REQUESTS), ...later };
  if (status === 401 || isRefusal)
    return {
      kind: "credentials_refused",
      error: errorFrom(answer, "provider_credentials_invalid", ACCOUNT_REFUSED),
    };
  if (status === TOO_LARGE) return { kind: "message_refused", error: unavailable(MESSAGE_REFUSED) };
  if (NOT_PROCESSED.has(status)) return { kind: "not_sent", error: unavailable(WRONG_ADDRESS), ...later };
  return { kind: "unknown", error: unavailable(UNCLEAR), ...later };
}

const NO_MORE_REQUESTS: Text = {
  en: "The tax authority accepts no more requests for now",
  el: "Η ΑΑΔΕ δεν δέχεται άλλα αιτήματα προς το παρόν",
};
const ACCOUNT_REFUSED: Text = {
  en: "The tax authority refuses the user id or the subscription key; check them, and that they belong to this environment",
  el: "Η ΑΑΔΕ δεν δέχεται το όνομα χρήστη ή το κλειδί· ελέγξτε τα, και ότι είναι αυτού του περιβάλλοντος",
};
const MESSAGE_REFUSED: Text = {
  en: "The tax authority did not accept the message; nothing was registered",
  el: "Η ΑΑΔΕ δεν δέχτηκε το μήνυμα· δεν καταχωρίστηκε τίποτα",
};
const WRONG_ADDRESS: Text = {
  en: "The tax authority does not accept such requests at the configured address; check providers.registry_direct",
  el: "Η ΑΑΔΕ δεν δέχεται τέτοια αιτήματα στη διεύθυνση των ρυθμίσεων· ελέγξτε το providers.registry_direct",
};

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
  return root === undefined ? unknown(UNCLEAR) : { kind: "read", root };
}

/** Gateway messages are one sentence; a page of HTML is not a message. */
const TEXT_MAX = 1000;
const JSON_LENGTH_MAX = 65_536;

/** With the status, and the gateway's own message: `{ "statusCode": 401, "message": "…" }`, or a plain sentence. */
function errorFrom(answer: Answered, code: ErrorCode, meaning: Text): ErrorObject {
  const provider_code = String(answer.status);
  const message = joinTexts([meaning, sameInBoth(`(HTTP ${provider_code})`)], " ");
  const body = answer.body.trim();
  const parsed = parseJson(body);
  if (typeof parsed === "object" && parsed !== null) {
    const { message: words } = parsed as { message?: unknown };
    const provider_message = typeof words === "string" && words !== "" ? words : null;
    return buildErrorObject(code, message, { provider_code, provider_message, provider_raw: parsed });
  }
  const isSentence = body !== "" && body.length <= TEXT_MAX && !body.startsWith("<");
  return buildErrorObject(code, message, { provider_code, provider_message: isSentence ? body : null });
}

/** Parsing megabytes would hold up everything else, and no message of the gateway is as long. */
function parseJson(text: string): unknown {
  return text.length > JSON_LENGTH_MAX ? undefined : tryParseJson(text);
}

const WRAPPER = "string";
const WRAPPERS_MAX = 2;

/** The root element of a response, without up to two `<string>` wrappers; undefined if it cannot be read. */
export async function readRoot(body: string): Promise<XmlElement | undefined> {
  let root = await readDocument(body);
  for (let depth = 0; depth < WRAPPERS_MAX && root?.name === WRAPPER; depth += 1) {
    root = await readDocument(root.text);
  }
  return root?.name === WRAPPER ? undefined : root;
}

/** Trimming also removes a byte order mark. */
async function readDocument(text: string): Promise<XmlElement | undefined> {
  const { readXml } = await import("./xml.ts");
  return readXml(text.trim());
}
