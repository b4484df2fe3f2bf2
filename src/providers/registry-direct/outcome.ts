/** Derives outcomes from the authority's responses to sends, listings and cancellations (docs/authority.md#responses). Pure. */
import { unknown } from "../exchange.ts";
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import type {
  IssueOutcome,
  OutgoingDocument,
  UnknownOutcome,
  CredentialsRefusedOutcome,
  RejectedOutcome,
} from "../../domain/provider-adapter.ts";
import type { AuthorityResponse } from "./answers.ts";
import { isAboutSupplier, meaningOf, SYNTAX_ERROR, verdictOf } from "../../domain/authority-codes.ts";

/** The whole message was refused and nothing registered; one of its documents may be the cause. */
export function isWholeRefusal(responses: readonly AuthorityResponse[]): boolean {
  return (
    responses.length > 0 && responses.every((response) => isSyntaxError(response) && response.mark === null)
  );
}

/** One outcome for each document, in the same order. `responses` may be incomplete, out of order or about other documents. */
export function interpretResponses(
  responses: readonly AuthorityResponse[],
  documents: readonly OutgoingDocument[],
): IssueOutcome[] {
  const matched = matchResponses(responses, documents);
  return documents.map((document, index) => {
    const [response, ...more] = matched[index] ?? [];
    if (response === undefined || more.length > 0) return unknown(UNCLEAR);
    return interpretResponse(response, document, documents.length === 1);
  });
}

/**
 * Assigns responses to documents: by index, which every response to a send has; without an index by uid; and a single
 * response to a single document regardless. Responses that match nothing are dropped, which leaves their documents
 * unanswered.
 */
function matchResponses(
  responses: readonly AuthorityResponse[],
  documents: readonly OutgoingDocument[],
): AuthorityResponse[][] {
  const matched: AuthorityResponse[][] = documents.map(() => []);
  const isOnly = responses.length === 1 && documents.length === 1;
  for (const response of responses) {
    const byUid = documents.findIndex(({ uid }) => uid !== null && uid === response.uid);
    const place = response.index === null ? (isOnly ? 0 : byUid) : response.index - 1;
    matched[place]?.push(response);
  }
  return matched;
}

/**
 * The uid must be ours whatever the response says. Otherwise the response is about another document, or the authority
 * computes the uid differently. Either way the listing decides, which also shows series and number. It also decides about a success
 * without a MARK, a MARK beside an error, and an error about the whole message, which is no verdict on one document of several.
 */
function interpretResponse(
  response: AuthorityResponse,
  document: OutgoingDocument,
  isAlone: boolean,
): IssueOutcome {
  const { uid, mark, qrUrl, statusCode } = response;
  const isOfAnother = uid !== null && document.uid !== null && uid !== document.uid;
  const isOfMessage = isSyntaxError(response) && !isAlone;
  if (isOfAnother || isOfMessage || (statusCode === "Success") !== (mark !== null)) return unclear(response);
  if (mark !== null) return { kind: "issued", mark, uid: uid ?? document.uid, qrUrl };
  return interpretRefusal(response, "document");
}

type Subject = "document" | "message" | "cancellation" | "listing";

const NAMES: Readonly<Record<Subject, Text>> = {
  document: { en: "the document", el: "το παραστατικό" },
  message: { en: "the message", el: "το μήνυμα" },
  cancellation: { en: "the cancellation", el: "την ακύρωση" },
  listing: { en: "the listing", el: "τον κατάλογο" },
};

const CORRECT: Text = { en: "; correct it and issue it again", el: "· διορθώστε το και εκδώστε το ξανά" };
/** Nobody can correct the XML that is made here. */
const REPORT: Text = { en: "; report this as a defect", el: "· αναφέρετέ το ως σφάλμα του προγράμματος" };

/** Something is, or may be, registered, or it is not known. After a send a lookup follows by itself; the response is stored with its call. */
export const UNCLEAR: Text = {
  en: "The tax authority's response does not show for certain what is registered",
  el: "Η απάντηση της ΑΑΔΕ δεν δείχνει με βεβαιότητα τι έχει καταχωριστεί",
};

export function unclear(response: AuthorityResponse): UnknownOutcome {
  return { kind: "unknown", error: errorFrom(response, "provider_unavailable", UNCLEAR) };
}

/**
 * `message` with the authority's own words: the first code, the messages joined by `; `
 * (docs/contract.md#error-object), and the response as read.
 */
function errorFrom(response: AuthorityResponse, code: ErrorCode, message: Text): ErrorObject {
  const words = response.errors.flatMap((error) => (error.message === null ? [] : [error.message]));
  return buildErrorObject(code, message, {
    provider_code: response.errors.find((error) => error.code !== null)?.code ?? null,
    provider_message: words.length === 0 ? null : words.join("; "),
    provider_raw: response.raw,
  });
}

/** The XML does not fit the schema: the message was not read, and nothing was registered. */
function isSyntaxError(response: AuthorityResponse): boolean {
  return (
    response.statusCode === "XMLSyntaxError" || response.errors.some(({ code }) => code === SYNTAX_ERROR)
  );
}

/**
 * Classifies a response without success (docs/authority.md#error-classes). Only what the authority calls a validation
 * error, and XML that it cannot read, is a verdict; anything else leaves the outcome open.
 */
export function interpretRefusal(
  response: AuthorityResponse,
  subject: Subject,
): RejectedOutcome | CredentialsRefusedOutcome | UnknownOutcome {
  const { errors, statusCode } = response;
  const verdicts = errors.map(({ code, message }) => verdictOf(code, message));
  const refusals = errors.filter((_, index) => verdicts[index] === "credentials");
  if (refusals.length > 0) {
    const reason = meaningOf(refusals[0]!.code);
    const message = {
      en: `The tax authority refuses the account: ${reason?.en}; check the connection and verify it again`,
      el: `Η ΑΑΔΕ δεν δέχεται τον λογαριασμό: ${reason?.el}· ελέγξτε τη σύνδεση και επαληθεύστε την ξανά`,
    };
    return {
      kind: "credentials_refused",
      error: errorFrom(response, "provider_credentials_invalid", message),
      ...(refusals.every(({ code }) => isAboutSupplier(code)) ? { isAboutSupplier: true } : {}),
    };
  }
  const isOpen = verdicts.includes("technical") || verdicts.includes("registered");
  const isVerdict = statusCode === "ValidationError" || isSyntaxError(response);
  if (statusCode === "TechnicalError" || isOpen || !isVerdict) return unclear(response);
  const known = isSyntaxError(response) ? SYNTAX_ERROR : (errors[0]?.code ?? null);
  const code = known === null ? "" : ` (${known})`;
  const [name, reason] = [NAMES[subject], meaningOf(known)];
  const next = subject !== "document" ? undefined : known === SYNTAX_ERROR ? REPORT : CORRECT;
  const message = {
    en: `The tax authority refused ${name.en}${code}${reason === undefined ? "" : `: ${reason.en}`}${next?.en ?? ""}`,
    el: `Η ΑΑΔΕ απέρριψε ${name.el}${code}${reason === undefined ? "" : `: ${reason.el}`}${next?.el ?? ""}`,
  };
  return { kind: "rejected", error: errorFrom(response, "provider_rejected", message) };
}
