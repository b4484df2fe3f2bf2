/** Sends one document. What it needs is looked up first, so that a refusal before sending leaves nothing at the provider. */
import { isObject } from "../../foundation/json.ts";
import type { Text } from "../../foundation/text.ts";
import { validationError } from "../../foundation/errors.ts";
import type { CallRecorder, IssueOutcome, OutgoingDocument } from "../../domain/provider-adapter.ts";
import { type Readable } from "./answers.ts";
import { type FoundBook, findBook, forgetLookups, findBranch } from "./books.ts";
import { completeCustomer } from "./customer.ts";
import { askFor, readInvoice } from "./invoices.ts";
import { checkForProviderA, UNSUPPORTED_CODE, buildPayload, type LookedUp } from "./payload.ts";
import { type Refusal, rejectionOf, topicOf, unclear, undecidedOf, waitsFor } from "./refusals.ts";
import { type Session, writeBody } from "./session.ts";

/** The refusal that acceptance would give too; undefined if the document can be sent. */
function refuseUnsupported(document: OutgoingDocument, today: string): IssueOutcome | undefined {
  const problems = checkForProviderA({ ...document.input, payments: [...document.payments] }, today);
  if (problems.length === 0) return undefined;
  const error = validationError(problems).toOutcomeError();
  return { kind: "rejected", error: { ...error, code: UNSUPPORTED_CODE } };
}

export async function issueDocument(
  session: Session,
  document: OutgoingDocument,
  today: () => string,
): Promise<IssueOutcome> {
  const refused = refuseUnsupported(document, today());
  if (refused !== undefined) return refused;
  const customer = await completeCustomer(session, document);
  if (customer.kind !== "counterpart") return customer;
  const branch = await findBranch(session, document);
  if (branch.kind !== "branch") return branch;
  // Last of the three, because it may create a book.
  const book = await findBook(session, document, false);
  if (book.kind !== "book") return book;
  // Midnight may have passed during the lookups.
  const late = refuseUnsupported(document, today());
  if (late !== undefined) return late;
  const lookedUp = { counterpart: customer.counterpart, branchId: branch.id, bookId: book.id };
  const sent = await sendOnce(session, document, lookedUp, session.call.evidence);
  if (sent.kind !== "book_refused") return sent;
  return sendWithOtherBook(session, document, lookedUp, { book, refusal: sent.outcome });
}

type Sent = IssueOutcome | { kind: "book_refused"; outcome: IssueOutcome };

async function sendOnce(
  session: Session,
  document: OutgoingDocument,
  lookedUp: LookedUp,
  recorder: CallRecorder,
): Promise<Sent> {
  const body = buildPayload(document, lookedUp);
  await session.call.filing([{ index: 0, text: writeBody(body) }]);
  const reply = await session.send("issue", recorder, { method: "POST", path: "/invoices", body });
  return reply.kind === "read" ? decideOutcome(session, document, reply) : reply;
}

async function decideOutcome(session: Session, document: OutgoingDocument, reply: Readable): Promise<Sent> {
  const reading = readInvoice(reply, { document, providerRef: null });
  if (reading.kind !== "refusal")
    return isMissingAddress(reply) ? waitsFor(undefined, wrongAddress(reply.status)) : reading;
  const { refusal } = reading;
  const undecided = undecidedOf(refusal);
  if (undecided !== undefined) return undecided;
  const topic = reply.status === 402 ? "quota" : topicOf(refusal);
  if (topic === "reference_taken") return readBack(session, document, undefined);
  // What was looked up may be out of date.
  if (refusal.by !== "authority") forgetLookups(session);
  if (topic === "billing_book") return { kind: "book_refused", outcome: rejectionOf(refusal) };
  if (isMissingAddress(reply)) return waitsFor(refusal, wrongAddress(reply.status));
  // A refusal without a sender may come from a gateway behind which the document was accepted.
  if (refusal.by === "unnamed" && topic === "other" && !isByField(refusal))
    return readBack(session, document, refusal);
  return rejectionOf(refusal, topic);
}

/** Errors by request field come from the party that read the request. */
function isByField({ raw }: Refusal): boolean {
  return isObject(raw) && isObject(raw["errors"]);
}

/** A wrong address in the configuration says nothing about the document, and nothing there accepted it. */
function isMissingAddress({ status }: Readable): boolean {
  return status === 404 || status === 405;
}

const wrongAddress = (status: number): Text => ({
  en: `The provider does not accept invoices at the configured address (HTTP ${status}); check providers.provider_a`,
  el: `Ο πάροχος δεν δέχεται παραστατικά στη διεύθυνση των ρυθμίσεων (HTTP ${status})· ελέγξτε το providers.provider_a`,
});

/**
 * Retries once with another book, if there is one: a remembered one may be gone, and a covering one is not always
 * accepted.
 */
async function sendWithOtherBook(
  session: Session,
  document: OutgoingDocument,
  lookedUp: LookedUp,
  refused: { book: FoundBook; refusal: IssueOutcome },
): Promise<IssueOutcome> {
  const book = await findBook(session, document, !refused.book.isExact);
  if (book.kind !== "book") return book;
  if (book.id === refused.book.id) return refused.refusal;
  const recorder = await session.call.begin("issue", "operation");
  const sent = await sendOnce(session, document, { ...lookedUp, bookId: book.id }, recorder);
  return sent.kind === "book_refused" ? sent.outcome : sent;
}

/**
 * Reads the document back if it may be registered, and never sends it under another id: our id is in use, by an earlier send without an
 * answer, or a `refusal` has no sender, and counts only if the provider does not know the document.
 */
async function readBack(
  session: Session,
  document: OutgoingDocument,
  refusal: Refusal | undefined,
): Promise<IssueOutcome> {
  const state = await askFor(session, "issue", null, { document, providerRef: null });
  switch (state.kind) {
    case "absent":
      return refusal === undefined ? unclear() : rejectionOf(refusal);
    case "not_sent":
    case "credentials_refused":
      return unclear();
    default:
      return state;
  }
}
