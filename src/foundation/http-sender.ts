/**
 * Sends HTTP requests to providers, receivers of webhooks and the EU registry. It makes the distinction that matters for documents
 * once for all of them: if no connection could be made, certainly nothing arrived; after any later failure, the request may have.
 */
import type { Agent, Dispatcher } from "undici";
import type { Mode } from "../../storage/stored-values.ts";
import { BlockedAddressError, createGuardedConnector, createResolver } from "./guarded-connector.ts";
import { NoTurnError } from "./turns.ts";
import type { NetworkGuard } from "./network-guard.ts";

type ResponseBody = Dispatcher.ResponseData["body"];

export interface OutgoingRequest<Body> {
  method: "GET" | "POST" | "PUT" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body: string | null;
  /** For the whole exchange, from connecting to the last byte. */
  timeoutMs: number;
  /** Connects only to addresses that the guard allows in this mode. */
  guardedFor?: Mode | undefined;
  /** Reads the body of the response. If it throws, the exchange has failed. */
  read(body: ResponseBody): Promise<Body>;
}

/**
 * `stopped`: by the caller's signal, or because too many names are being resolved; `cut`: the connection ended; `malformed`: the request cannot be written; `unknown`: no failure of
 * a network; `connect`: any other.
 */
export type Failure =
  | ("dns" | "connect" | "tls" | "timeout" | "blocked")
  | ("stopped" | "cut" | "not_http" | "too_long" | "malformed" | "unknown");

export type HttpOutcome<Body> =
  /** Any status. Header names are in lower case. */
  | { kind: "answered"; status: number; headers: Record<string, string>; body: Body }
  /** Certainly nothing arrived unless `wasConnected`. */
  | { kind: "failed"; failure: Failure; wasConnected: boolean; cause: unknown };

export interface HttpSenderOptions {
  /** Longer than a handshake takes, but short enough to leave time for the response. A shorter timeout applies to connecting too. */
  connectMsMax: number;
  /** Concurrent connections per origin. */
  connections: number;
  /** For requests with `guardedFor`; loaded when one is sent. */
  guard?(): Promise<NetworkGuard>;
}

/** Shorter than servers usually wait: if the server closes a connection just as it is used, the outcome is unknown. */
const KEEP_ALIVE_MS = 4_000;

export function createHttpSender({ connectMsMax, connections, guard }: HttpSenderOptions) {
  /** By connect timeout, which undici sets per agent and no signal can shorten, and by guard. */
  const agents = new Map<string, Agent>();
  const resolver = createResolver();
  // Loaded on first use, because most commands send nothing. The promise is kept, because each import takes some microseconds.
  let loading: Promise<typeof import("undici")> | undefined;
  const load = () => (loading ??= import("undici"));

  async function agentOf(timeoutMs: number, mode: Mode | undefined): Promise<Agent> {
    const connectMs = Math.min(connectMsMax, timeoutMs);
    const key = `${connectMs} ${mode ?? ""}`;
    const known = agents.get(key);
    if (known !== undefined) return known;
    const { default: undici } = await load();
    const connector = { resolver, timeoutMs: connectMs };
    const agent = new undici.Agent({
      connect:
        mode === undefined
          ? { timeout: connectMs }
          : createGuardedConnector(undici.buildConnector, { ...connector, guard: await guard!(), mode }),
      connections,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    const first = agents.get(key) ?? agent;
    agents.set(key, first);
    return first;
  }

  return {
    /** Never throws. Does not follow redirects. */
    async send<Body>(asked: OutgoingRequest<Body>, signal: AbortSignal): Promise<HttpOutcome<Body>> {
      const { method, url, headers, body, timeoutMs, guardedFor, read } = asked;
      // One controller and one timer are cheaper than AbortSignal.any and AbortSignal.timeout.
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(new DOMException("late", "TimeoutError")), timeoutMs);
      const stop = () => ending.abort(signal.reason);
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop, { once: true });
      try {
        const dispatcher = await agentOf(timeoutMs, guardedFor);
        const { default: undici } = await load();
        const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
        const request = { dispatcher, method, headers, body, signal: ending.signal, ...timeouts };
        const response = await undici.request(url, request);
        return {
          kind: "answered",
          status: response.statusCode,
          headers: flatten(response.headers),
          body: await read(response.body),
        };
      } catch (cause) {
        const isStopped = signal.aborted && !isTimeout(signal.reason);
        const failure = isStopped || cause instanceof NoTurnError ? "stopped" : classify(cause);
        return { kind: "failed", failure, wasConnected: wasConnected(cause), cause };
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
      }
    },
    /** Closes the connections that are kept open. */
    async close(): Promise<void> {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Only Set-Cookie may come several times. */
function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name.toLowerCase()] = Array.isArray(value) ? value.join(", ") : value;
  }
  return flat;
}

/** The response is longer than anything that the server should send. */
class TooLongError extends Error {
  override readonly name = "TooLongError";
}

/** Reads the body. One that exceeds the limit is not read further, and its connection is closed. */
export async function readUpTo(body: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer<ArrayBuffer>> {
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

/** By the error's code. Certificates and OpenSSL's errors about a peer that does not speak TLS come last. */
const FAILURES: readonly (readonly [codes: RegExp, failure: Failure])[] = [
  [/^(ENOTFOUND|EAI_AGAIN)$/, "dns"],
  [/^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/, "timeout"],
  [/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/, "cut"],
  [/^(UND_ERR_INVALID_ARG|ERR_INVALID_URL)$/, "malformed"],
  [/CERT|SIGNATURE|SELF_SIGNED|^ERR_SSL|^ERR_TLS|^EPROTO$/, "tls"],
];

function classify(cause: unknown): Failure {
  if (cause instanceof BlockedAddressError) return "blocked";
  if (cause instanceof TooLongError) return "too_long";
  // Several addresses were tried; the first error is representative.
  if (cause instanceof AggregateError) return classify(cause.errors[0]);
  if (!(cause instanceof Error)) return "unknown";
  if (isTimeout(cause)) return "timeout";
  // The response is not HTTP; undici 8.12 throws this without a code for some faults.
  if (cause.name === "HTTPParserError") return "not_http";
  const { code } = cause as { code?: unknown };
  if (typeof code !== "string") return "unknown";
  return FAILURES.find(([codes]) => codes.test(code))?.[1] ?? "connect";
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && cause.name === "TimeoutError";
}

/**
 * Codes that occur only before a byte of the request has left. System codes are not among them: an established
 * connection can end with EHOSTUNREACH just like one being made, and only `syscall` tells them apart.
 */
const BEFORE_CONNECTING: ReadonlySet<unknown> = new Set([
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  // The request itself is invalid, such as a header that cannot be written: undici sends nothing of it.
  "UND_ERR_INVALID_ARG",
  "ERR_INVALID_URL",
]);

function wasConnected(cause: unknown): boolean {
  if (cause instanceof BlockedAddressError || cause instanceof NoTurnError) return false;
  const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
  if (syscall === "connect" || syscall === "getaddrinfo" || code === "EAI_AGAIN") return false;
  // Several addresses were tried (happy eyeballs), and every one failed while connecting.
  if (cause instanceof AggregateError) return cause.errors.some(wasConnected);
  return !BEFORE_CONNECTING.has(code);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** Milliseconds from `nowMs`, for seconds or an HTTP date; undefined for anything else. A past date means now. */
export function readRetryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^[0-9]{1,9}$/.test(text)) return Number(text) * 1000;
  const instant = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - nowMs);
}
