/**
 * provider_a: the licensed provider described in docs/provider-a.md. It takes one document at a time, dates and
 * numbers it itself, and stores it under our document id, which is unique there: a send that got no answer is read
 * back by that id, and a second send is refused. Issued documents cannot be cancelled, only credited.
 */
import type {
  ProviderAdapter,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
  VerifyOutcome,
} from "../../domain/provider-adapter.ts";
import { PROVIDER_A } from "./description.ts";
import {
  buildPayload,
  CHECK_WITHHELD,
  checkForProviderA,
  SUSPENSION_IS_NOT_SENT,
  UNSUPPORTED_CODE,
} from "./payload.ts";
import { unavailable, unknown } from "../exchange.ts";
import { invoicePath, readState } from "./invoices.ts";
import { issueDocument } from "./issue.ts";
import { listDocuments } from "./list-documents.ts";
import { fetchPdf } from "./pdf.ts";
import { errorOf, isObject, readRefusal } from "./refusals.ts";
import { type ClientOptions, createSessions, type Session } from "./session.ts";

interface ProviderAOptions extends ClientOptions {
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
}

/**
 * What it accepts shows at once under our id; that it accepted nothing is certain only after several lookups
 * (docs/provider-a.md#lost-sends).
 */
const SETTLE = { askings: 3, seconds: 120 } as const;

function neverCancelled(): never {
  throw new Error("provider_a cannot cancel a document: it is credited instead");
}

export function createProviderA(options: ProviderAOptions): ProviderAdapter {
  const open = createSessions(options);
  return {
    ...PROVIDER_A,
    settle: SETTLE,
    check: (document, { today, vatPaymentSuspension }) => ({
      problems: checkForProviderA(document, today),
      warnings: [
        ...(vatPaymentSuspension ? [SUSPENSION_IS_NOT_SENT] : []),
        ...(document.taxes === undefined ? [] : [CHECK_WITHHELD]),
      ],
      code: UNSUPPORTED_CODE,
    }),
    buildPayload: (document) => buildPayload(document),
    issue: async (documents, call) => [
      await issueDocument(open(call), onlyOf(documents), () => options.today()),
    ],
    status: async (documents, call) => [await askForMark(open(call), onlyOf(documents))],
    // By our id even if theirs is known: the send is in doubt, and it carried ours.
    reconcile: async (documents, call) => [await askFor(open(call), onlyOf(documents), null)],
    cancel: neverCancelled,
    findCancellation: neverCancelled,
    fetchPdf: async (document, call) => fetchPdf(open(call), document, options),
    listDocuments: async (query, call) => listDocuments(open(call), query),
    verify: async (call) => verify(open(call)),
  };
}

/** Asks by the provider's id if known, otherwise (as after a send without an answer) by ours. */
async function askFor(
  session: Session,
  document: SentDocument,
  providerRef: string | null,
): Promise<ReconcileOutcome> {
  const path = invoicePath(providerRef ?? document.id);
  const reply = await session.send("status", session.call.evidence, { method: "GET", path });
  return reply.kind === "read" ? readState(reply, { document, providerRef }) : reply;
}

async function askForMark(session: Session, document: SentDocument): Promise<StatusOutcome> {
  const state = await askFor(session, document, document.providerRef);
  if (state.kind === "absent") {
    return unknown({
      en: "The provider does not show the document it accepted; it will be asked again",
      el: "Ο πάροχος δεν δείχνει το παραστατικό που δέχτηκε· θα ερωτηθεί ξανά",
    });
  }
  if (state.kind === "number_taken")
    throw new Error("A provider that numbers has no number of ours to refuse");
  return state;
}

/**
 * Always logs in again, because a token outlives credentials that were withdrawn. An account without a plan, or not
 * yet allowed to issue (`has_plan`, `issue_invoice_status`), is accepted: its credentials are right, and issuing will
 * report what it may not do.
 */
async function verify(session: Session): Promise<VerifyOutcome> {
  session.account.token = undefined;
  const request = { method: "GET", path: "/tenant_details" } as const;
  const reply = await session.send("verify", session.call.evidence, request);
  if (reply.kind === "credentials_refused") return { kind: "refused", error: reply.error };
  if (reply.kind !== "read") return { kind: "unavailable", error: reply.error };
  const refusal = readRefusal(reply.body);
  if (refusal === undefined && reply.status < 300 && isObject(reply.body)) return { kind: "accepted" };
  const message = {
    en: "The provider accepted the credentials but does not show the account; verify again later",
    el: "Ο πάροχος δέχτηκε τα διαπιστευτήρια αλλά δεν δείχνει τον λογαριασμό· επαληθεύστε ξανά αργότερα",
  };
  const error =
    refusal === undefined ? unavailable(message) : errorOf(refusal, "provider_unavailable", message);
  return { kind: "unavailable", error };
}

function onlyOf<T>(documents: readonly T[]): T {
  const [document] = documents;
  if (document === undefined || documents.length > 1)
    throw new Error("provider_a takes one document at a time");
  return document;
}
