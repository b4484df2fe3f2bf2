/**
 * Queries the EU registry of VAT numbers over REST, with at most one retry (docs/eu-registry.md#registry-calls), and reads its answers
 * (docs/eu-registry.md#registry-verdicts). Failures also come with HTTP 200, so the body is read first. Only an unambiguous verdict about
 * the requested number counts; everything else is "no answer", never "not valid".
 */
import { isObject, type JsonObject, tryParseJson } from "../foundation/json.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { createHttpSender, type HttpOutcome, readUpTo } from "../foundation/http-sender.ts";
import { type TaxQuestion, vatPrefixOf } from "./question.ts";
import { isValidAfm, normaliseTaxCode } from "../domain/tax-number.ts";

export interface RegistryOptions {
  /** The base URL, with or without a slash at its end. */
  url: string;
  /** For the whole query, including the retry. */
  timeoutMs: number;
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

export function createRegistry(options: RegistryOptions) {
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
    /** Returns within the timeout. Failures of the network or the registry are returned, not thrown. */
    async ask(question: TaxQuestion): Promise<RegistryAnswer> {
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
      const first = await send(question, signal);
      if (first.kind !== "no_answer" || !MOMENTARY.has(first.reason)) return first;
      const isOver = await sleep(retryPauseMs, false, { signal }).catch(() => true);
      return isOver ? first : send(question, signal);
    },
    /** Aborts the queries in progress and closes all connections. */
    async close(): Promise<void> {
      closing.abort();
      await http.close();
    },
  };
}

/** Throws the cause if it is not about the network. */
function describeFailure({
  failure,
  cause,
}: Extract<HttpOutcome<unknown>, { kind: "failed" }>): RegistryAnswer {
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

export interface Finding {
  valid: boolean;
  /** One line each; null if the number is not valid, or the member state does not disclose it. */
  name: string | null;
  address: string | null;
}

/**
 * Why there is no answer: the registry or the member state is down, overloaded, or blocks us; the response is unusable; there
 * was no response; or the connection was cut during the query.
 */
export type NoAnswerReason = "unavailable" | "overloaded" | "blocked" | "unreadable" | "unreached" | "cut";

export type RegistryAnswer =
  | { kind: "found"; finding: Finding }
  /** The registry reports that the country has no such numbers. */
  | { kind: "invalid_input" }
  /** `code` is a known code of the registry or the network, otherwise `UNKNOWN`, so it is safe to log. */
  | { kind: "no_answer"; reason: NoAnswerReason; code: string };

const REASONS: Readonly<Record<string, NoAnswerReason>> = {
  SERVICE_UNAVAILABLE: "unavailable",
  MS_UNAVAILABLE: "unavailable",
  TIMEOUT: "unavailable",
  "VOW-ERR-1": "unavailable",
  SERVER_BUSY: "overloaded",
  GLOBAL_MAX_CONCURRENT_REQ: "overloaded",
  GLOBAL_MAX_CONCURRENT_REQ_TIME: "overloaded",
  MS_MAX_CONCURRENT_REQ: "overloaded",
  MS_MAX_CONCURRENT_REQ_TIME: "overloaded",
  IP_BLOCKED: "blocked",
  VAT_BLOCKED: "blocked",
  INVALID_REQUESTER_INFO: "unreadable",
};

const INVALID_INPUT = "INVALID_INPUT";
const TOO_MANY_REQUESTS = 429;

/** Interprets the response to `question`: its HTTP status, and its body as received. */
export function readAnswer(question: TaxQuestion, status: number, body: string): RegistryAnswer {
  const answer = tryParseJson(body);
  if (!isObject(answer)) return unreadable(status, "NOT_JSON");
  const codes = errorCodesOf(answer);
  const failure = codes.find((code) => code !== INVALID_INPUT);
  if (failure !== undefined) return noAnswer(failure);
  if (codes.length > 0) return { kind: "invalid_input" };
  if (status < 200 || status > 299) return unreadable(status, `HTTP_${status}`);
  if (!isAbout(question, answer)) return unreadable(status, "OTHER_NUMBER");
  const valid = readVerdict(answer);
  if (valid === undefined) return unreadable(status, "NO_VERDICT");
  return { kind: "found", finding: valid ? describe(answer) : { valid, name: null, address: null } };
}

function noAnswer(code: string): RegistryAnswer {
  // Only known codes are passed on, because a response may contain anything.
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  return reason === undefined
    ? { kind: "no_answer", reason: "unreadable", code: "UNKNOWN" }
    : { kind: "no_answer", reason, code };
}

function unreadable(status: number, code: string): RegistryAnswer {
  return status === TOO_MANY_REQUESTS
    ? { kind: "no_answer", reason: "overloaded", code: `HTTP_${status}` }
    : { kind: "no_answer", reason: "unreadable", code };
}

/** The error codes in the response, `UNKNOWN` for an error without a code. Empty if nothing failed. */
function errorCodesOf({ actionSucceed, errorWrappers, userError }: JsonObject): string[] {
  const wrappers: readonly unknown[] = [errorWrappers ?? []].flat();
  const codes = wrappers.map((wrapper) => nameOf(isObject(wrapper) ? wrapper["error"] : undefined));
  if ((actionSucceed ?? true) !== true && codes.length === 0) codes.push("UNKNOWN");
  if (!VERDICTS.has(userError ?? "")) codes.push(nameOf(userError));
  return codes;
}

/** Values of `userError` if nothing failed. */
const VERDICTS: ReadonlySet<unknown> = new Set(["", "VALID", "INVALID"]);

function nameOf(error: unknown): string {
  return typeof error === "string" && error !== "" ? error : "UNKNOWN";
}

function isAbout({ country, code }: TaxQuestion, { countryCode, vatNumber }: JsonObject): boolean {
  if (countryCode !== vatPrefixOf(country) && countryCode !== country) return false;
  return typeof vatNumber === "string" && normaliseTaxCode(vatNumber) === code;
}

/** The verdict; undefined if there is none, or `valid` and `userError` contradict each other. */
function readVerdict({ valid, userError }: JsonObject): boolean | undefined {
  if (typeof valid !== "boolean") return valid === undefined && userError === "INVALID" ? false : undefined;
  const said = (userError ?? "") === "" ? undefined : userError === "VALID";
  return said === undefined || said === valid ? valid : undefined;
}

function describe({ name, address }: JsonObject): Finding {
  return { valid: true, name: oneLine(name), address: oneLine(address) };
}

/** The registry's placeholder for unknown or undisclosed text. */
const NOT_SHARED = /^-{3,}$/;
/** White space, including the line end U+0085, which `\s` does not match. */
const SPACES = /[\s\u0085]+/g;

/** Joins text into one line, without other changes: `||` between legal name and title stays (docs/eu-registry.md#names-and-addresses). */
function oneLine(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.replace(SPACES, " ").trim();
  return text === "" || NOT_SHARED.test(text) ? null : text;
}

/** Greek numbers need a valid check digit, so two of them replace the codes used for other countries. */
const NOT_VALID_AFM = "099999999";
const UNAVAILABLE_AFM = "876543210";

/** The numbers of the EU registry's test service (docs/eu-registry.md#test-numbers). */
const NOT_VALID_CODE = "200";
const UNAVAILABLE_CODES: Readonly<Record<string, string>> = {
  "300": "SERVICE_UNAVAILABLE",
  "301": "MS_UNAVAILABLE",
};

/** Never returns `invalid_input`. */
export function answerFromSandbox({ country, code }: TaxQuestion): RegistryAnswer {
  const isGreek = country === "GR";
  const failure = Object.hasOwn(UNAVAILABLE_CODES, code)
    ? UNAVAILABLE_CODES[code]
    : isGreek && code === UNAVAILABLE_AFM && "MS_UNAVAILABLE";
  if (failure) return { kind: "no_answer", reason: "unavailable", code: failure };
  const isNotValid = isGreek ? code === NOT_VALID_AFM || !isValidAfm(code) : code === NOT_VALID_CODE;
  if (isNotValid) return { kind: "found", finding: { valid: false, name: null, address: null } };
  return { kind: "found", finding: { valid: true, ...(isGreek ? GREEK : FOREIGN) } };
}

/** In the format of the registry for Greece: legal name and title, street and place. */
const GREEK = { name: "ΥΠΟΔΕΙΓΜΑ ΕΜΠΟΡΙΚΗ ΑΕ||ΥΠΟΔΕΙΓΜΑ", address: "ΟΔΟΣ ΔΟΚΙΜΩΝ 1 10431 - ΑΘΗΝΑ" };
const FOREIGN = { name: "EXAMPLE TRADING COMPANY", address: "1 SAMPLE STREET, 10000 EXAMPLE TOWN" };
