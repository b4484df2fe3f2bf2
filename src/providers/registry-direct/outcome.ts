/** Derives outcomes from the authority's responses to sends, listings and cancellations (docs/authority.md#responses). Pure. */
import { unknown } from "../exchange.ts";
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import { type Text, sameInBoth } from "../../foundation/text.ts";
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
    if (response === undefined)
      return unknown({
        en: "The tax authority's response does not mention the document",
        el: "Η απάντηση της ΑΑΔΕ δεν αναφέρει το παραστατικό",
      });
    if (more.length > 0)
      return unknown({
        en: "The tax authority's response mentions the document more than once",
        el: "Η απάντηση της ΑΑΔΕ αναφέρει το παραστατικό πάνω από μία φορά",
      });
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
 * computes the uid differently. Either way the listing decides, which also shows series and number.
 */
function interpretResponse(
  response: AuthorityResponse,
  document: OutgoingDocument,
  isAlone: boolean,
): IssueOutcome {
  if (response.uid !== null && document.uid !== null && response.uid !== document.uid) {
    return unknownFrom(response, {
      en: "The tax authority's response has another uid than the document",
      el: "Η απάντηση της ΑΑΔΕ έχει άλλο uid από το παραστατικό",
    });
  }
  if (response.statusCode === "Success") {
    const { mark, qrUrl } = response;
    if (mark === null)
      return unknownFrom(response, {
        en: "The tax authority reports success without a MARK",
        el: "Η ΑΑΔΕ αναφέρει επιτυχία χωρίς ΜΑΡΚ",
      });
    return { kind: "issued", mark, uid: response.uid ?? document.uid, qrUrl };
  }
  if (response.mark !== null) {
    return unknownFrom(response, {
      en: "The tax authority reports both an error and a MARK",
      el: "Η ΑΑΔΕ αναφέρει και σφάλμα και ΜΑΡΚ",
    });
  }
  // It is about the whole message, not a verdict on one document of several.
  if (isSyntaxError(response) && !isAlone) {
    return unknownFrom(response, {
      en: "The tax authority could not read part of the message",
      el: "Η ΑΑΔΕ δεν μπόρεσε να διαβάσει μέρος του μηνύματος",
    });
  }
  return interpretRefusal(response, "document");
}

/** The request that was refused, and what the caller can do about it. */
export type Subject = "document" | "message" | "cancellation" | "listing";

const NAMES: Readonly<Record<Subject, Text>> = {
  document: { en: "the document", el: "το παραστατικό" },
  message: { en: "the message", el: "το μήνυμα" },
  cancellation: { en: "the cancellation", el: "την ακύρωση" },
  listing: { en: "the listing", el: "τον κατάλογο" },
};

const NEXT_STEPS: Readonly<Record<Subject, Text>> = {
  document: { en: "; correct it and issue it again", el: "· διορθώστε το και εκδώστε το ξανά" },
  message: { en: "; its documents are sent one by one", el: "· τα παραστατικά του στέλνονται ένα ένα" },
  cancellation: { en: "; the document stays as it is", el: "· το παραστατικό μένει όπως είναι" },
  listing: sameInBoth(""),
};

const REPORT_DEFECT: Text = {
  en: "; report this as a defect",
  el: "· αναφέρετέ το ως σφάλμα του προγράμματος",
};

export type Failure = RejectedOutcome | CredentialsRefusedOutcome | UnknownOutcome;

/**
 * `message` with the authority's own words: the first code, the messages joined by `; `
 * (docs/contract.md#error-object), and the response as read.
 */
function errorFrom(response: AuthorityResponse, code: ErrorCode, message: Text): ErrorObject {
  const first = response.errors.find((error) => error.code !== null)?.code ?? null;
  const words = response.errors.flatMap((error) => (error.message === null ? [] : [error.message]));
  return buildErrorObject(code, message, {
    ...(first === null ? {} : { providerCode: first }),
    ...(words.length === 0 ? {} : { providerMessage: words.join("; ") }),
    providerRaw: response.raw,
  });
}

/** Something is, or may be, registered; a lookup decides. It is made automatically, so the caller has nothing to do. */
export function unknownFrom(response: AuthorityResponse, message: Text): UnknownOutcome {
  return { kind: "unknown", error: errorFrom(response, "provider_unavailable", message) };
}

/** The XML does not fit the schema: the message was not read, and nothing was registered. */
function isSyntaxError(response: AuthorityResponse): boolean {
  return (
    response.statusCode === "XMLSyntaxError" || response.errors.some(({ code }) => code === SYNTAX_ERROR)
  );
}

/**
 * Classifies a response without success (docs/authority.md#error-classes). Only what the authority calls a validation
 * error is a verdict; anything else leaves the outcome open.
 */
export function interpretRefusal(response: AuthorityResponse, subject: Subject): Failure {
  const name = NAMES[subject];
  const first = response.errors[0] ?? { code: null, message: null };
  const verdicts = response.errors.map(({ code, message }) => verdictOf(code, message));
  if (verdicts.includes("credentials")) {
    const reason = meaningOf(response.errors[verdicts.indexOf("credentials")]?.code ?? null);
    const message = {
      en: `The tax authority refuses the account: ${reason?.en}; check the connection and verify it again`,
      el: `Η ΑΑΔΕ δεν δέχεται τον λογαριασμό: ${reason?.el}· ελέγξτε τη σύνδεση και επαληθεύστε την ξανά`,
    };
    const refusals = response.errors.filter((_, index) => verdicts[index] === "credentials");
    return {
      kind: "credentials_refused",
      error: errorFrom(response, "provider_credentials_invalid", message),
      ...(refusals.every(({ code }) => isAboutSupplier(code)) ? { isAboutSupplier: true } : {}),
    };
  }
  if (response.statusCode === "TechnicalError" || verdicts.includes("technical")) {
    return unknownFrom(response, {
      en: `The tax authority had a technical error with ${name.en}`,
      el: `Η ΑΑΔΕ είχε τεχνικό σφάλμα με ${name.el}`,
    });
  }
  if (verdicts.includes("registered")) {
    return unknownFrom(response, {
      en: `The tax authority already knows the uid of ${name.en}`,
      el: `Η ΑΑΔΕ γνωρίζει ήδη το uid για ${name.el}`,
    });
  }
  if (isSyntaxError(response)) {
    const next = subject === "message" ? NEXT_STEPS.message : REPORT_DEFECT;
    const message = {
      en: `The tax authority could not read ${name.en} (${SYNTAX_ERROR}): its XML does not fit the schema${next.en}`,
      el: `Η ΑΑΔΕ δεν μπόρεσε να διαβάσει ${name.el} (${SYNTAX_ERROR}): το XML δεν ταιριάζει με το σχήμα${next.el}`,
    };
    return { kind: "rejected", error: errorFrom(response, "provider_rejected", message) };
  }
  if (response.statusCode !== "ValidationError") {
    return unknownFrom(response, {
      en: `The tax authority answered about ${name.en} with an unknown status`,
      el: `Η ΑΑΔΕ απάντησε για ${name.el} με άγνωστη κατάσταση`,
    });
  }
  const reason = meaningOf(first.code);
  const code = first.code === null ? "" : ` (${first.code})`;
  const next = NEXT_STEPS[subject];
  const message = {
    en: `The tax authority refused ${name.en}${code}${reason === undefined ? "" : `: ${reason.en}`}${next.en}`,
    el: `Η ΑΑΔΕ απέρριψε ${name.el}${code}${reason === undefined ? "" : `: ${reason.el}`}${next.el}`,
  };
  return { kind: "rejected", error: errorFrom(response, "provider_rejected", message) };
}
