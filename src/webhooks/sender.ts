/** Sends one POST to a receiver, and returns the outcome without judging it. */
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { Mode } from "../../storage/stored-values.ts";
import { createHttpSender, type Failure, type HttpOutcome } from "../foundation/http-sender.ts";
import { API_VERSION } from "../foundation/wire.ts";
import type { NetworkGuard } from "../foundation/network-guard.ts";
import type { FailureClass } from "./endpoint-object.ts";

type NetworkFailure = Exclude<FailureClass, "http">;

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

/** Any 2xx. */
export function isAccepted(outcome: PostOutcome): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}

export interface Sender {
  /** Never throws because of the network or the receiver. Follows no redirects. */
  post(post: Post, stopping: AbortSignal): Promise<PostOutcome>;
  close(): Promise<void>;
}

export interface SenderOptions {
  /** Without one, every address may be contacted. */
  guard?: NetworkGuard;
  /** For the whole exchange. */
  timeoutMs: number;
  /** Concurrent connections per origin. */
  connections: number;
}

/** The part of the timeout for connecting (docs/contract.md#webhook-delivery). */
const CONNECT_MS = 5_000;
const RESPONSE_BYTES_MAX = 4096;
/** Time limit for the response body: only the status matters, the body is stored for people to read. */
const RESPONSE_MS = 1_000;
/** RFC 9110, section 15: higher numbers are not valid statuses. */
const STATUS_MAX = 599;

const HEADERS = { "content-type": "application/json", "user-agent": `fiscal/${API_VERSION}` };

export function createSender({ guard, timeoutMs, connections }: SenderOptions): Sender {
  const http = createHttpSender({ connectMsMax: CONNECT_MS, connections, guard: async () => guard! });

  async function exchange({ mode, url, headers, body }: Post, stopping: AbortSignal): Promise<PostOutcome> {
    const request = { method: "POST", url, headers: { ...HEADERS, ...headers }, body, timeoutMs } as const;
    const guardedFor = guard === undefined ? undefined : mode;
    const outcome = await http.send({ ...request, guardedFor, read: readBodyStart }, stopping);
    if (outcome.kind === "answered") return readResponse(outcome);
    const { failure: reason, cause } = outcome;
    if (reason === "stopped") return { kind: "stopped" };
    const failure = CLASSES[reason];
    if (failure === undefined) throw cause;
    const isBlocked = failure === "blocked" && cause instanceof Error;
    return {
      kind: "unanswered",
      failure,
      message: isBlocked ? cause.message : describeFailure(failure, timeoutMs),
    };
  }

  return {
    async post(post, stopping) {
      let stop: () => void = () => undefined;
      // The connection that is being made does not end with the signal.
      const stopped = new Promise<PostOutcome>((resolve) => {
        stop = () => resolve({ kind: "stopped" });
      });
      if (stopping.aborted) return { kind: "stopped" };
      stopping.addEventListener("abort", stop, { once: true });
      try {
        return await Promise.race([exchange(post, stopping), stopped]);
      } finally {
        stopping.removeEventListener("abort", stop);
      }
    },
    close: http.close,
  };
}

/** The class that deliveries show; undefined for what is not about the network. */
const CLASSES: Readonly<Partial<Record<Failure, NetworkFailure>>> = {
  dns: "dns",
  connect: "connect",
  tls: "tls",
  timeout: "timeout",
  blocked: "blocked",
  cut: "connect",
  not_http: "connect",
  too_long: "connect",
};

/** Fixed sentences, because error messages from the network may contain anything. */
function describeFailure(failure: NetworkFailure, timeoutMs: number): string {
  const seconds = `${timeoutMs / 1000} s (${Math.min(CONNECT_MS, timeoutMs) / 1000} s to connect)`;
  const sentences: Readonly<Record<NetworkFailure, string>> = {
    dns: "The host name could not be resolved",
    connect: "The connection failed, or ended before the response",
    tls: "The certificate is not trusted, or the TLS handshake failed",
    timeout: `No response within ${seconds}`,
    blocked: "Deliveries to this address are not allowed",
  };
  return sentences[failure];
}

function readResponse({
  status,
  headers,
  body,
}: Extract<HttpOutcome<string | null>, { kind: "answered" }>): PostOutcome {
  if (status > STATUS_MAX)
    return { kind: "unanswered", failure: "connect", message: "The response has no valid HTTP status" };
  return { kind: "answered", status, retryAfter: headers["retry-after"], response: body };
}

/** At most 4 KiB of what arrives within a second, as text; null if nothing arrives. */
async function readBodyStart(body: Readable): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = setTimeout(() => body.destroy(), RESPONSE_MS);
  try {
    for await (const chunk of body) {
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
  return new StringDecoder("utf8").write(Buffer.concat(chunks).subarray(0, RESPONSE_BYTES_MAX));
}
