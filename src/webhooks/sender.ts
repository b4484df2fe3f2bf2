/** One POST to a receiver, through the network guard, and what became of it. Decides nothing. */
import type { LookupAddress } from "node:dns";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import type { Agent, buildConnector, Dispatcher } from "undici";
import type { Mode } from "../../storage/stored-values.ts";
import type { NetworkGuard } from "./network-guard.ts";
import { createResolver, type Resolver } from "./resolver.ts";
import { BlockedAddressError, type Trouble, troubleOf } from "./delivery-errors.ts";

export interface Post {
  mode: Mode;
  url: string;
  headers: Record<string, string>;
  body: string;
}

export type PostAnswer =
  | { kind: "answered"; status: number; retryAfter: string | undefined; response: string | null }
  | { kind: "unanswered"; trouble: Trouble; message: string }
  /** Cut by us: nobody knows what became of it. */
  | { kind: "stopped" };

export interface Sender {
  /** Never throws for what a network or a receiver can do. Follows no redirect. */
  post(post: Post, stopping: AbortSignal): Promise<PostAnswer>;
  /** Drops the connections that are kept open. */
  close(): Promise<void>;
}

export interface SenderOptions {
  guard: NetworkGuard;
  /** For the whole exchange. */
  timeoutMs: number;
  /** To one origin at the same time. */
  connections: number;
}

/** decisions 10: 5 s of the timeout are for connecting. */
const CONNECT_MS = 5_000;
/** decisions 10: what is kept of an answer. */
const RESPONSE_BYTES_MAX = 4096;
/** For what follows the head: the status is the verdict, and the rest is only kept for people. */
const RESPONSE_MS = 1_000;
/** RFC 9110, section 15: what is higher is no status. */
const STATUS_MAX = 599;
/** Shorter than servers usually wait: a connection that they close as we use it costs an attempt. */
const KEEP_ALIVE_MS = 4_000;

export function createSender(options: SenderOptions): Sender {
  const { timeoutMs } = options;
  const agents = new Map<Mode, Agent>();
  const resolver = createResolver();

  /** One for each mode: a connection that a test endpoint may have is none for a live one. */
  async function agentOf(mode: Mode): Promise<Agent> {
    const { default: undici } = await import("undici");
    const known = agents.get(mode);
    if (known !== undefined) return known;
    const agent = new undici.Agent({
      connect: guarded(undici.buildConnector, options, resolver, mode),
      connections: options.connections,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    agents.set(mode, agent);
    return agent;
  }

  async function request({ mode, url, headers, body }: Post, signal: AbortSignal) {
    const { default: undici } = await import("undici");
    const dispatcher = await agentOf(mode);
    return undici.request(url, { dispatcher, method: "POST", headers, body, signal });
  }

  return {
    async post(post, stopping) {
      if (stopping.aborted) return { kind: "stopped" };
      // One controller and one timer: AbortSignal.any and AbortSignal.timeout cost more. undici does not heed the signal
      // while it connects, so the end is waited for beside the exchange.
      const ending = new AbortController();
      const timer = setTimeout(() => ending.abort(new DOMException("late", "TimeoutError")), timeoutMs);
      const stop = () => ending.abort();
      stopping.addEventListener("abort", stop, { once: true });
      const ended = new Promise<never>((_resolve, reject) => {
        ending.signal.addEventListener("abort", () => reject(ending.signal.reason), { once: true });
      });
      try {
        // From the head on it is an answer, whatever becomes of the rest.
        return await readAnswer(await Promise.race([request(post, ending.signal), ended]));
      } catch (error) {
        if (stopping.aborted && error === ending.signal.reason) return { kind: "stopped" };
        const trouble = troubleOf(error);
        const message = error instanceof BlockedAddressError ? error.message : describe(trouble, timeoutMs);
        return { kind: "unanswered", trouble, message };
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

/** Fixed sentences: what a network says may hold anything. */
function describe(trouble: Trouble, timeoutMs: number): string {
  switch (trouble) {
    case "dns":
      return "The name of the host could not be resolved";
    case "connect":
      return "The connection could not be made, or ended before the answer";
    case "tls":
      return "The certificate is not trusted, or TLS could not be agreed on";
    case "timeout":
      return `No answer within ${timeoutMs / 1000} s, ${Math.min(CONNECT_MS, timeoutMs) / 1000} s of them to connect`;
    case "blocked":
      return "The address may not be delivered to";
  }
}

async function readAnswer({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<PostAnswer> {
  const response = await readBeginning(body);
  if (statusCode > STATUS_MAX)
    return { kind: "unanswered", trouble: "connect", message: "The answer has no status of HTTP" };
  const retryAfter = headers["retry-after"];
  return {
    kind: "answered",
    status: statusCode,
    retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
    response,
  };
}

/** At most 4 KiB of what comes within a second, as text; null where nothing does. */
async function readBeginning(body: Dispatcher.ResponseData["body"]): Promise<string | null> {
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
    // What came before the cut is kept.
  } finally {
    clearTimeout(timer);
  }
  if (size === 0) return null;
  const bytes = Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX);
  return new TextDecoder("utf-8").decode(bytes).replace(/\uFFFD+$/, "");
}

function noAddress(): NodeJS.ErrnoException {
  return Object.assign(new Error("The host has no address"), { code: "ENOTFOUND" });
}

type BuildConnector = typeof buildConnector;

/** undici's connector, which connects to no address that the guard refuses, whatever a name resolves to at that moment. */
function guarded(
  build: BuildConnector,
  { guard, timeoutMs }: SenderOptions,
  resolver: Resolver,
  mode: Mode,
): ReturnType<BuildConnector> {
  const addressesOf = callbackify(async (hostname: string): Promise<LookupAddress[]> => {
    const addresses = await resolver.resolve(hostname);
    const refusal = firstRefusal(addresses);
    if (refusal !== undefined) throw refusal;
    return addresses;
  });
  const lookup: LookupFunction = (hostname, options, done) => {
    addressesOf(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) done(error, "", 0);
      else if (options.all === true) done(null, addresses);
      else if (first === undefined) done(noAddress(), "", 0);
      else done(null, first.address, first.family);
    });
  };
  function firstRefusal(addresses: readonly LookupAddress[]): BlockedAddressError | undefined {
    for (const { address } of addresses) {
      const because = guard.refusal(address, mode);
      if (because !== undefined) return new BlockedAddressError(because);
    }
    return undefined;
  }
  const connect = build({ timeout: Math.min(CONNECT_MS, timeoutMs), lookup });
  return (options, done) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    // An address in place of a name is not looked up.
    const literal = isIP(host) === 0 ? undefined : guard.refusal(host, mode);
    if (literal !== undefined) return done(new BlockedAddressError(literal), null);
    connect(options, (...[error, socket]: [Error, null] | [null, Socket]) => {
      if (error !== null) return done(error, null);
      const peer = socket.remoteAddress;
      const refusal = peer === undefined ? undefined : guard.refusal(peer, mode);
      if (refusal === undefined) return done(null, socket as never);
      socket.destroy();
      done(new BlockedAddressError(refusal), null);
    });
  };
}
