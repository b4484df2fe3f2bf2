/** Turns a response without success (to a send, a listing or a cancellation) into an outcome. Pure. */
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import type {
  CredentialsRefusedOutcome,
  RejectedOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import type { AuthorityResponse } from "./answers.ts";
import { isAboutSupplier, meaningOf, SYNTAX_ERROR, verdictOf } from "../../domain/authority-codes.ts";

/** The request that was refused, and what the caller can do about it. */
export type Subject = "document" | "message" | "cancellation" | "listing";
const NEXT_STEPS: Readonly<Record<Subject, string>> = {
  document: "; correct it and issue it again",
  message: "; its documents are sent one by one",
  cancellation: "; the document stays as it is",
  listing: "",
};

export type Failure = RejectedOutcome | CredentialsRefusedOutcome | UnknownOutcome;

/**
 * `message` with the authority's own words: the first code, the messages joined by `; `
 * (docs/contract.md#error-object), and the response as read.
 */
function errorFrom(response: AuthorityResponse, code: ErrorCode, message: string): ErrorObject {
  const first = response.errors.find((error) => error.code !== null)?.code ?? null;
  const words = response.errors.flatMap((error) => (error.message === null ? [] : [error.message]));
  return buildErrorObject(code, message, {
    ...(first === null ? {} : { providerCode: first }),
    ...(words.length === 0 ? {} : { providerMessage: words.join("; ") }),
    providerRaw: response.raw,
  });
}

/** Something is, or may be, registered; a lookup decides. It is made automatically, so the caller has nothing to do. */
export function unknownFrom(response: AuthorityResponse, message: string): UnknownOutcome {
  return { kind: "unknown", error: errorFrom(response, "provider_unavailable", message) };
}

/** The XML does not fit the schema: the message was not read, and nothing was registered. */
export function isSyntaxError(response: AuthorityResponse): boolean {
  return (
    response.statusCode === "XMLSyntaxError" || response.errors.some(({ code }) => code === SYNTAX_ERROR)
  );
}

/**
 * Classifies a response without success (docs/authority.md#error-classes). Only what the authority calls a validation
 * error is a verdict; anything else leaves the outcome open.
 */
export function judgeRefusal(response: AuthorityResponse, subject: Subject): Failure {
  const first = response.errors[0] ?? { code: null, message: null };
  const verdicts = response.errors.map(({ code, message }) => verdictOf(code, message));
  if (verdicts.includes("credentials")) {
    const reason = meaningOf(response.errors[verdicts.indexOf("credentials")]?.code ?? null)?.en;
    const message = `The tax authority refuses the account: ${reason}; check the connection and verify it again`;
    const refusals = response.errors.filter((_, index) => verdicts[index] === "credentials");
    return {
      kind: "credentials_refused",
      error: errorFrom(response, "provider_credentials_invalid", message),
      ...(refusals.every(({ code }) => isAboutSupplier(code)) ? { isAboutSupplier: true } : {}),
    };
  }
  if (response.statusCode === "TechnicalError" || verdicts.includes("technical")) {
    return unknownFrom(response, `The tax authority had a technical error with the ${subject}`);
  }
  if (verdicts.includes("registered")) {
    return unknownFrom(response, `The tax authority knows the uid of the ${subject} already`);
  }
  if (isSyntaxError(response)) {
    const next = subject === "message" ? NEXT_STEPS.message : "; report this as a defect";
    const message = `The tax authority could not read the ${subject} (${SYNTAX_ERROR}): its XML does not fit the schema${next}`;
    return { kind: "rejected", error: errorFrom(response, "provider_rejected", message) };
  }
  if (response.statusCode !== "ValidationError") {
    return unknownFrom(
      response,
      `The tax authority answered about the ${subject} in a way that is not known`,
    );
  }
  const reason = meaningOf(first.code)?.en;
  const why = `${first.code === null ? "" : ` (${first.code})`}${reason === undefined ? "" : `: ${reason}`}`;
  const message = `The tax authority refused the ${subject}${why}${NEXT_STEPS[subject]}`;
  return { kind: "rejected", error: errorFrom(response, "provider_rejected", message) };
}
