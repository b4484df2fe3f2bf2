/** Records what may be registered twice when a document is settled; surplus-marks.ts checks and cancels it. */
import type { DocumentRow } from "../../storage/documents.ts";
import { insertSurplusMark } from "../../storage/surplus-marks.ts";
import { recordUnfoundSend, scheduleFilingCheck } from "../../storage/filing-checks.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Decision } from "../domain/decision.ts";
import { isFinal } from "../domain/lifecycle.ts";
import type { Context } from "../journal/context.ts";

/** How long after a document became final its earlier sends are looked up once more. */
const CHECK_PAUSE_MS = 10 * 60_000;

/**
 * Records surplus MARKs and sends that were not found. An unfound send may be registered late, so it is looked up again once the
 * document is final.
 */
export async function watchForSurplusMarks(
  trx: Transaction,
  context: Context,
  before: DocumentRow,
  after: DocumentRow,
  { surplusMarks }: Decision,
): Promise<void> {
  const due = new Date(trx.clockMs).toISOString();
  for (const mark of surplusMarks) await insertSurplusMark(trx, { documentId: after.id, mark, due });
  const wasUnfound = before.phase === "reconciling" && (after.phase === "queued" || after.phase === "failed");
  if (wasUnfound && context.providers.find(after.provider)?.canCancel === true)
    await recordUnfoundSend(trx, unfoundSend(before));
  // The sandbox loses no sends, and its documents come by the thousand.
  if (isFinal(after.phase) && after.provider !== "sandbox") {
    await scheduleFilingCheck(trx, after.id, new Date(trx.clockMs + CHECK_PAUSE_MS).toISOString());
  }
}

/** Records the MARK of a worker whose document was rescued, if the document has none or another one. */
export async function recordLateMark(trx: Transaction, row: DocumentRow, { mark }: Decision): Promise<void> {
  if (mark === null || row.mark === mark || row.provider === "sandbox") return;
  if (row.mark === null) await recordUnfoundSend(trx, unfoundSend(row));
  else await insertSurplusMark(trx, { documentId: row.id, mark, due: new Date(trx.clockMs).toISOString() });
}

function unfoundSend({ id, series, number, uid }: DocumentRow) {
  return { documentId: id, series, number, uid };
}
