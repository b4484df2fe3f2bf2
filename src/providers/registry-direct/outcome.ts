/** Derives the outcome of each document from the response to a SendInvoices message (docs/authority.md#responses). Pure. */
import { buildErrorObject } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import type { IssueOutcome, OutgoingDocument, UnknownOutcome } from "../../domain/provider-adapter.ts";
import type { AuthorityResponse } from "./answers.ts";
import { isSyntaxError, interpretRefusal, unknownFrom } from "./refusal.ts";

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
      return unanswered({
        en: "The tax authority's response does not mention the document",
        el: "Η απάντηση της ΑΑΔΕ δεν αναφέρει το παραστατικό",
      });
    if (more.length > 0)
      return unanswered({
        en: "The tax authority's response mentions the document more than once",
        el: "Η απάντηση της ΑΑΔΕ αναφέρει το παραστατικό πάνω από μία φορά",
      });
    return interpretResponse(response, document, documents.length === 1);
  });
}

function unanswered(message: Text): UnknownOutcome {
  return { kind: "unknown", error: buildErrorObject("provider_unavailable", message) };
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
        el: "Η ΑΑΔΕ αναφέρει επιτυχία χωρίς MARK",
      });
    return { kind: "issued", mark, uid: response.uid ?? document.uid, qrUrl };
  }
  if (response.mark !== null) {
    return unknownFrom(response, {
      en: "The tax authority reports both an error and a MARK",
      el: "Η ΑΑΔΕ αναφέρει και σφάλμα και MARK",
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
