/** Queries the EU registry of VAT numbers over REST, with at most one retry (docs/eu-registry.md#registry-calls). */
import { setTimeout as sleep } from "node:timers/promises";
import type { Agent } from "undici";
import { type NoAnswerReason, readAnswer, type RegistryAnswer } from "./registry-answer.ts";
import { type TaxQuestion, vatPrefixOf } from "./question.ts";

export interface Registry {
  /** Returns within the timeout. Failures of the network or the registry are returned, not thrown. */
  ask(question: TaxQuestion): Promise<RegistryAnswer>;
  /** Aborts the queries in progress and closes all connections. */
  close(): Promise<void>;
}

export interface RegistryOptions {
  /** The base URL, with or without a slash at its end. */
  url: string;
  /** For the whole query, including the retry. */
  timeoutMs: number;
  /** Before the retry. */
  retryPauseMs?: number | undefined;
}

/** Longer than a handshake across the EU takes, short enough to leave time for the member state. */
const CONNECT_MS = 5_000;
/** Responses have less than 2 KB. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** Enough that queries about a slow member state do not block those about others. */
const CONNECTIONS_MAX = 32;
/** Shorter than the idle timeout of most servers, because a connection closed while we use it costs a retry. */
const KEEP_ALIVE_MS = 4_000;
const RETRY_PAUSE_MS = 1_000;

/** Failures that are worth an immediate retry. A registry that is down stays down for longer. */
const MOMENTARY: ReadonlySet<NoAnswerReason> = new Set(["overloaded", "cut"]);

export function createRegistry(options: RegistryOptions): Registry {
  const url = `${options.url.replace(/\/+$/, "")}/check-vat-number`;
  const { timeoutMs, retryPauseMs = RETRY_PAUSE_MS } = options;
  const closing = new AbortController();
  let agent: Agent | undefined;

  async function send(question: TaxQuestion, signal: AbortSignal): Promise<RegistryAnswer> {
    // Loaded on demand: most processes send no query.
    const { default: undici } = await import("undici");
    agent ??= new undici.Agent({
      connect: { timeout: Math.min(CONNECT_MS, timeoutMs) },
      connections: CONNECTIONS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxResponseSize: ANSWER_BYTES_MAX,
    });
    try {
      // undici does not follow redirects here.
      const response = await undici.request(url, {
        dispatcher: agent,
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "accept-encoding": "identity",
          "user-agent": "fiscal",
        },
        body: JSON.stringify({ countryCode: vatPrefixOf(question.country), vatNumber: question.code }),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal,
      });
      return readAnswer(question, response.statusCode, await response.body.text());
    } catch (cause) {
      return describeFailure(cause);
    }
  }

  return {
    async ask(question) {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
      const first = await send(question, signal);
      if (first.kind !== "no_answer" || !MOMENTARY.has(first.reason)) return first;
      const isOver = await sleep(retryPauseMs, false, { signal }).catch(() => true);
      return isOver ? first : send(question, signal);
    },
    async close() {
      closing.abort();
      await agent?.destroy();
    },
  };
}

/** The connection ended during the query, perhaps after being idle. */
const CUT_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";
/** The error of undici 8.12 for a response that is not HTTP, sometimes without a code. */
const NOT_HTTP = "HTTPParserError";
/** The errors of our own timeout and of `close`. */
const ENDED_BY_US: Readonly<Record<string, string>> = { TimeoutError: "TIMEOUT", AbortError: "STOPPED" };

/** Rethrows errors that are not failures of the network. */
function describeFailure(cause: unknown): RegistryAnswer {
  if (!(cause instanceof Error)) throw cause;
  if (cause.name === NOT_HTTP) return { kind: "no_answer", reason: "unreadable", code: "NOT_HTTP" };
  const ended = ENDED_BY_US[cause.name];
  if (ended !== undefined) return { kind: "no_answer", reason: "unreached", code: ended };
  const { code } = cause as { code?: unknown };
  if (typeof code !== "string") throw cause;
  if (code === TOO_LARGE) return { kind: "no_answer", reason: "unreadable", code };
  return { kind: "no_answer", reason: CUT_CODES.has(code) ? "cut" : "unreached", code };
}
