/** Asks for one invoice, and interprets what the provider says about it (docs/provider-a.md#responses). */
import { isObject, type JsonObject } from "../../foundation/json.ts";
import { isWebAddress } from "../exchange.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import type { Text } from "../../foundation/text.ts";
import { MARK_FORM } from "../../domain/canonical-document.ts";
import { UID_FORM } from "../../domain/series.ts";
import type {
  AcceptedOutcome,
  CallRecorder,
  FailedQuery,
  IssuedOutcome,
  OutgoingDocument,
  Registration,
  RejectedOutcome,
  UnknownOutcome,
} from "../../domain/provider-adapter.ts";
import type { Readable } from "./answers.ts";
import { coveringType } from "./books.ts";
import type { Session } from "./session.ts";
import type { CallOperation } from "../../../storage/stored-values.ts";
import {
  centsOf,
  readRefusal,
  type Refusal,
  rejectionOf,
  textOf,
  topicOf,
  unclear,
  undecidedOf,
} from "./refusals.ts";

/** The document that was sent, and the provider's id for it; null if unknown. */
export interface Subject {
  document: OutgoingDocument;
  providerRef: string | null;
}

export type Reading =
  | IssuedOutcome
  | AcceptedOutcome
  | { kind: "refusal"; refusal: Refusal }
  | UnknownOutcome;

/** `reference` is the provider's id or ours; both work everywhere except for PDFs. */
export function invoicePath(reference: string): string {
  return `/invoices/${encodeURIComponent(reference)}`;
}

/**
 * Asks by the provider's id if known, otherwise (as after a send without an answer) by ours. Recorded on `recorder`, or as a call of its own
 * if that is null.
 */
export async function askFor(
  session: Session,
  operation: CallOperation,
  recorder: CallRecorder | null,
  subject: Subject,
): Promise<StateReading | FailedQuery> {
  const path = invoicePath(subject.providerRef ?? subject.document.id);
  const reply = await session.send(operation, recorder, { method: "GET", path });
  return reply.kind === "read" ? readState(reply, subject) : reply;
}

/** A state that waiting does not resolve, so a person has to look. It stays unknown, so that nothing is sent again. */
function suspicious(message: Text): UnknownOutcome {
  return { kind: "unknown", error: buildErrorObject("internal_error", message, { retryable: true }) };
}

/** Reads the reply to a send or a lookup. Only id and MARK together prove an issued document; HTTP 200 proves nothing. */
export function readInvoice({ status, body }: Readable, subject: Subject): Reading {
  const refusal = readRefusal(body);
  const id = isObject(body) ? (textOf(body["id"]) ?? textOf(body["invoice_id"])) : undefined;
  if (refusal !== undefined) {
    // With both an invoice and errors, it is asked again.
    return id === undefined ? { kind: "refusal", refusal } : unclear();
  }
  if (!isObject(body) || id === undefined || status >= 300) return unclear();
  if (body["draft"] === true || /draft/i.test(textOf(body["status"]) ?? "")) {
    return suspicious({
      en: "The provider has the document as a draft; issue or delete it there",
      el: "Ο πάροχος έχει το παραστατικό ως πρόχειρο· εκδώστε το ή διαγράψτε το εκεί",
    });
  }
  if (isOfAnother(body, id, subject)) {
    return suspicious({
      en: "The provider's response is about another document; compare the two there",
      el: "Η απάντηση του παρόχου αφορά άλλο παραστατικό· συγκρίνετε τα δύο εκεί",
    });
  }
  return readStanding(body, id);
}

function readStanding(body: JsonObject, id: string): Reading {
  const mark = textOf(body["my_data_mark"]);
  const isPending = /^pending$/i.test(textOf(body["status"]) ?? "");
  // A QR code or a uid is not a MARK: while the authority is down, invoices have them without one.
  if (mark === undefined || isPending) return { kind: "accepted", providerRef: id, ...registrationOf(body) };
  if (MARK_FORM.test(mark)) return { kind: "issued", mark, ...registrationOf(body) };
  return unclear();
}

const SERIES_LENGTH_MAX = 50;
/** A SHA-1 according to the authority, but providers may write it as they like: it is stored and printed unchanged. */
const AUTHENTICATION_CODE_FORM = /^[\x21-\x7e]{1,100}$/;

function registrationOf(body: JsonObject): Registration {
  const uid = textOf(body["my_data_uid"])?.toUpperCase();
  const qrUrl = textOf(body["my_data_qr_url"]);
  const series = textOf(body["series"]);
  const number = Number(textOf(body["num"]) ?? Number.NaN);
  const code = textOf(body["authentication_code"]);
  return {
    uid: uid !== undefined && UID_FORM.test(uid) ? uid : null,
    qrUrl: qrUrl !== undefined && isWebAddress(qrUrl) ? qrUrl : null,
    ...(series !== undefined && series.length <= SERIES_LENGTH_MAX ? { series } : {}),
    ...(Number.isSafeInteger(number) && number > 0 ? { number } : {}),
    ...(code !== undefined && AUTHENTICATION_CODE_FORM.test(code) ? { authenticationCode: code } : {}),
  };
}

/** Whether the reply shows a different identity. Some replies show little of it, and none shows all. */
function isOfAnother(body: JsonObject, id: string, { document, providerRef }: Subject): boolean {
  if (providerRef !== null && id !== providerRef) return true;
  const reference = textOf(body["external_id"]);
  // The provider compares references without regard to case. Ours in another case is someone else's, unless the
  // provider folds all of them.
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

export type StateReading = Exclude<Reading, { kind: "refusal" }> | RejectedOutcome | { kind: "absent" };

/** Reads the reply to GET /invoices/{its id or ours}. `absent`: the provider knows no such invoice. */
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
    // A refused question says nothing about the earlier send.
    return { kind: "unknown", error: undecided.error };
  }
  // A refusal by name concerns the invoice; otherwise the question was refused.
  if (refusal.by !== "unnamed") return rejectionOf(refusal);
  return reply.status === 404 ? { kind: "absent" } : unclear(refusal);
}
