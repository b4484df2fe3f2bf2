/** Stores a cancellation on its document and appends the event, in the caller's write. */
import { cancelDocumentRow } from "../../storage/documents/document-changes.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { cancelOtherMarks } from "../../storage/documents/surplus-marks.ts";
import { appendDocumentEvent } from "../journal/append-event.ts";
import type { Cause } from "../journal/context.ts";
import type { DocumentObject } from "../journal/document-object.ts";

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
  return (await appendDocumentEvent(trx, { type: "document.cancelled", before, after, cause })).object;
}
