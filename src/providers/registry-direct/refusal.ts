/** Turns a response without success (to a send, a listing or a cancellation) into an outcome. Pure. */
import { buildErrorObject, type ErrorCode, type ErrorObject } from "../../foundation/errors.ts";
import { sameInBoth, type Text } from "../../foundation/text.ts";
import type {
  CredentialsRefusedOutcome,
  RejectedOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import type { AuthorityResponse } from "./answers.ts";
import { isAboutSupplier, meaningOf, SYNTAX_ERROR, verdictOf } from "../../domain/authority-codes.ts";

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
export function isSyntaxError(response: AuthorityResponse): boolean {
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
