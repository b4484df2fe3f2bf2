/** The EU registry of VAT numbers over REST (providers facts D): one question, its answer, at most one more try. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Agent } from "undici";
import { type NoAnswerReason, readAnswer, type RegistryAnswer } from "./registry-answer.ts";
import { type TaxQuestion, vatPrefixOf } from "./question.ts";

export interface Registry {
  /** Ends within the timeout. Never throws for what a network or the registry can do. */
  ask(question: TaxQuestion): Promise<RegistryAnswer>;
  /** Ends the questions that are out, unanswered, and drops the connections that are kept open. */
  close(): Promise<void>;
}

export interface RegistryOptions {
  /** Up to the method's name; a slash at its end does no harm. */
  url: string;
  /** For the whole question, a second try included. */
  timeoutMs: number;
  /** Before a second try. */
  retryPauseMs?: number | undefined;
}

/** Longer than a handshake across the EU takes, short enough to leave time for the member state. */
const CONNECT_MS = 5_000;
/** An answer has less than 2 KB. */
const ANSWER_BYTES_MAX = 64 * 1024;
/** So many that questions about a slow member state leave places for those about the others. */
const CONNECTIONS_MAX = 32;
/** Shorter than servers usually wait: a connection that they close as we use it costs a second try. */
const KEEP_ALIVE_MS = 4_000;
/** providers facts D: clients that try again wait about a second. */
const RETRY_PAUSE_MS = 1_000;

/** What passes by itself within moments. A registry that is down stays so for longer than anybody waits for an answer. */
const MOMENTARY: ReadonlySet<NoAnswerReason> = new Set(["overloaded", "cut"]);

export function createRegistry(options: RegistryOptions): Registry {
  const url = `${options.url.replace(/\/+$/, "")}/check-vat-number`;
  const { timeoutMs, retryPauseMs = RETRY_PAUSE_MS } = options;
  const closing = new AbortController();
  let agent: Agent | undefined;

  async function send(question: TaxQuestion, signal: AbortSignal): Promise<RegistryAnswer> {
    // Loaded by the first question: most processes ask none.
    const { default: undici } = await import("undici");
    agent ??= new undici.Agent({
      connect: { timeout: Math.min(CONNECT_MS, timeoutMs) },
      connections: CONNECTIONS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxResponseSize: ANSWER_BYTES_MAX,
    });
    try {
      // Redirects are not followed: undici's request leaves them to whoever asks.
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

/** The connection ended while the question was out, perhaps because it had been idle: asking again does no harm. */
const CUT_CODES: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);
const TOO_LARGE = "UND_ERR_RES_EXCEEDED_MAX_SIZE";
/** What undici (8.12) throws for an answer that is no HTTP: without a code for some of its faults. */
const NOT_HTTP = "HTTPParserError";
/** How the two ends that we set ourselves are named. */
const ENDED_BY_US: Readonly<Record<string, string>> = { TimeoutError: "TIMEOUT", AbortError: "STOPPED" };

/** Throws `cause` again where no network is to blame. */
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
