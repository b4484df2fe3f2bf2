/** One HTTP exchange with a provider, recorded as evidence, with the outcome in the words of documents. */
import type { Mode } from "../../storage/stored-values.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import { createHttpSender, type Failure, type OutgoingRequest, readUpTo } from "../foundation/http-sender.ts";
import type { Text } from "../foundation/text.ts";
import type { CallRecorder, NotSentOutcome, UnknownOutcome } from "../domain/provider-adapter.ts";

export interface HttpRequest {
  method: OutgoingRequest<unknown>["method"];
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** For the whole exchange, from connecting to the last byte. */
  timeoutMs: number;
  /** Connects only to public addresses, in `test` also to this machine: for an address that the provider chose. */
  guardedFor?: Mode;
  /** A larger response is not read to its end and counts as unanswered. Default: `ANSWER_BYTES_MAX`. */
  answerBytesMax?: number;
}

export type HttpAnswer =
  /** Any status. Header names are in lower case; `body` is `bytes` decoded as UTF-8. */
  | {
      kind: "answered";
      status: number;
      headers: Record<string, string>;
      body: string;
      bytes: Uint8Array;
    }
  /** No connection could be made: certainly nothing arrived. */
  | { kind: "not_sent"; error: ErrorObject }
  /** A timeout, a broken connection or an incomplete response: the request may have arrived. */
  | { kind: "unanswered"; error: ErrorObject };

export interface Exchange {
  /** Never throws for anything a network or a server does. Does not follow redirects. */
  send(recorder: CallRecorder, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
  /** Closes the connections that are kept open. */
  close(): Promise<void>;
}

const CONNECT_MS_MAX = 10_000;
/** The response to a message of fifty documents is about 50 KB. Parsing this much takes a fraction of a second. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const CONNECTIONS_MAX = 32;

export function createExchange(): Exchange {
  const http = createHttpSender({
    connectMsMax: CONNECT_MS_MAX,
    connections: CONNECTIONS_MAX,
    guard: async () => (await import("../foundation/network-guard.ts")).createNetworkGuard([]),
  });
  return {
    async send(recorder, request, signal) {
      const { answerBytesMax = ANSWER_BYTES_MAX, ...outgoing } = request;
      const { method, url, headers, body } = request;
      recorder.request({ method, url, headers, body });
      const read = (response: AsyncIterable<Buffer>) => readUpTo(response, answerBytesMax);
      const outcome = await http.send({ ...outgoing, read }, signal);
      if (outcome.kind === "failed") {
        const { failure, wasConnected, cause } = outcome;
        recorder.failed(new Error(describe(failure, cause)));
        return wasConnected ? { kind: "unanswered", error: unavailable(UNANSWERED) } : notConnected(failure);
      }
      const { status, headers: received, body: bytes } = outcome;
      const text = bytes.toString("utf8");
      const shown = isText(received) ? text : `[${bytes.byteLength} bytes that are not text]`;
      recorder.response({ status, headers: received, body: shown });
      return { kind: "answered", status, headers: received, body: text, bytes };
    },
    close: http.close,
  };
}

function isText(headers: Record<string, string>): boolean {
  const type = headers["content-type"] ?? "text/plain";
  return /^text\/|json|xml|urlencoded|javascript/i.test(type);
}

function describe(failure: Failure, cause: unknown): string {
  if (failure === "stopped") return "stopped before the answer came";
  if (cause instanceof AggregateError && cause.message === "") return describe(failure, cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return cause.name === "TimeoutError" ? "no whole answer within the timeout" : cause.message;
}

const NOT_CONNECTED: Text = {
  en: "No connection to the provider could be made; nothing was sent",
  el: "Δεν έγινε σύνδεση με τον πάροχο· δεν στάλθηκε τίποτα",
};
const NOT_PUBLIC: Text = {
  en: "The provider's address is not a public one; nothing was sent",
  el: "Η διεύθυνση του παρόχου δεν είναι δημόσια· δεν στάλθηκε τίποτα",
};

function notConnected(failure: Failure): HttpAnswer {
  return { kind: "not_sent", error: unavailable(failure === "blocked" ? NOT_PUBLIC : NOT_CONNECTED) };
}

const UNANSWERED: Text = {
  en: "The provider's answer did not arrive, or not all of it",
  el: "Η απάντηση του παρόχου δεν έφτασε, ή όχι ολόκληρη",
};

function unavailable(message: Text): ErrorObject {
  return buildErrorObject("provider_unavailable", message);
}

/** The settings of a provider that is called over HTTP. */
export interface ClientOptions {
  /** The addresses up to the method's name (docs/contract.md#provider-addresses). */
  testUrl: string;
  liveUrl: string;
  /** Per exchange. */
  timeoutSeconds: number;
  exchange: Exchange;
}

/** Without a slash at the end. */
export function baseUrlOf({ liveUrl, testUrl }: ClientOptions, mode: Mode): string {
  return (mode === "live" ? liveUrl : testUrl).replace(/\/+$/, "");
}

/** Only such links are shown to people and printed as QR codes. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** The outcome of a call that certainly registered nothing. */
export function notSent(message: Text): NotSentOutcome {
  return { kind: "not_sent", error: unavailable(message) };
}

/** The outcome of a call whose response does not show what happened. */
export function unknown(message: Text): UnknownOutcome {
  return { kind: "unknown", error: unavailable(message) };
}
