/** The network operations of provider_a, loaded on first use. */
import { unavailable, unknown } from "../exchange.ts";
import type {
  ProviderAdapter,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
  VerifyOutcome,
} from "../../domain/provider-adapter.ts";

import { isObject } from "./fields.ts";
import { invoicePath, readState } from "./invoices.ts";
import { issueDocument } from "./issue.ts";
import { listDocuments } from "./list-documents.ts";
import { fetchPdf } from "./pdf.ts";
import type { ClientOptions } from "./client.ts";
import { errorOf, readRefusal } from "./refusals.ts";
import { createSessions, type Session } from "./session.ts";

/** Options of provider_a. */
export interface ProviderAOptions extends ClientOptions {
  /** Today's date in Athens, `YYYY-MM-DD`. */
  today(): string;
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

/** The adapter's methods that call the provider. */
export type ProviderAOperations = Pick<
  ProviderAdapter,
  "issue" | "status" | "reconcile" | "fetchPdf" | "verify"
> &
  Required<Pick<ProviderAdapter, "listDocuments">>;

export function createOperations(options: ProviderAOptions): ProviderAOperations {
  const open = createSessions(options);
  return {
    issue: async (documents, call) => [
      await issueDocument(open(call), onlyOf(documents), () => options.today()),
    ],
    status: async (documents, call) => [await askForMark(open(call), onlyOf(documents))],
    // By our id even if theirs is known: the send is in doubt, and it carried ours.
    reconcile: async (documents, call) => [await askFor(open(call), onlyOf(documents), null)],
    fetchPdf: async (document, call) => fetchPdf(open(call), document, options),
    listDocuments: async (query, call) => listDocuments(open(call), query),
    verify: async (call) => verify(open(call)),
  };
}
