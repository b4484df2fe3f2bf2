/** Sends one POST to a receiver through the network guard, and returns the outcome without judging it. */
import type { Agent, Dispatcher } from "undici";
import type { Mode } from "../../storage/stored-values.ts";
import { BlockedAddressError, createGuardedConnector } from "../foundation/guarded-connector.ts";
import type { NetworkGuard } from "../foundation/network-guard.ts";
import { createResolver } from "../foundation/resolver.ts";
import { type NetworkFailure, classifyFailure } from "./delivery-errors.ts";

export interface Post {
  mode: Mode;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export type PostOutcome =
  | { kind: "answered"; status: number; retryAfter: string | undefined; response: string | null }
  | { kind: "unanswered"; failure: NetworkFailure; message: string }
  /** We cut it off, so the outcome is unknown. */
  | { kind: "stopped" };

export interface Sender {
  /** Never throws because of the network or the receiver. Follows no redirects. */
  post(post: Post, stopping: AbortSignal): Promise<PostOutcome>;
  /** Closes the open connections. */
  close(): Promise<void>;
}

export interface SenderOptions {
  guard: NetworkGuard;
  /** For the whole exchange. */
  timeoutMs: number;
  /** Concurrent connections per origin. */
  connections: number;
}

/** The part of the timeout for connecting (docs/contract.md#webhook-delivery). */
const CONNECT_MS = 5_000;
/** How much of a response body is stored. */
const RESPONSE_BYTES_MAX = 4096;
/** Time limit for the response body: only the status matters, the body is stored for people to read. */
const RESPONSE_MS = 1_000;
/** RFC 9110, section 15: higher numbers are not valid statuses. */
const STATUS_MAX = 599;
/** Shorter than usual for servers: a connection that the server closes while we use it costs an attempt. */
const KEEP_ALIVE_MS = 4_000;

export function createSender(options: SenderOptions): Sender {
  const { timeoutMs } = options;
  const agents = new Map<Mode, Agent>();
  const resolver = createResolver();
  // Loaded on first use, because most commands send nothing. The promise is kept, because each import takes some microseconds.
  let loading: Promise<typeof import("undici")> | undefined;
  const load = () => (loading ??= import("undici"));

  /** One agent per mode, because test endpoints may connect to addresses that live ones may not. */
  async function agentOf(mode: Mode): Promise<Agent> {
    const { default: undici } = await load();
    const known = agents.get(mode);
    if (known !== undefined) return known;
    const agent = new undici.Agent({
      connect: createGuardedConnector(undici.buildConnector, {
        guard: options.guard,
        mode,
        resolver,
        timeoutMs: Math.min(CONNECT_MS, timeoutMs),
      }),
      connections: options.connections,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    agents.set(mode, agent);
    return agent;
  }

  async function request({ mode, url, headers, body }: Post, signal: AbortSignal) {
    const { default: undici } = await load();
    const dispatcher = await agentOf(mode);
    return undici.request(url, { dispatcher, method: "POST", headers, body, signal });
  }

  return {
    async post(post, stopping) {
      if (stopping.aborted) return { kind: "stopped" };
      // One controller and one timer are cheaper than AbortSignal.any and AbortSignal.timeout. undici ignores the signal while
      // it connects, so the request is raced against it.
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(new DOMException("late", "TimeoutError")), timeoutMs);
      const stop = () => ending.abort();
      stopping.addEventListener("abort", stop, { once: true });
      const ended = new Promise<never>((_resolve, reject) => {
        ending.signal.addEventListener("abort", () => reject(ending.signal.reason), { once: true });
      });
      try {
        // Once the head has arrived it counts as a response, even if the body fails.
        return await readResponse(await Promise.race([request(post, ending.signal), ended]));
      } catch (error) {
        if (stopping.aborted && error === ending.signal.reason) return { kind: "stopped" };
        const failure = classifyFailure(error);
        const message =
          error instanceof BlockedAddressError ? error.message : describeFailure(failure, timeoutMs);
        return { kind: "unanswered", failure, message };
      } finally {
        clearTimeout(timer);
        stopping.removeEventListener("abort", stop);
      }
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Fixed sentences, because error messages from the network may contain anything. */
function describeFailure(failure: NetworkFailure, timeoutMs: number): string {
  switch (failure) {
    case "dns":
      return "The host name could not be resolved";
    case "connect":
      return "The connection failed, or ended before the response";
    case "tls":
      return "The certificate is not trusted, or the TLS handshake failed";
    case "timeout":
      return `No response within ${timeoutMs / 1000} s (${Math.min(CONNECT_MS, timeoutMs) / 1000} s to connect)`;
    case "blocked":
      return "Deliveries to this address are not allowed";
  }
}

async function readResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<PostOutcome> {
  const response = await readBodyStart(body);
  if (statusCode > STATUS_MAX)
    return { kind: "unanswered", failure: "connect", message: "The response has no valid HTTP status" };
  const retryAfter = headers["retry-after"];
  return {
    kind: "answered",
    status: statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    response,
  };
}

/** At most 4 KiB of what arrives within a second, as text; null if nothing arrives. */
async function readBodyStart(body: Dispatcher.ResponseData["body"]): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), RESPONSE_MS);
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= RESPONSE_BYTES_MAX) break;
    }
  } catch {
    // Keep what arrived before the connection broke.
  } finally {
    clearTimeout(timer);
  }
  if (size === 0) return null;
  const bytes = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX);
  return new TextDecoder("utf-8").decode(bytes).replace(/\uFFFD+$/, "");
}
