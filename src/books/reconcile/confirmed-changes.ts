/**
 * Makes the changes that a person confirms after a comparison (docs/contract.md#reconcile).
 *
 * MARKs that a provider has for documents without one are taken over: the document goes through `reconciling`, where the rules of issuing
 * decide, so a MARK of another document is not accepted. MARKs of issued documents below the highest one that is not cancelled are
 * cancelled (docs/contract.md#highest-mark-wins): if the document's own MARK is among them, it stays on the document, and the higher one
 * counts.
 */
import { queryDocumentSooner } from "../../../storage/documents/document-queue.ts";
import {
  type DocumentRow,
  findDocumentRow,
  type Move,
  moveDocumentRow,
} from "../../../storage/documents/documents.ts";
import {
  deleteSurplusMark,
  findSurplusMark,
  setSurplusMark,
} from "../../../storage/documents/surplus-marks.ts";
import type { Transaction } from "../../../storage/database/write.ts";
import type { Adoptable, Surplus } from "../../domain/compare-listings.ts";
import { canMove, statusOf } from "../../domain/lifecycle.ts";
import type { CancellationLookup, CancelOutcome, ReconcileOutcome } from "../../domain/provider-adapter.ts";
import type { Text } from "../../foundation/text.ts";
import { type FiledDocument, loadFiledDocument } from "../../issuing/outgoing.ts";
import { callProvider } from "../../issuing/provider-call.ts";
import { appendDocumentEvent } from "../../journal/append-event.ts";
import type { Cause, Context } from "../../journal/context.ts";
import { isLaterMark } from "../../domain/several-marks.ts";
import { textOfError } from "../../foundation/stored-texts.ts";

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
    const current = await findDocumentRow(trx, { id });
    if (current === undefined) throw new Error(`The document ${id} is gone`);
    if ((await findSurplusMark(trx, { document_id: id, mark })) !== undefined) return BEING_CANCELLED;
    if (current.phase === "failed") await moveToReconciling(trx, current, cause);
    else if (current.phase === "reconciling")
      await queryDocumentSooner(trx, { id, due: new Date(trx.clockMs).toISOString() });
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

/** The moves of a retry whose send got no answer (docs/contract.md#stages), without the send: the provider has just shown it. */
async function moveToReconciling(trx: Transaction, failed: DocumentRow, cause: Cause): Promise<void> {
  let before = failed;
  for (const phase of ["queued", "submitting", "reconciling"] as const) {
    if (!canMove(before.phase, phase))
      throw new Error(`A document cannot move from ${before.phase} to ${phase}`);
    const now = new Date(trx.clockMs).toISOString();
    const move: Move = {
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
    await moveDocumentRow(trx, before, move);
    const after = { ...before, ...move };
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
    const row = await findDocumentRow(store.read, { id: request.document });
    if (row?.phase === "issued" && row.mark === request.mark) adopted.push(request);
  }
  return adopted;
}

/** Long enough for this process to finish; afterwards the background cancellation goes on with it. */
const UNDER_WAY_MS = 10 * 60_000;

/** One result for each lower MARK, in order; without a problem, it was cancelled. */
export async function cancelSurplus(context: Context, surplus: readonly Surplus[]) {
  const results: { document: string; mark: string; problem: Text | null }[] = [];
  for (const one of surplus) {
    const filed = await loadFiledDocument(context, one.document);
    const obstacle = await findObstacle(context, filed, one);
    for (const mark of one.lower) {
      const problem = obstacle ?? (await cancelLower(context, filed, mark, one.highest));
      results.push({ document: one.document, mark, problem });
    }
  }
  return results;
}

/** The highest MARK must still be valid: otherwise a lower one may be the only one left. */
async function findObstacle(
  context: Context,
  { row, document, adapter }: FiledDocument,
  { highest, lower }: Surplus,
): Promise<Text | undefined> {
  if (!lower.every((mark) => isLaterMark(highest, mark)))
    throw new Error("A surplus MARK is not the lower one");
  if (!adapter.canCancel)
    return { en: "the provider cannot cancel", el: "ο πάροχος δεν υποστηρίζει ακύρωση" };
  if (row.phase !== "issued")
    return { en: "the document is not issued", el: "το παραστατικό δεν έχει εκδοθεί" };
  const found = await callProvider<CancellationLookup>(context, row, "status", (call) =>
    adapter.findCancellation({ ...document, mark: highest }, call),
  );
  if (found.kind === "not_cancelled") return undefined;
  if (found.kind !== "cancelled") return textOfError(found.error);
  return {
    en: `the higher MARK ${highest} is cancelled by now`,
    el: `το μεγαλύτερο ΜΑΡΚ ${highest} έχει πια ακυρωθεί`,
  };
}

/** Undefined if the MARK is cancelled now. The intent is on disk before the call, and the outcome after it. */
async function cancelLower(
  context: Context,
  { row, document, adapter }: FiledDocument,
  mark: string,
  highest: string,
): Promise<Text | null> {
  await context.store.write((trx) => {
    const due = new Date(trx.clockMs + UNDER_WAY_MS).toISOString();
    const intent = { state: "cancelling", due_at: due, cancellation_mark: null } as const;
    return setSurplusMark(trx, { document_id: row.id, mark, ...intent });
  });
  const outcome = await callProvider<CancelOutcome>(context, row, "cancel", (call) =>
    adapter.cancel({ ...document, mark }, call),
  );
  await context.store.write((trx) => recordOutcome(trx, row, { mark, highest, outcome }));
  if (outcome.kind !== "cancelled") return textOfError(outcome.error);
  context.log.warn(
    { document: row.id, mark, highest },
    "a surplus MARK was cancelled, as a person confirmed",
  );
  return null;
}

async function recordOutcome(
  trx: Transaction,
  row: DocumentRow,
  { mark, highest, outcome }: { mark: string; highest: string; outcome: CancelOutcome },
): Promise<void> {
  if (outcome.kind === "cancelled") {
    const known = { document_id: row.id, due_at: null };
    const { cancellationMark } = outcome;
    await setSurplusMark(trx, { ...known, mark, state: "cancelled", cancellation_mark: cancellationMark });
    if (mark === row.mark)
      await setSurplusMark(trx, { ...known, mark: highest, state: "counts", cancellation_mark: null });
    return;
  }
  // Without a clear answer it may be cancelled: the background looks it up. The document's own MARK is left to the person.
  const isOpen = outcome.kind === "unknown" && mark !== row.mark;
  if (!isOpen) await deleteSurplusMark(trx, { document_id: row.id, mark });
}
