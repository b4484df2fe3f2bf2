/** Looks up in the sandbox's ledger what happened to documents that were sent. */
import type {
  CallContext,
  ReconcileOutcome,
  SentDocument,
  StatusOutcome,
} from "../../domain/provider-adapter.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { assertTest, uidOf } from "./simulated-exchange.ts";
import type { Filing } from "./ledger.ts";
import type { SandboxOptions } from "./simulated-exchange.ts";
import { recordBodilessRequest, recordResponse, urlOf } from "./simulated-exchange.ts";

const NOT_FILED = buildErrorObject(
  "internal_error",
  {
    en: "The sandbox has no record of this document; its ledger is a different one",
    el: "Το sandbox δεν έχει καταχωρίσει αυτό το παραστατικό· έχει άλλο μητρώο",
  },
  { retryable: true },
);

type Found = Extract<ReconcileOutcome, { kind: "issued" | "accepted" }>;

export async function askForMarks(
  options: SandboxOptions,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<StatusOutcome[]> {
  const found = await lookUp(options, call, documents);
  return found.map((outcome) => outcome ?? { kind: "unknown", error: NOT_FILED });
}

export async function reconcileDocuments(
  options: SandboxOptions,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<ReconcileOutcome[]> {
  const found = await lookUp(options, call, documents);
  return found.map((outcome) => outcome ?? { kind: "absent" });
}

/** Returns one outcome for each document, in the same order; undefined if the ledger does not have it. They share one exchange. */
async function lookUp(
  options: SandboxOptions,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<(Found | undefined)[]> {
  assertTest(call);
  const uids = documents.map(uidOf);
  const filings = await options.ledger.findByUids([...new Set(uids)]);
  const query = uids.map((uid) => `uid=${uid}`).join("&");
  recordBodilessRequest(call.evidence, "GET", `${urlOf(options, "RequestTransmittedDocs")}?${query}`);
  const byUid = Map.groupBy(filings, ({ uid }) => uid);
  const found = uids.map((uid) => findOutcome(options, byUid.get(uid) ?? [], call.nowMs()));
  recordResponse(call.evidence, 200, {
    invoices: found.flatMap((one) => (one === undefined ? [] : listed(one))),
  });
  return found;
}

/** A document in the response. One without a MARK is filed, and gets it later. */
function listed(found: Found): { invoiceUid: string | null; invoiceMark?: string } {
  return found.kind === "issued"
    ? { invoiceUid: found.uid, invoiceMark: found.mark }
    : { invoiceUid: found.uid };
}

/** The last filing that is not cancelled is the document's; others with the same uid are surplus. */
function findOutcome(options: SandboxOptions, filings: readonly Filing[], nowMs: number): Found | undefined {
  const valid = filings.filter((filing) => filing.cancellationMark === null);
  const [last, ...surplus] = (valid.length > 0 ? valid : filings.slice(-1)).toReversed();
  if (last === undefined) return undefined;
  const { uid, mark } = last;
  if (Date.parse(last.markAt) > nowMs) return { kind: "accepted", providerRef: uid, uid, qrUrl: null };
  const qrUrl = urlOf(options, `documents/${mark}`);
  return { kind: "issued", mark, uid, qrUrl, surplusMarks: surplus.map((filing) => filing.mark) };
}
