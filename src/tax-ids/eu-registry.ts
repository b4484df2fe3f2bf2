/** Queries the EU registry of VAT numbers over REST, with at most one retry (docs/eu-registry.md#registry-calls). */
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpSender, type Outcome, readUpTo } from "../foundation/http-sender.ts";
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
const RETRY_PAUSE_MS = 1_000;

/** Failures that are worth an immediate retry. A registry that is down stays down for longer. */
const MOMENTARY: ReadonlySet<NoAnswerReason> = new Set(["overloaded", "cut"]);

export function createRegistry(options: RegistryOptions): Registry {
  const url = `${options.url.replace(/\/+$/, "")}/check-vat-number`;
  const { timeoutMs, retryPauseMs = RETRY_PAUSE_MS } = options;
  const closing = new AbortController();
  const http = createHttpSender({ connectMsMax: CONNECT_MS, connections: CONNECTIONS_MAX });

  async function send(question: TaxQuestion, signal: AbortSignal): Promise<RegistryAnswer> {
    const outcome = await http.send(
      {
        method: "POST",
        url,
        headers: {
          "content-type": "application/json",
          accept: "application/json",
          "accept-encoding": "identity",
          "user-agent": "fiscal",
        },
        body: JSON.stringify({ countryCode: vatPrefixOf(question.country), vatNumber: question.code }),
        timeoutMs,
        read: (body) => readUpTo(body, ANSWER_BYTES_MAX),
      },
      signal,
    );
    if (outcome.kind === "failed") return describeFailure(outcome);
    return readAnswer(question, outcome.status, outcome.body.toString("utf8"));
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
      await http.close();
    },
  };
}

/** Throws the cause if it is not about the network. */
function describeFailure({ failure, cause }: Extract<Outcome<unknown>, { kind: "failed" }>): RegistryAnswer {
  if (failure === "malformed" || failure === "unknown") throw cause;
  if (failure === "not_http" || failure === "too_long")
    return { kind: "no_answer", reason: "unreadable", code: failure.toUpperCase() };
  const { code } = cause as { code?: unknown };
  return {
    kind: "no_answer",
    reason: failure === "cut" ? "cut" : "unreached",
    code: typeof code === "string" ? code : failure.toUpperCase(),
  };
}
