/** What the provider says of one invoice (providers facts A, Answers): issued, pending, refused, or somebody else's. Pure. */
import { buildErrorObject } from "../../foundation/errors.ts";
import { MARK_FORM } from "../../domain/canonical-document.ts";
import type {
  AcceptedOutcome,
  IssuedOutcome,
  OutgoingDocument,
  Registration,
  RejectedOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import { type Readable, unavailable } from "./answers.ts";
import { coveringType } from "./book-choice.ts";
import { centsOf, isObject, type JsonObject, textOf } from "./fields.ts";
import { errorOf, readRefusal, type Refusal, rejectionOf, topicOf, undecidedOf } from "./refusals.ts";

/** What was sent, and the id that the provider gave it; null while none is known. */
export interface Subject {
  document: OutgoingDocument;
  providerRef: string | null;
}

export type Reading =
  | IssuedOutcome
  | AcceptedOutcome
  | { kind: "refusal"; refusal: Refusal }
  | UnknownOutcome;

/** `reference`: the provider's id or ours, which it takes everywhere but for PDFs. */
export function invoicePath(reference: string): string {
  return `/invoices/${encodeURIComponent(reference)}`;
}

function unknown(message: string): UnknownOutcome {
  return { kind: "unknown", error: unavailable(message) };
}

/** Something that no waiting mends: a person has to look. It stays unknown, so that nothing is sent again. */
function suspicious(message: string): UnknownOutcome {
  return { kind: "unknown", error: buildErrorObject("internal_error", message, { retryable: true }) };
}

/** An answer to a send or to an asking. Only id and MARK together are an issued document: HTTP 200 says nothing. */
export function readInvoice({ status, body }: Readable, subject: Subject): Reading {
  const refusal = readRefusal(body);
  const id = isObject(body) ? (textOf(body["id"]) ?? textOf(body["invoice_id"])) : undefined;
  if (refusal !== undefined) {
    if (id === undefined) return { kind: "refusal", refusal };
    return unknown("The provider's answer names an invoice and errors at once; it is asked again");
  }
  if (!isObject(body) || id === undefined || status >= 300) {
    return unknown(`The provider's answer does not tell what became of the document (HTTP ${status})`);
  }
  if (body["draft"] === true || /draft/i.test(textOf(body["status"]) ?? "")) {
    return suspicious("The provider holds the document as a draft; issue or delete it there");
  }
  if (isOfAnother(body, id, subject)) {
    return suspicious("The provider's answer is about another document; compare the two there");
  }
  return readStanding(body, id);
}

function readStanding(body: JsonObject, id: string): Reading {
  const mark = textOf(body["my_data_mark"]);
  const isPending = /^pending$/i.test(textOf(body["status"]) ?? "");
  // A QR code or a uid is not a MARK: while the authority is down they come without one.
  if (mark === undefined || isPending) return { kind: "accepted", providerRef: id, ...registrationOf(body) };
  if (MARK_FORM.test(mark)) return { kind: "issued", mark, ...registrationOf(body) };
  return unknown("The provider's answer has a MARK that is none; it is asked again");
}

const UID_FORM = /^[0-9A-F]{40}$/;
const SERIES_LENGTH_MAX = 50;

function registrationOf(body: JsonObject): Registration {
  const uid = textOf(body["my_data_uid"])?.toUpperCase();
  const qrUrl = textOf(body["my_data_qr_url"]);
  const series = textOf(body["series"]);
  const number = Number(textOf(body["num"]) ?? Number.NaN);
  return {
    uid: uid !== undefined && UID_FORM.test(uid) ? uid : null,
    qrUrl: qrUrl !== undefined && isWebAddress(qrUrl) ? qrUrl : null,
    ...(series !== undefined && series.length <= SERIES_LENGTH_MAX ? { series } : {}),
    ...(Number.isSafeInteger(number) && number > 0 ? { number } : {}),
  };
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

/** Whatever of its identity the answer shows must be the document's: some answers show little, and none shows all. */
function isOfAnother(body: JsonObject, id: string, { document, providerRef }: Subject): boolean {
  if (providerRef !== null && id !== providerRef) return true;
  const reference = textOf(body["external_id"]);
  // The provider compares references without regard to case. Ours in another case is another's, unless it folds them all.
  const isOurs = reference === document.id || reference === document.id.toLowerCase();
  if (reference !== undefined && !isOurs) return true;
  const { input, sentType } = document;
  const type = textOf(body["invoice_type_code"]);
  if (type !== undefined && type !== sentType && type !== coveringType(sentType)) return true;
  const gross = centsOf(body["total_amount"]);
  if (gross !== undefined && gross !== input.totals.gross) return true;
  const counterpart = body["counterpart"];
  const vat = isObject(counterpart) ? textOf(counterpart["vat"]) : undefined;
  const customer = input.customer?.tax_id.code;
  return vat !== undefined && customer !== undefined && vat.replace(/^(EL|GR)/i, "") !== customer;
}

export type StateReading =
  | IssuedOutcome
  | AcceptedOutcome
  | RejectedOutcome
  | { kind: "absent" }
  | UnknownOutcome;

/** The answer to GET /invoices/{id or our id}. `absent`: the provider was asked and knows no such invoice. */
export function readState(reply: Readable, subject: Subject): StateReading {
  const reading = readInvoice(reply, subject);
  if (reading.kind !== "refusal") {
    const isBareMiss = reply.status === 404 && reading.kind === "unknown";
    return isBareMiss ? { kind: "absent" } : reading;
  }
  const { refusal } = reading;
  if (topicOf(refusal) === "not_found") return { kind: "absent" };
  const undecided = undecidedOf(refusal);
  if (undecided !== undefined) {
    // A question is no send: what the account may not do now says nothing of what was taken then.
    return { kind: "unknown", error: undecided.error };
  }
  // Whoever refused is named where it is the invoice that was refused; otherwise it is the question.
  if (refusal.by !== "unnamed") return rejectionOf(refusal);
  if (reply.status === 404) return { kind: "absent" };
  const message = "The provider did not tell what became of the document; it is asked again";
  return { kind: "unknown", error: errorOf(refusal, "provider_unavailable", message) };
}
