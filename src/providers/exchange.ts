/**
 * One HTTP exchange with a provider, recorded as evidence. It makes the distinction that matters for documents once
 * for all adapters: if no connection could be made, certainly nothing was delivered; after any later failure, the
 * request may have arrived.
 */
import type { Agent } from "undici";
import type { Mode } from "../../storage/stored-values.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import { BlockedAddressError, createGuardedConnector } from "../foundation/guarded-connector.ts";
import type { NetworkGuard } from "../foundation/network-guard.ts";
import { createResolver } from "../foundation/resolver.ts";
import type { Text } from "../foundation/text.ts";
import type { CallRecorder } from "../domain/provider-adapter.ts";

export interface HttpRequest {
  method: "GET" | "POST" | "PUT" | "DELETE";
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

/**
 * Longer than any handshake takes, but short enough to leave time for the response. A shorter timeout applies to
 * connecting too.
 */
const CONNECT_MS_MAX = 10_000;
/** The response to a message of fifty documents is about 50 KB. Parsing this much takes a fraction of a second. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const CONNECTIONS_MAX = 32;
/** Shorter than servers usually wait: if the server closes a connection just as it is used, the outcome is unknown. */
const KEEP_ALIVE_MS = 4_000;

export function createExchange(): Exchange {
  /** By connect timeout, which undici sets per agent and no signal can shorten, and by guard. */
  const agents = new Map<string, Agent>();
  const resolver = createResolver();

  async function agentOf(connectMs: number, mode: Mode | undefined): Promise<Agent> {
    // Loaded on first use, because most commands exchange nothing.
    const { default: undici } = await import("undici");
    const guard = mode === undefined ? undefined : await loadGuard();
    const kind = `${connectMs} ${mode ?? ""}`;
    const agent =
      agents.get(kind) ??
      new undici.Agent({
        connect:
          guard === undefined || mode === undefined
            ? { timeout: connectMs }
            : createGuardedConnector(undici.buildConnector, { guard, mode, resolver, timeoutMs: connectMs }),
        connections: CONNECTIONS_MAX,
        keepAliveTimeout: KEEP_ALIVE_MS,
      });
    agents.set(kind, agent);
    return agent;
  }

  return {
    async send(recorder, request, signal) {
      const { default: undici } = await import("undici");
      const { method, url, headers, body, timeoutMs } = request;
      const agent = await agentOf(Math.min(CONNECT_MS_MAX, timeoutMs), request.guardedFor);
      recorder.request({ method, url, headers, body });
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const response = await undici.request(url, {
          dispatcher: agent,
          method,
          headers,
          body,
          headersTimeout: timeoutMs,
          bodyTimeout: timeoutMs,
          signal: AbortSignal.any([signal, deadline]),
        });
        const bytes = await readUpTo(response.body, request.answerBytesMax ?? ANSWER_BYTES_MAX);
        const text = bytes.toString("utf8");
        const received = flatten(response.headers);
        recorder.response({
          status: response.statusCode,
          headers: received,
          body: isText(received) ? text : `[${bytes.byteLength} bytes that are not text]`,
        });
        return { kind: "answered", status: response.statusCode, headers: received, body: text, bytes };
      } catch (cause) {
        recorder.failed(new Error(describe(cause, signal)));
        return wasConnected(cause) ? unanswered(cause, signal) : notSent(cause);
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

async function loadGuard(): Promise<NetworkGuard> {
  const { createNetworkGuard } = await import("../foundation/network-guard.ts");
  return createNetworkGuard([]);
}

/** The response is longer than anything that the provider sends. */
class TooLongError extends Error {
  override readonly name = "TooLongError";
}

/** Reads the body. One that exceeds the limit is not read further, and its connection is closed. */
async function readUpTo(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    // Leaving the loop destroys the body.
    if (size > bytesMax) throw new TooLongError(`the answer is longer than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Only Set-Cookie may come several times. */
function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

function isText(headers: Record<string, string>): boolean {
  const type = headers["content-type"] ?? "text/plain";
  return /^text\/|json|xml|urlencoded|javascript/i.test(type);
}

/**
 * Codes that occur only before a byte of the request has left. System codes are not among them: an established
 * connection can end with EHOSTUNREACH just like one being made, and only `syscall` tells them apart.
 */
const BEFORE_CONNECTING: ReadonlySet<string> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Whether the request itself is invalid, such as a header that cannot be written: undici sends nothing of it. */
function isMalformed(cause: unknown): boolean {
  const { code } = cause as { code?: unknown };
  return code === "UND_ERR_INVALID_ARG" || code === "ERR_INVALID_URL";
}

function wasConnected(cause: unknown): boolean {
  if (isMalformed(cause)) return false;
  if (cause instanceof BlockedAddressError) return false;
  const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
  if (syscall === "connect" || syscall === "getaddrinfo") return false;
  // Several addresses were tried (happy eyeballs), and every one failed while connecting.
  if (cause instanceof AggregateError) return cause.errors.some(wasConnected);
  return !(typeof code === "string" && BEFORE_CONNECTING.has(code));
}

function describe(cause: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "stopped before the answer came";
  if (cause instanceof Error && cause.name === "TimeoutError") return "no whole answer within the timeout";
  if (cause instanceof AggregateError && cause.message === "") return describe(cause.errors[0], signal);
  return cause instanceof Error ? cause.message : String(cause);
}

const NOT_CONNECTED: Text = {
  en: "No connection to the provider could be made; nothing was sent",
  el: "Δεν έγινε σύνδεση με τον πάροχο· δεν στάλθηκε τίποτα",
};
const NOT_PUBLIC: Text = {
  en: "The provider's address is not a public one; nothing was sent",
  el: "Η διεύθυνση του παρόχου δεν είναι δημόσια· δεν στάλθηκε τίποτα",
};

function notSent(cause: unknown): HttpAnswer {
  const message = cause instanceof BlockedAddressError ? NOT_PUBLIC : NOT_CONNECTED;
  return { kind: "not_sent", error: buildErrorObject("provider_unavailable", message) };
}

const TOO_LONG: Text = {
  en: "The provider's answer is too long and was not read",
  el: "Η απάντηση του παρόχου είναι υπερβολικά μεγάλη και δεν διαβάστηκε",
};
const CUT_OFF: Text = {
  en: "The connection to the provider ended before its answer was complete",
  el: "Η σύνδεση με τον πάροχο διακόπηκε πριν ολοκληρωθεί η απάντηση",
};

function unanswered(cause: unknown, signal: AbortSignal): HttpAnswer {
  const isTimeout = cause instanceof Error && cause.name === "TimeoutError";
  const message = signal.aborted
    ? {
        en: "The program stopped before the provider answered",
        el: "Το πρόγραμμα σταμάτησε πριν απαντήσει ο πάροχος",
      }
    : isTimeout
      ? { en: "The provider did not answer in time", el: "Ο πάροχος δεν απάντησε εγκαίρως" }
      : cause instanceof TooLongError
        ? TOO_LONG
        : CUT_OFF;
  return { kind: "unanswered", error: buildErrorObject("provider_unavailable", message) };
}
