/** Records that a document is cancelled, or may be registered twice, in the write that settles it; surplus-marks.ts checks and cancels the latter. */
import {
  cancelDocumentRow,
  type DocumentRow,
  findDocumentRow,
  findOtherDocumentWithMark,
} from "../../storage/documents/documents.ts";
import {
  cancelOtherMarks,
  insertSurplusMark,
  recordUnfoundSend,
  scheduleFilingCheck,
} from "../../storage/documents/surplus-marks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Decision } from "../domain/decision.ts";
import { isFinal } from "../domain/lifecycle.ts";
import { judgeSurplusMark } from "../domain/several-marks.ts";
import type { Cause, Context } from "../journal/context.ts";
import { dueIn, firstDue } from "../work/work-off.ts";
import { FILING_CHECKS, SURPLUS_MARKS } from "../work/kinds.ts";
import { appendDocumentEvent } from "../journal/append-event.ts";
import type { DocumentObject } from "../journal/document-object.ts";

/**
 * Records surplus MARKs and sends that were not found. An unfound send may be registered late, so it is looked up again once the
 * document is final.
 */
export async function scheduleMarkChecks(
  trx: Transaction,
  context: Context,
  before: DocumentRow,
  after: DocumentRow,
  { surplusMarks }: Decision,
): Promise<void> {
  for (const mark of surplusMarks) await recordSurplusMark(trx, context, after, mark, after.uid);
  const wasUnfound = before.phase === "reconciling" && (after.phase === "queued" || after.phase === "failed");
  if (wasUnfound && context.providers.find(after.provider)?.canCancel === true)
    await recordUnfoundSend(trx, unfoundSend(before));
  // The sandbox loses no sends, and its documents come by the thousand.
  if (isFinal(after.phase) && after.provider !== "sandbox") {
    await scheduleFilingCheck(trx, { documentId: after.id, due: firstDue(trx, FILING_CHECKS) });
  }
}

/**
 * Records a MARK, found under `uid`, that is not on the document: to be cancelled, or for a person to decide. Under another uid
 * it is never the valid one of the document.
 */
export async function recordSurplusMark(
  trx: Transaction,
  context: Context,
  row: DocumentRow,
  mark: string,
  uid: string | null,
): Promise<void> {
  const { id, mode } = row;
  const other = await findOtherDocumentWithMark(trx, { mark, mode, id });
  if (other !== undefined) {
    context.log.error(
      { document: id, mark, other },
      "a surplus MARK is another document's; it is not touched",
    );
    return;
  }
  const owner = { mark: uid === row.uid ? row.mark : null, isCancelled: row.cancellation_mark !== null };
  const state = judgeSurplusMark(mark, owner);
  const due = dueIn(trx, state === "later" ? SURPLUS_MARKS.personMs : 0);
  await insertSurplusMark(trx, { document_id: id, mark, state, due_at: due, found_at: trx.now });
  if (state === "later")
    context.log.error(
      { document: id, mark, own: row.mark },
      "the provider registered the document again after its MARK was reported, and may treat the later MARK as the valid one; nothing is cancelled, decide at the provider",
    );
}

/** Records the MARK of a worker whose document was rescued, if the document has none or another one. */
export async function recordLateMark(
  trx: Transaction,
  context: Context,
  claimed: DocumentRow,
  row: DocumentRow,
  { mark }: Decision,
): Promise<void> {
  if (mark === null || row.mark === mark || row.provider === "sandbox") return;
  if (row.mark !== null) return recordSurplusMark(trx, context, row, mark, claimed.uid);
  await recordUnfoundSend(trx, unfoundSend(claimed));
  if (isFinal(row.phase)) await scheduleFilingCheck(trx, { documentId: row.id, due: dueIn(trx, 0) });
}

export function unfoundSend({ id, series, number, uid }: DocumentRow) {
  return { document_id: id, series, number, uid };
}

/** Returns the cancelled document; undefined if it does not exist, is not issued, or is already cancelled. */
export async function recordCancellation(
  trx: Transaction,
  id: string,
  cancellationMark: string,
  cause: Cause,
): Promise<DocumentObject | undefined> {
  const before = await findDocumentRow(trx, { id });
  if (before === undefined || !(await cancelDocumentRow(trx, { id, cancellationMark, at: trx.now })))
    return undefined;
  await cancelOtherMarks(trx, { documentId: id, due: new Date(trx.clockMs).toISOString() });
  const after = {
    ...before,
    cancellation_mark: cancellationMark,
    cancelled_at: trx.now,
    updated_at: trx.now,
  };
  return appendDocumentEvent(trx, { type: "document.cancelled", before, after, cause });
}
