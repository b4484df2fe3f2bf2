/**
 * Cancels MARKs of documents that are registered several times (docs/contract.md#surplus-marks). The registry accepts a second
 * send like the first: a send that was not found for long enough is repeated, and the first may be listed after all. A MARK
 * is cancelled only while the document's own is not, because otherwise it may be the only valid one.
 */
import { type DocumentRow, findDocumentRow } from "../../storage/documents/documents.ts";
import {
  deleteFilingCheck,
  deleteSurplusMark,
  type FilingCheckRow,
  filingCheckWork,
  recordUnfoundSend,
  type SurplusMarkRow,
  surplusMarkWork,
} from "../../storage/documents/surplus-marks.ts";
import type { SurplusState } from "../../storage/stored-values.ts";
import { isFinal } from "../domain/lifecycle.ts";
import type { CancellationLookup, CancelOutcome, ReconcileOutcome } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { FILING_CHECKS, SURPLUS_MARKS } from "../work/kinds.ts";
import { dueIn, nextDue, workOff } from "../work/work-off.ts";
import { type FiledDocument, loadFiledDocument } from "./outgoing.ts";
import { callProvider } from "./provider-call.ts";
import { recordSurplusMark, unfoundSend } from "./registrations.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { isLaterMark } from "../domain/several-marks.ts";

/** Makes the due checks for second registrations, then the due cancellations. */
export async function cancelSurplusMarks(context: Context, stopping?: AbortSignal): Promise<void> {
  const options = { scope: {}, stopping };
  await workOff(context, FILING_CHECKS, options, (check) => checkFiling(context, check));
  await workOff(context, SURPLUS_MARKS, options, (surplus) => processSurplus(context, surplus));
}

/** Checks to make while the listing does not even show the MARK on the document, and so proves nothing. */
const LOOKS_MAX = FILING_CHECKS.delaysSeconds.length;
/** Checks that must all find nothing, over about six hours. */
const ABSENCES_MAX = 5;

interface Registrations {
  uncancelled: readonly string[];
  cancelled: readonly string[];
}

/**
 * Looks up the sends of a final document, because one that was not found may be registered after all, and records every MARK that is
 * not on the document as surplus.
 */
async function checkFiling(context: Context, check: FilingCheckRow): Promise<void> {
  const { store } = context;
  const { document_id: documentId } = check;
  const tries = check.tries + 1;
  const settleCheck = (trx: Transaction, due: string | null) =>
    filingCheckWork.settle(trx, check, { due_at: due, tries });
  const filed = await loadFiledDocument(context, documentId);
  // It was retried meanwhile, and its check is due again once it is final.
  if (!isFinal(filed.row.phase)) return void (await store.write((trx) => settleCheck(trx, null)));
  const outcome = await findRegistrations(context, filed, check);
  const registrations = registrationsIn(outcome);
  const verdict = judgeLookup(filed.row, check, outcome, registrations);
  if ((verdict === "wait" && tries < LOOKS_MAX) || (verdict === "absent" && tries < ABSENCES_MAX))
    return void (await store.write((trx) => settleCheck(trx, nextDue(trx, FILING_CHECKS, check))));
  if (verdict === "wait") {
    context.log.error(
      { document: documentId },
      "a document that was sent again is not listed by its provider; check there whether it is registered twice",
    );
  }
  await store.write(async (trx) => {
    // The document has become final again meanwhile, and this check would miss what was sent since.
    if (!(await settleCheck(trx, null))) return;
    const row = await findDocumentRow(trx, { id: documentId });
    if (row === undefined || !isFinal(row.phase)) return;
    for (const mark of registrations.uncancelled)
      if (mark !== row.mark) await recordSurplusMark(trx, context, row, mark, check.uid);
    await deleteFilingCheck(trx, { document_id: documentId });
  });
}

/**
 * `wait`: the lookup failed, or does not show the document's own MARK. `absent`: a listing that was late once may be late
 * again, so a send that is still missing is looked up several times; so is one that seems to have replaced the document's MARK.
 */
function judgeLookup(
  row: DocumentRow,
  check: FilingCheckRow,
  outcome: ReconcileOutcome,
  { uncancelled, cancelled }: Registrations,
): "conclusive" | "absent" | "wait" {
  const isForeign = outcome.kind === "unknown" && outcome.numberOfAnother === true;
  if (outcome.kind !== "issued" && outcome.kind !== "absent" && !isForeign) return "wait";
  const { mark } = row;
  if (mark !== null && check.uid === row.uid) {
    if (!uncancelled.includes(mark) && !cancelled.includes(mark)) return "wait";
    const isReplaced = cancelled.includes(mark) && row.cancellation_mark === null;
    if (isReplaced && !uncancelled.some((other) => isLaterMark(other, mark))) return "absent";
  }
  return uncancelled.length === 0 && cancelled.length === 0 ? "absent" : "conclusive";
}

function registrationsIn(outcome: ReconcileOutcome): Registrations {
  if (outcome.kind !== "issued") return { uncancelled: [], cancelled: [] };
  const { mark, surplusMarks = [], cancelledMarks = [], cancellationMark } = outcome;
  return cancellationMark === undefined
    ? { uncancelled: [mark, ...surplusMarks], cancelled: cancelledMarks }
    : { uncancelled: surplusMarks, cancelled: [mark, ...cancelledMarks] };
}

function findRegistrations(
  context: Context,
  { row, document, adapter }: FiledDocument,
  { series, number, uid }: FilingCheckRow,
): Promise<ReconcileOutcome> {
  // The document may have another number by now, or none.
  const sent = uid === null ? document : { ...document, series, number, uid };
  return callProvider(context, row, "status", async (call) => {
    const [first] = await adapter.reconcile([sent], call);
    if (first === undefined) throw new Error(`The adapter of ${row.provider} returned no outcome`);
    return first;
  });
}

/** Cancellations to try, over several days. */
const TRIES_MAX = SURPLUS_MARKS.delaysSeconds.length;

async function processSurplus(context: Context, surplus: SurplusMarkRow): Promise<void> {
  const filed = await loadFiledDocument(context, surplus.document_id);
  if (surplus.state === "cancelling") return cancelSurplus(context, filed, surplus);
  // A person was asked to see to the MARK: once it is cancelled at the provider, it needs no more attention.
  const found = await findCancellation(context, filed, surplus.mark);
  if (found.kind === "cancelled") return settle(context, surplus, "cancelled", found.cancellationMark);
  await settle(context, surplus, surplus.state, null);
}

async function cancelSurplus(context: Context, filed: FiledDocument, surplus: SurplusMarkRow): Promise<void> {
  const { row } = filed;
  const { mark, tries } = surplus;
  if (row.mark === mark || !isFinal(row.phase)) return withdraw(context, row, mark);
  const outcome = await cancelIfSafe(context, filed, mark, tries > 0);
  if (outcome.kind === "cancelled") {
    await settle(context, surplus, "cancelled", outcome.cancellationMark);
    context.log.warn({ document: row.id, mark }, "a surplus MARK was cancelled");
    return;
  }
  // The document may have been cancelled since its row was read, which the next try knows.
  const isUnsafe = outcome.kind === "unsafe" && tries > 0;
  const isGivenUp = outcome.kind === "rejected" || isUnsafe || tries + 1 >= TRIES_MAX;
  await settle(context, surplus, isGivenUp ? "stuck" : "cancelling", null);
  if (!isGivenUp) return;
  context.log.error(
    { document: row.id, mark, own: row.mark },
    outcome.kind === "unsafe"
      ? "a surplus MARK was not cancelled, because the document's own MARK is cancelled at the provider; check both there"
      : "a surplus MARK could not be cancelled; cancel it by hand",
  );
}

/** Drops a MARK whose document was retried since, or has that MARK now, and has the document checked again. */
async function withdraw(context: Context, row: DocumentRow, mark: string): Promise<void> {
  await context.store.write(async (trx) => {
    await deleteSurplusMark(trx, { document_id: row.id, mark });
    if (!isFinal(row.phase)) await recordUnfoundSend(trx, unfoundSend(row));
  });
}

/** `unsafe`: the document's own MARK is cancelled at the provider, so this one may be the only valid one. */
async function cancelIfSafe(
  context: Context,
  filed: FiledDocument,
  mark: string,
  wasTried: boolean,
): Promise<CancelOutcome | { kind: "unsafe" }> {
  const { row, document, adapter } = filed;
  if (row.mark !== null && row.cancellation_mark === null) {
    const own = await findCancellation(context, filed, row.mark);
    if (own.kind === "cancelled") return { kind: "unsafe" };
    if (own.kind !== "not_cancelled") return own;
  }
  if (wasTried) {
    // An earlier try whose response was lost may have succeeded.
    const found = await findCancellation(context, filed, mark);
    if (found.kind !== "not_cancelled") return found;
  }
  return callProvider(context, row, "cancel", (call) => adapter.cancel({ ...document, mark }, call));
}

function findCancellation(
  context: Context,
  { row, document, adapter }: FiledDocument,
  mark: string,
): Promise<CancellationLookup> {
  return callProvider(context, row, "status", (call) =>
    adapter.findCancellation({ ...document, mark }, call),
  );
}

/** What is being cancelled is tried again; what a person must see to is looked up again after a pause. */
async function settle(
  { store }: Context,
  surplus: SurplusMarkRow,
  state: SurplusState,
  cancellationMark: string | null,
): Promise<void> {
  await store.write((trx) => {
    const pauseEnd = state === "cancelled" ? null : dueIn(trx, SURPLUS_MARKS.personMs);
    const due = state === "cancelling" ? nextDue(trx, SURPLUS_MARKS, surplus) : pauseEnd;
    const result = { due_at: due, tries: surplus.tries + 1 };
    return surplusMarkWork.settle(trx, surplus, result, { state, cancellation_mark: cancellationMark });
  });
}
