/**
 * The errors that the program throws on purpose. `code` is public, and callers branch on it (docs/contract.md#error-codes).
 * Only `server/errors.ts` decides the HTTP status, and only `commands/program.ts` the exit code.
 */
import { joinTexts, SEMICOLON, sameInBoth, type Text } from "./text.ts";

/** What each code means, for the API description. Those after the blank line also occur in documents and connections. */
export const ERROR_MEANINGS = {
  validation_failed: "The request is not valid. The message lists up to 20 problems, each with its path.",
  unauthorized: "The API key is missing or not valid. Send `Authorization: Bearer <API_KEY>`.",
  not_found: "There is no such object in the mode of the API key.",
  idempotency_conflict: "The Idempotency-Key was already used with a different request. Choose another one.",
  idempotency_in_progress:
    "The first request with this Idempotency-Key is still running. Repeat it after `retry-after` seconds.",
  already_exists: "An object with this identifier already exists. Look it up instead.",
  payload_too_large: "The body is larger than the server accepts. The message has the limit.",
  unsupported_media_type: "The body must be JSON, with `Content-Type: application/json`.",
  not_supported: "The provider or the document type does not support this operation.",
  connection_unavailable:
    "The merchant has no active connection to send the document through. Connect it to a provider first.",
  rate_limited: "Too many requests. Repeat the request after `retry-after` seconds.",
  internal_error:
    "An unexpected error in the service. The operator finds it in the log by the `x-request-id`.",
  service_unavailable:
    "A service that this one depends on, or its disk, is not available at the moment. Try again later.",

  invalid_state: "The object is not in a state that allows this.",
  regime_mismatch: "The law requires a licensed provider for this document. Connect the merchant to one.",
  provider_credentials_invalid:
    "The provider refused the merchant's credentials. Correct them and verify the connection.",
  provider_rejected:
    "The provider or the tax authority refused the document. Its own code and message say why.",
  balance_exceeded: "The merchant's plan at the provider is used up.",
  provider_unavailable: "The provider does not respond at the moment. Try again later.",
  pdf_not_ready: "The PDF is not ready yet. Try again in a moment.",
} as const;

export type ErrorCode = keyof typeof ERROR_MEANINGS;

export const ERROR_CODES = Object.keys(ERROR_MEANINGS) as ErrorCode[];

/** With these codes the same request may succeed later. */
const RETRYABLE: ReadonlySet<ErrorCode> = new Set([
  "idempotency_in_progress",
  "rate_limited",
  "service_unavailable",
  "provider_unavailable",
  "pdf_not_ready",
]);

/** The error object of failed requests, documents and connections (docs/contract.md#error-object). */
export interface ErrorObject {
  code: ErrorCode;
  /** What happened, to what, and the next step. Safe to show a developer: no secret, no personal data, no rejected value. */
  message: string;
  /** The message in Greek; absent where it is the same. Stored, but never sent: `wireError` removes it. */
  message_el?: string;
  /** The provider's own code; null when the error is not from a provider. */
  provider_code: string | null;
  /** The provider's message, verbatim; null when the error is not from a provider, or when retention has removed it. */
  provider_message: string | null;
  retryable: boolean;
  /** The provider's error body as received, at most 4096 bytes of JSON. Absent when there was none. */
  provider_raw?: unknown;
}

/** `retryable` follows from the code unless it is given. */
type ErrorDetails = Partial<
  Pick<ErrorObject, "provider_code" | "provider_message" | "provider_raw" | "retryable">
>;

export interface AppErrorOptions extends ErrorDetails {
  cause?: unknown;
  /** Seconds for a `retry-after` header; whole, at least 1. */
  retryAfterSeconds?: number;
  /** All problems that the message lists, also those that it leaves out for length. */
  problems?: readonly Problem[];
}

export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** What happened, to what, and the next step. `message` is its English. */
  readonly text: Text;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  /** The problems of a `validation_failed`; otherwise empty. Never sent. */
  readonly problems: readonly Problem[];
  readonly #options: AppErrorOptions;

  constructor(code: ErrorCode, text: Text, options: AppErrorOptions = {}) {
    super(text.en, options.cause === undefined ? undefined : { cause: options.cause });
    this.text = text;
    this.code = code;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.problems = options.problems ?? [];
    this.#options = options;
  }

  /** The error object of the API. */
  toObject(): ErrorObject {
    const { message_el: _greek, ...wire } = this.toOutcomeError();
    return wire;
  }

  /** The error of an outcome, which is stored in both languages. */
  toOutcomeError(): ErrorObject {
    return buildErrorObject(this.code, this.text, this.#options);
  }
}

/** What `work` resolves to; undefined if it throws `not_found`. */
export async function unlessNotFound<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return undefined;
    throw error;
  }
}

/** An error that is not thrown: part of a provider outcome, and stored with it. */
export function buildErrorObject(
  code: ErrorCode,
  { en, el }: Text,
  { provider_code = null, provider_message = null, provider_raw, retryable }: ErrorDetails = {},
): ErrorObject {
  return {
    code,
    message: en,
    ...(el === en ? {} : { message_el: el }),
    provider_code: limitWords(provider_code, PROVIDER_CODE_MAX),
    provider_message: limitWords(provider_message),
    retryable: retryable ?? RETRYABLE.has(code),
    ...(provider_raw === undefined ? {} : { provider_raw: limitRaw(provider_raw) }),
  };
}

/** Larger bodies are replaced by a marker (docs/contract.md#error-object). */
const PROVIDER_RAW_BYTES_MAX = 4096;

function limitRaw(raw: unknown): unknown {
  const bytes = Buffer.byteLength(JSON.stringify(raw) ?? "null");
  return bytes <= PROVIDER_RAW_BYTES_MAX ? raw : { truncated: true, bytes };
}

/** Limited because both are stored with the document and its events, and delivered to every endpoint. */
const PROVIDER_MESSAGE_MAX = 16_384;
const PROVIDER_CODE_MAX = 200;

function limitWords(words: string | null, charactersMax = PROVIDER_MESSAGE_MAX): string | null {
  if (words === null || words.length <= charactersMax) return words;
  return `${words.slice(0, charactersMax).toWellFormed()}…`;
}

/** One thing that is wrong with the input. `path` is like `document.lines[2].vat_exemption`; empty for the whole input. */
export interface Problem {
  path: string;
  /** Shown to people in place of `path`: a row and column of a table, for example. */
  place?: Text;
  /** What is wrong and what is valid. Never repeats the rejected value. */
  message: Text;
}

/** docs/contract.md#validation-messages */
const PROBLEMS_SHOWN_MAX = 20;

/** `path: message` of each problem. */
export function listProblems(problems: readonly Problem[]): Text {
  return joinTexts(problems.map(describeProblem), SEMICOLON);
}

/** `path: message`. */
export function describeProblem({ path, place, message }: Problem): Text {
  return path === "" ? message : joinTexts([place ?? sameInBoth(path), message], ": ");
}

/** A `validation_failed` that lists `problems`, of which there must be at least one. */
export function validationError(problems: readonly Problem[]): AppError {
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX);
  const rest = problems.length - shown.length;
  const listed = listProblems(shown);
  const text =
    rest > 0 ? joinTexts([listed, { en: `and ${rest} more`, el: `και ${rest} ακόμη` }], SEMICOLON) : listed;
  return new AppError("validation_failed", text, { problems });
}

/** Unusable configuration or storage: the program ends with exit code 78. Never sent over HTTP. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly text: Text;

  constructor(text: Text, options?: ErrorOptions) {
    super(text.en, options);
    this.text = text;
  }
}

/** What `work` returns. Its failure becomes a ConfigurationError with the text for it, unless it is one already. */
export function orUnusable<T>(work: () => T, textFor: (error: unknown) => Text): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof ConfigurationError
      ? error
      : new ConfigurationError(textFor(error), { cause: error });
  }
}
