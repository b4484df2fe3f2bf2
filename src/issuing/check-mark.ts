/**
 * Checks a MARK that a provider reported before it is accepted, in the write that settles the document: it must not be another
 * document's (docs/contract.md#mark-of-another-document), nor one that is being cancelled as surplus.
 */
import { type DocumentRow, findOtherDocumentWithMark } from "../../storage/documents/documents.ts";
import { findSurplusMark, insertSurplusMark } from "../../storage/documents/surplus-marks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { ReconcileOutcome, UnknownOutcome } from "../domain/provider-adapter.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";

/** The error if another document here has the MARK, which is recorded for a person; undefined if it can be accepted. */
export async function findTakenMark(
  trx: Transaction,
  context: Context,
  row: DocumentRow,
  mark: string,
): Promise<ErrorObject | undefined> {
  // The sandbox assigns its MARKs itself, and its documents come by the thousand.
  if (row.provider === "sandbox") return undefined;
  const { id, mode } = row;
  const other = await findOtherDocumentWithMark(trx, { mark, mode, id });
  if (other === undefined) return undefined;
  await insertSurplusMark(trx, { document_id: id, mark, state: "taken", due_at: null, found_at: trx.now });
  context.log.error(
    { document: id, mark, other },
    "the provider reported a MARK that another document has; the document stays reconciling, check both at the provider",
  );
  return buildErrorObject("provider_unavailable", {
    en: `The provider reported the MARK ${mark}, which another document (${other}) already has; check both at the provider`,
    el: `Ο πάροχος έδωσε το ΜΑΡΚ ${mark}, που έχει ήδη άλλο παραστατικό (${other})· ελέγξτε και τα δύο στον πάροχο`,
  });
}

/**
 * Adjusts what a lookup found if the MARK is one that was to be cancelled while the document was failed: a cancellation may be
 * under way, so the document waits; one that was cancelled from here was cancelled by nobody else.
 */
export async function reinterpretOwnSurplus(
  trx: Transaction,
  row: DocumentRow,
  outcome: ReconcileOutcome,
): Promise<ReconcileOutcome> {
  if (outcome.kind !== "issued") return outcome;
  const surplus = await findSurplusMark(trx, { documentId: row.id, mark: outcome.mark });
  if (surplus?.state === "cancelling") return BEING_CANCELLED;
  const wasCancelledHere = surplus?.state === "cancelled" && outcome.cancellationMark !== undefined;
  return wasCancelledHere ? { kind: "absent" } : outcome;
}

const BEING_CANCELLED: UnknownOutcome = {
  kind: "unknown",
  error: buildErrorObject("provider_unavailable", {
    en: "An earlier registration of the document is being cancelled",
    el: "Μια προηγούμενη καταχώριση του παραστατικού ακυρώνεται",
  }),
};
