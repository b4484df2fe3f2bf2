/**
 * What the registry's answer says about the number that was asked (providers facts D). It answers failures with HTTP 200
 * as well, so the body is read first. Only a plain yes or no about this very number is taken for one: whatever else came
 * is no answer, never "not valid".
 */
import { normaliseTaxCode } from "../domain/tax-number.ts";
import { type TaxQuestion, vatPrefixOf } from "./question.ts";

/** What is known of the number. */
export interface Finding {
  valid: boolean;
  /** One line each; null when not valid, and where the member state shares none. */
  name: string | null;
  address: string | null;
}

/**
 * Why there is no answer: the registry or the member state's is down; it is asked too much; it refuses us; what it sent
 * says nothing; nothing came, `cut` where the connection ended under the question.
 */
export type NoAnswerReason = "unavailable" | "overloaded" | "blocked" | "unreadable" | "unreached" | "cut";

export type RegistryAnswer =
  | { kind: "found"; finding: Finding }
  /** The registry says that this can be no number of the country. */
  | { kind: "invalid_input" }
  /** `code` is the registry's own or the network's, `UNKNOWN` for what neither is known to say: safe to log. */
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

/** Reads the answer to `question`. `status` is HTTP's; `body` is text as received. */
export function readAnswer(question: TaxQuestion, status: number, body: string): RegistryAnswer {
  const answer = parseObject(body);
  if (answer === undefined) return unreadable(status, "NOT_JSON");
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
  // Only codes that we know are told on: anything may stand in an answer.
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

type JsonObject = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseObject(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    // A page of a gateway, a cut text: the caller is told that nothing could be read.
    return undefined;
  }
}

/** The errors that the answer names; `UNKNOWN` stands for one without a name. Empty when it says that nothing failed. */
function errorCodesOf({ actionSucceed, errorWrappers, userError }: JsonObject): string[] {
  const wrappers: readonly unknown[] = [errorWrappers ?? []].flat();
  const codes = wrappers.map((wrapper) => nameOf(isObject(wrapper) ? wrapper["error"] : undefined));
  if ((actionSucceed ?? true) !== true && codes.length === 0) codes.push("UNKNOWN");
  if (!VERDICTS.has(userError ?? "")) codes.push(nameOf(userError));
  return codes;
}

/** What `userError` holds where nothing failed. */
const VERDICTS: ReadonlySet<unknown> = new Set(["", "VALID", "INVALID"]);

function nameOf(error: unknown): string {
  return typeof error === "string" && error !== "" ? error : "UNKNOWN";
}

/** Whether the answer repeats the number that was asked. */
function isAbout({ country, code }: TaxQuestion, { countryCode, vatNumber }: JsonObject): boolean {
  if (countryCode !== vatPrefixOf(country) && countryCode !== country) return false;
  return typeof vatNumber === "string" && normaliseTaxCode(vatNumber) === code;
}

/** Yes or no; undefined where the answer says neither, or both. `userError`, where it is sent, must not disagree. */
function readVerdict({ valid, userError }: JsonObject): boolean | undefined {
  if (typeof valid !== "boolean") return valid === undefined && userError === "INVALID" ? false : undefined;
  const said = (userError ?? "") === "" ? undefined : userError === "VALID";
  return said === undefined || said === valid ? valid : undefined;
}

function describe({ name, address }: JsonObject): Finding {
  return { valid: true, name: oneLine(name), address: oneLine(address) };
}

/** What the registry writes where nothing is shared or known. */
const NOT_SHARED = /^-{3,}$/;
/** White space of every kind, and the line end that JavaScript does not count to it. */
const SPACES = /[\s\u0085]+/g;

/** spec, Tax-number lookup result: as the registry gives it, on one line. `||` between legal name and title stays. */
function oneLine(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.replace(SPACES, " ").trim();
  return text === "" || NOT_SHARED.test(text) ? null : text;
}
