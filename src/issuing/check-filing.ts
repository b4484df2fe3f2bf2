/**
 * Looks up documents again that were sent more than once, because a send that was not found may be registered after all
 * (docs/contract.md#surplus-marks).
 */
import { type DocumentRow, findDocumentRow } from "../../storage/documents/documents.ts";
import {
  deleteFilingCheck,
  type FilingCheckRow,
  filingCheckWork,
} from "../../storage/documents/surplus-marks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { isFinal } from "../domain/lifecycle.ts";
import type { ReconcileOutcome } from "../domain/provider-adapter.ts";
import { isLaterMark } from "../domain/several-marks.ts";
import type { Context } from "../journal/context.ts";
import { nextDue } from "../work/claim.ts";
import { FILING_CHECKS } from "../work/kinds.ts";
import { type FiledDocument, loadFiledDocument } from "./outgoing.ts";
import { callProvider } from "./single-call.ts";
import { recordSurplusMark } from "./surplus-watch.ts";

/** Checks to make while the listing does not even show the MARK on the document, and so proves nothing. */
const LOOKS_MAX = FILING_CHECKS.delaysSeconds.length;
/** Checks that must all find nothing, over about six hours. */
const ABSENCES_MAX = 5;

/** The document's MARKs that a lookup found. */
interface Registrations {
  uncancelled: readonly string[];
  cancelled: readonly string[];
}

/** Looks up the sends of a final document, and records every MARK that is not on the document as surplus. */
export async function checkFiling(context: Context, check: FilingCheckRow): Promise<void> {
  const { store } = context;
  const { document_id: documentId } = check;
  const tries = check.tries + 1;
  const settle = (trx: Transaction, due: string | null) =>
    filingCheckWork.settle(trx, check, { due_at: due, tries });
  const filed = await loadFiledDocument(context, documentId);
  // It was retried meanwhile, and its check is due again once it is final.
  if (!isFinal(filed.row.phase)) return void (await store.write((trx) => settle(trx, null)));
  const outcome = await findRegistrations(context, filed, check);
  const registrations = registrationsIn(outcome);
  const verdict = judgeLookup(filed.row, check, outcome, registrations);
  if ((verdict === "wait" && tries < LOOKS_MAX) || (verdict === "absent" && tries < ABSENCES_MAX))
    return void (await store.write((trx) => settle(trx, nextDue(trx, FILING_CHECKS, check))));
  if (verdict === "wait") {
    context.log.error(
      { document: documentId },
      "a document that was sent again is not listed by its provider; check there whether it is registered twice",
    );
  }
  await store.write(async (trx) => {
    // The document has become final again meanwhile, and this check would miss what was sent since.
    if (!(await settle(trx, null))) return;
    const row = await findDocumentRow(trx, { id: documentId });
    if (row === undefined || !isFinal(row.phase)) return;
    for (const mark of registrations.uncancelled)
      if (mark !== row.mark) await recordSurplusMark(trx, context, row, mark, check.uid);
    await deleteFilingCheck(trx, { documentId });
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
