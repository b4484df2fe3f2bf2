/**
 * The sandbox: a provider inside the process, for test keys (docs/contract.md#sandbox). Like the registry it builds
 * the same payload, files durably and accepts a uid twice; it returns the MARK at the first query about the document.
 */
import type {
  CallContext,
  CancellationLookup,
  CancelOutcome,
  ListOutcome,
  ListQuery,
  ProviderAdapter,
  ReconcileOutcome,
  SentDocument,
} from "../../domain/provider-adapter.ts";
import { buildInvoicesDoc } from "../registry-direct/payload.ts";
import { checkForRegistry } from "../registry-direct/precheck.ts";
import { createIssue } from "./issue.ts";
import {
  assertTest,
  cancellationMarkOf,
  findByMark,
  markOf,
  recordRequest,
  recordResponse,
  type SandboxOptions,
  uidOf,
  urlOf,
} from "./ledger.ts";
import {
  cancelSandboxFiling,
  findSandboxCredits,
  findSandboxFilings,
  findSandboxFilingsBetween,
  type SandboxFilingRow,
} from "../../../storage/documents/sandbox.ts";
import type { ListedDocument } from "../../domain/provider-documents.ts";
import { buildErrorObject } from "../../foundation/errors.ts";
import { CANCELLATION, refusalError, type RefusalReason, SANDBOX } from "./scenes.ts";

export function createSandbox(options: SandboxOptions): ProviderAdapter {
  return {
    ...SANDBOX,
    check: checkForRegistry,
    // The ledger is read in order with its writes, so a missing filing is certain at once.
    settle: { askings: 1, seconds: 0 },
    buildPayload: (document) => buildInvoicesDoc([document]),
    issue: createIssue(options),
    status: async (documents, call) =>
      (await lookUp(options, call, documents)).map((found) => found ?? { kind: "unknown", error: NOT_FILED }),
    reconcile: async (documents, call) =>
      (await lookUp(options, call, documents)).map((found) => found ?? { kind: "absent" }),
    cancel: (document, call) => cancelMark(options, call, document),
    findCancellation: (document, call) => findCancellation(options, call, document),
    fetchPdf: async () => ({ kind: "none" }),
    listDocuments: (query, call) => listDocuments(options, call, query),
    verify: async () => ({ kind: "accepted" }),
  };
}

const NOT_FILED = buildErrorObject(
  "internal_error",
  {
    en: "The sandbox has no record of this document; its ledger is a different one",
    el: "Το sandbox δεν έχει καταχωρίσει αυτό το παραστατικό· έχει άλλο μητρώο",
  },
  { retryable: true },
);

type Found = Extract<ReconcileOutcome, { kind: "issued" | "accepted" }>;

/** Returns one outcome for each document, in the same order; undefined if the ledger does not have it. They share one exchange. */
async function lookUp(
  options: SandboxOptions,
  call: CallContext,
  documents: readonly SentDocument[],
): Promise<(Found | undefined)[]> {
  assertTest(call);
  const uids = documents.map(uidOf);
  const filings = await findSandboxFilings(options.store.read, [...new Set(uids)]);
  const query = uids.map((uid) => `uid=${uid}`).join("&");
  recordRequest(call.evidence, "GET", `${urlOf(options, "RequestTransmittedDocs")}?${query}`);
  const byUid = Map.groupBy(filings, ({ uid }) => uid);
  const found = uids.map((uid) => findOutcome(options, byUid.get(uid) ?? [], call.nowMs()));
  // One without a MARK is filed, and gets it later.
  const invoices = found.flatMap((one) => {
    if (one === undefined) return [];
    return [{ invoiceUid: one.uid, ...(one.kind === "issued" ? { invoiceMark: one.mark } : {}) }];
  });
  recordResponse(call.evidence, 200, { invoices });
  return found;
}

/** The last filing that is not cancelled is the document's; others with the same uid are surplus. */
function findOutcome(
  options: SandboxOptions,
  filings: readonly SandboxFilingRow[],
  nowMs: number,
): Found | undefined {
  const valid = filings.filter((filing) => filing.cancelled_at === null);
  const [last, ...surplus] = (valid.length > 0 ? valid : filings.slice(-1)).toReversed();
  if (last === undefined) return undefined;
  const { uid } = last;
  if (Date.parse(last.mark_at) > nowMs) return { kind: "accepted", providerRef: uid, uid, qrUrl: null };
  const mark = markOf(last);
  const qrUrl = urlOf(options, `documents/${mark}`);
  return { kind: "issued", mark, uid, qrUrl, surplusMarks: surplus.map(markOf) };
}

const UNKNOWN_MARK: RefusalReason = {
  code: "301",
  authorityMessage: "No document has this MARK",
  message: { en: "no document has this MARK", el: "κανένα παραστατικό δεν έχει αυτό το ΜΑΡΚ" },
};

const STILL_CREDITED: RefusalReason = {
  code: "255",
  authorityMessage: "The document is connected with an active document",
  message: {
    en: "a credit note refers to it; cancel that one first",
    el: "σε αυτό αναφέρεται πιστωτικό· ακυρώστε πρώτα εκείνο",
  },
};

/** Cancels a MARK. One that was cancelled before keeps the MARK of that cancellation. */
async function cancelMark(
  options: SandboxOptions,
  call: CallContext,
  { id, mark }: SentDocument,
): Promise<CancelOutcome> {
  assertTest(call);
  if (mark === null) throw new Error(`The document ${id} has no MARK to be cancelled`);
  const recorder = call.evidenceOf(0);
  recordRequest(recorder, "POST", `${urlOf(options, "CancelInvoice")}?mark=${mark}`);
  const at = new Date(call.nowMs()).toISOString();
  const outcome = await options.store.write(async (trx) => {
    const row = await findByMark(trx, mark);
    if (row === undefined) return UNKNOWN_MARK;
    // The authority cancels no document that an active one refers to (docs/authority.md#cancelling-refusals).
    const mayBeCredited = options.isStrict && row.cancelled_at === null;
    if (mayBeCredited && (await findSandboxCredits(trx, { mark })).length > 0) return STILL_CREDITED;
    await cancelSandboxFiling(trx, { id: row.id, at });
    return cancellationMarkOf(row);
  });
  if (typeof outcome === "string") {
    recordResponse(recorder, 200, { statusCode: "Success", cancellationMark: outcome });
    return { kind: "cancelled", cancellationMark: outcome };
  }
  const error = refusalError(CANCELLATION, [outcome]);
  recordResponse(recorder, 200, error.provider_raw as object);
  return { kind: "rejected", error };
}

async function findCancellation(
  { store }: SandboxOptions,
  call: CallContext,
  { mark }: SentDocument,
): Promise<CancellationLookup> {
  assertTest(call);
  const row = mark === null ? undefined : await findByMark(store.read, mark);
  if (row === undefined || row.cancelled_at === null) return { kind: "not_cancelled" };
  return { kind: "cancelled", cancellationMark: cancellationMarkOf(row) };
}

const PAGE_SIZE = 500;

/** Lists what has a MARK, in the order of filing, so that `documents reconcile` can be tried in test mode. */
async function listDocuments(
  options: SandboxOptions,
  call: CallContext,
  { from, through, page }: ListQuery,
): Promise<ListOutcome<ListedDocument>> {
  assertTest(call);
  const after = Number(page ?? 0);
  const url = `${urlOf(options, "RequestTransmittedDocs")}?dateFrom=${from}&dateTo=${through}&after=${after}`;
  recordRequest(call.evidence, "GET", url);
  const now = new Date(call.nowMs()).toISOString();
  const range = { from, through, now, after, limit: PAGE_SIZE };
  const rows = await findSandboxFilingsBetween(options.store.read, range);
  recordResponse(call.evidence, 200, { marks: rows.map(markOf) });
  const items = rows.map((row): ListedDocument => {
    const { uid, document_id: reference, issue_date: issueDate, series, net, vat, gross } = row;
    const number = row.number === null ? null : String(row.number);
    const shown = { mark: markOf(row), uid, reference, issueDate, type: null, series, number };
    return { ...shown, totals: { net, vat, gross }, isCancelled: row.cancelled_at !== null };
  });
  return { kind: "page", items, next: rows.length === PAGE_SIZE ? String(rows.at(-1)!.id) : null };
}
