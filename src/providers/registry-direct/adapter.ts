/**
 * registry_direct: the tax authority's own REST API for ERPs (docs/authority.md). It returns the MARK at once and
 * accepts the same document twice, under a second MARK (docs/authority.md#erp-duplicates). A send that got no answer
 * is therefore looked up in the listing of its day and type before anything is sent again.
 */
import type {
  CallContext,
  CallRecorder,
  CancellationLookup,
  CancelOutcome,
  ProviderAdapter,
  SentDocument,
  VerifyOutcome,
} from "../../domain/provider-adapter.ts";
import { openSession, type Session } from "./client.ts";
import { REGISTRY_DIRECT } from "./description.ts";
import { issueDocuments } from "./issue.ts";
import { listDocuments, listRefusals, listVatFigures } from "./lists.ts";
import { listTransmitted, queryMarks, reconcileDocuments } from "./lookup.ts";
import { buildInvoicesDoc } from "./payload.ts";
import { checkForRegistry } from "./precheck.ts";
import { readDocument } from "./read-document.ts";
import { type ClientOptions, unknown } from "../exchange.ts";
import { readResponses } from "./answers.ts";
import { ALREADY_CANCELLED } from "../../domain/authority-codes.ts";
import { interpretRefusal, unclear, UNCLEAR } from "./outcome.ts";

export interface RegistryDirectOptions extends ClientOptions {
  /**
   * How long a document must be missing from the listing before it is sent again. How late documents are listed is
   * not published.
   */
  settleSeconds: number;
}

/** Lookups that must find nothing, because one listing may be out of date. */
const SETTLE_ASKINGS = 3;

export function createRegistryDirect(options: RegistryDirectOptions): ProviderAdapter {
  const open = (call: CallContext) => openSession(options, call);
  return {
    ...REGISTRY_DIRECT,
    settle: { askings: SETTLE_ASKINGS, seconds: options.settleSeconds },
    check: checkForRegistry,
    buildPayload: (document) => buildInvoicesDoc([document]),
    issue: (documents, call) => issueDocuments(open(call), documents),
    status: (documents, call) => queryMarks(open(call), documents),
    reconcile: (documents, call) => reconcileDocuments(open(call), documents),
    cancel: (document, call) => cancelMark(open(call), document),
    findCancellation: (document, call) => findCancellation(open(call), document),
    fetchPdf: async () => ({ kind: "none" }),
    listDocuments: (query, call) => listDocuments(open(call), query),
    listVatFigures: (query, call) => listVatFigures(open(call), query),
    listRefusals: (query, call) => listRefusals(open(call), query),
    readDocument: (mark, call) => readDocument(open(call), mark),
    verify: (call) => verify(open(call)),
  };
}

/** MARKs have 15 digits and start with 4, so no listing has anything above this one. */
const ABOVE_ALL_MARKS = "999999999999999";

/**
 * An empty listing is the cheapest request that needs the account. It proves the user id and the key, not that the
 * account may issue for a tax number; that shows with the first document (errors 105, 201).
 */
async function verify(session: Session): Promise<VerifyOutcome> {
  const listing = await listTransmitted(session, session.call.evidence, { above: ABOVE_ALL_MARKS });
  if (listing.kind === "listed") return { kind: "accepted" };
  if (listing.kind === "credentials_refused") return { kind: "refused", error: listing.error };
  return { kind: "unavailable", error: listing.error };
}

function markOf({ id, mark }: SentDocument): string {
  if (mark === null) throw new Error(`The document ${id} has no MARK to be cancelled`);
  return mark;
}

/** Cancels the document's MARK. If someone already cancelled it, that cancellation is looked up and counts as ours. */
async function cancelMark(session: Session, document: SentDocument): Promise<CancelOutcome> {
  const mark = markOf(document);
  const request = { method: "CancelInvoice", query: { mark } } as const;
  const reply = await session.send(session.call.evidence, request);
  if (reply.kind === "message_refused") return { kind: "not_sent", error: reply.error };
  if (reply.kind !== "read") return reply;
  const [response, ...more] = readResponses(reply.root) ?? [];
  if (response === undefined || more.length > 0) return unknown(UNCLEAR);
  if (response.statusCode === "Success") {
    const { cancellationMark } = response;
    return cancellationMark === null ? unclear(response) : { kind: "cancelled", cancellationMark };
  }
  if (response.errors.some(({ code }) => code === ALREADY_CANCELLED)) {
    const found = await lookUp(session, await session.call.begin("status", "operation"), mark);
    // The authority may call a replaced document cancelled and list no cancellation (docs/authority.md#several-marks).
    return {
      kind: "cancelled",
      cancellationMark: found.kind === "cancelled" ? found.cancellationMark : null,
    };
  }
  return interpretRefusal(response, "cancellation");
}

function findCancellation(session: Session, document: SentDocument): Promise<CancellationLookup> {
  return lookUp(session, session.call.evidence, markOf(document));
}

/** Lists this one MARK: the lower bound is exclusive, the upper one inclusive. */
async function lookUp(session: Session, recorder: CallRecorder, mark: string): Promise<CancellationLookup> {
  const above = String(BigInt(mark) - 1n);
  const listing = await listTransmitted(session, recorder, { above, upTo: mark });
  if (listing.kind !== "listed") return listing;
  const invoice = listing.invoices.find((listed) => listed.mark === mark);
  const cancellationMark = invoice?.cancelledByMark ?? listing.cancellations.get(mark);
  if (cancellationMark !== undefined) return { kind: "cancelled", cancellationMark };
  if (invoice !== undefined) return { kind: "not_cancelled" };
  // Two cancellations can both succeed, so a document missing from the listing is not cancelled again.
  return unknown(UNCLEAR);
}
