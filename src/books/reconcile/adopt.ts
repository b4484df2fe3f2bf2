/**
 * Takes over MARKs that a provider has for documents without one (docs/contract.md#reconcile). The document goes through
 * `reconciling`, where the rules of issuing decide: a MARK of another document is not accepted.
 */
import { moveDocumentRow, queryDocumentSooner } from "../../../storage/documents/document-changes.ts";
import { type DocumentRow, findDocumentRow } from "../../../storage/documents/documents.ts";
import { findSurplusMark } from "../../../storage/documents/surplus-marks.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import type { Adoptable } from "../../domain/compare-listings.ts";
import { canMove, statusOf } from "../../domain/lifecycle.ts";
import type { ReconcileOutcome } from "../../domain/provider-adapter.ts";
import type { Text } from "../../foundation/text.ts";
import { loadFiledDocument } from "../../issuing/outgoing.ts";
import { callProvider } from "../../issuing/single-call.ts";
import { appendDocumentEvent } from "../../journal/append-event.ts";
import type { Cause, Context } from "../../journal/context.ts";

/** `requested`: the queue settles the document. `refused`: nothing was changed, and why. */
export type AdoptionRequest = Adoptable & ({ kind: "requested" } | { kind: "refused"; reason: Text });

/** Looks each MARK up once more and makes its document due; wait for the documents before reading their outcome. */
export async function requestAdoptions(
  context: Context,
  adoptable: readonly Adoptable[],
  cause: Cause,
): Promise<AdoptionRequest[]> {
  const requests: AdoptionRequest[] = [];
  for (const one of adoptable) {
    const reason = await requestAdoption(context, one, cause);
    requests.push({
      ...one,
      ...(reason === undefined ? { kind: "requested" } : { kind: "refused", reason }),
    });
  }
  context.pokeIssuing();
  return requests;
}

/** Returns why the MARK cannot be taken over; undefined if its document is on the way. */
async function requestAdoption(
  context: Context,
  { document: id, mark }: Adoptable,
  cause: Cause,
): Promise<Text | undefined> {
  const { row, document, adapter } = await loadFiledDocument(context, id);
  const outcome = await callProvider(context, row, "status", async (call): Promise<ReconcileOutcome> => {
    const [first] = await adapter.reconcile([document], call);
    if (first === undefined) throw new Error(`The adapter of ${row.provider} returned no outcome`);
    return first;
  });
  const isThere =
    outcome.kind === "issued" && outcome.mark === mark && outcome.cancellationMark === undefined;
  if (!isThere) return NOT_THERE;
  return context.store.write(async (trx) => {
    const current = await findDocumentRow(trx, id);
    if (current === undefined) throw new Error(`The document ${id} is gone`);
    if ((await findSurplusMark(trx, id, mark)) !== undefined) return BEING_CANCELLED;
    if (current.phase === "failed") await moveToReconciling(trx, current, cause);
    else if (current.phase === "reconciling")
      await queryDocumentSooner(trx, id, new Date(trx.clockMs).toISOString());
    else return CHANGED;
    return undefined;
  });
}

const NOT_THERE: Text = {
  en: "the provider does not show this MARK for the document when asked again",
  el: "ο πάροχος δεν έδειξε αυτό το ΜΑΡΚ για το παραστατικό όταν ερωτήθηκε ξανά",
};
const BEING_CANCELLED: Text = {
  en: "fiscal is cancelling this MARK, because the document had failed",
  el: "το fiscal ακυρώνει αυτό το ΜΑΡΚ, γιατί το παραστατικό είχε αποτύχει",
};
const CHANGED: Text = {
  en: "the document has changed meanwhile",
  el: "το παραστατικό άλλαξε στο μεταξύ",
};

/**
 * The same moves as a retry whose send got no answer (docs/contract.md#stages), but in one write and without the send: the
 * provider has just shown the document.
 */
async function moveToReconciling(trx: Transaction, failed: DocumentRow, cause: Cause): Promise<void> {
  let before = failed;
  for (const phase of ["queued", "submitting", "reconciling"] as const) {
    if (!canMove(before.phase, phase))
      throw new Error(`A document cannot move from ${before.phase} to ${phase}`);
    const now = new Date(trx.clockMs).toISOString();
    const after: DocumentRow = {
      ...before,
      phase,
      status: statusOf(phase),
      error_json: null,
      updated_at: trx.now,
      attempts: phase === "queued" ? 0 : 1,
      polls: 0,
      absences: 0,
      stage_since: phase === "reconciling" ? now : null,
      next_at: now,
    };
    if (!(await moveDocumentRow(trx, before, after)))
      throw new Error(`The document ${failed.id} changed within its own write`);
    if (phase === "queued")
      await appendDocumentEvent(trx, { type: "document.retried", before, after, cause });
    before = after;
  }
}

/** The documents of `requests` that now have the MARK that was found for them. */
export async function findAdopted(
  { store }: Context,
  requests: readonly AdoptionRequest[],
): Promise<AdoptionRequest[]> {
  const adopted: AdoptionRequest[] = [];
  for (const request of requests) {
    const row = await findDocumentRow(store.read, request.document);
    if (row?.phase === "issued" && row.mark === request.mark) adopted.push(request);
  }
  return adopted;
}
