/** Retries a failed document, or abandons its number. See docs/contract.md#retry. */
import {
  clearFailedNumber,
  type DocumentRow,
  type Move,
  moveDocumentRow,
} from "../../storage/documents/documents.ts";
import type { Mode } from "../../storage/stored-values.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Cause, Context } from "../journal/context.ts";
import { AppError, validationError } from "../foundation/errors.ts";
import { lengthFromTo } from "../foundation/messages.ts";
import type { Text } from "../foundation/text.ts";
import { appendDocumentEvent } from "../journal/append-event.ts";
import { refuseWhileHeld } from "../journal/held.ts";
import { requireStillLeft } from "./credit-original.ts";
import { renderDocument, requireDocumentRow } from "./list-documents.ts";
import { giveUpNumber } from "../numbering/allocate.ts";
import { counterOf } from "../../storage/documents/series.ts";
import type { DocumentObject } from "../journal/document-object.ts";

async function requireFailed(trx: Transaction, mode: Mode, id: string, action: Text): Promise<DocumentRow> {
  const row = await requireDocumentRow(trx, mode, id);
  if (row.phase === "failed") return row;
  throw new AppError("invalid_state", {
    en: `Only a failed document can be ${action.en}; this one is ${row.status}`,
    el: `Μόνο παραστατικό που απέτυχε (failed) μπορεί να ${action.el}· αυτό είναι ${row.status}`,
  });
}

/** Queues a failed document again as it is. Throws `not_found`, `invalid_state`, or `service_unavailable` while held. */
export async function retryDocument(context: Context, id: string, cause: Cause): Promise<DocumentObject> {
  await requireDocumentRow(context.store.read, cause.mode, id);
  await refuseWhileHeld(context.store.read, {
    en: "The document was not queued",
    el: "Το παραστατικό δεν μπήκε στην ουρά",
  });
  const object = await context.store.write(async (trx) => {
    const before = await requireFailed(trx, cause.mode, id, { en: "retried", el: "επαναληφθεί" });
    await requireStillLeft(trx, before, trx.clockMs);
    const move: Move = {
      phase: "queued",
      status: "pending",
      error_json: null,
      updated_at: trx.now,
      attempts: 0,
      polls: 0,
      absences: 0,
      next_at: new Date(trx.clockMs).toISOString(),
    };
    await moveDocumentRow(trx, before, move);
    const after = { ...before, ...move };
    return appendDocumentEvent(trx, { type: "document.retried", before, after, cause });
  });
  context.pokeIssuing();
  return object;
}

const REASON_LENGTH_MAX = 300;

/** Gives up the number of a failed document for good. Throws `not_found`, `invalid_state` or `validation_failed`. */
export async function abandonDocument(
  context: Context,
  id: string,
  options: { reason: string },
  cause: Cause,
): Promise<DocumentObject> {
  const reason = options.reason.trim();
  if (reason === "" || [...reason].length > REASON_LENGTH_MAX) {
    throw validationError([{ path: "reason", message: lengthFromTo(1, REASON_LENGTH_MAX) }]);
  }
  await requireDocumentRow(context.store.read, cause.mode, id);
  await refuseWhileHeld(context.store.read, {
    en: "The number was not given up",
    el: "Ο αριθμός δεν εγκαταλείφθηκε",
  });
  const row = await context.store.write(async (trx) => {
    const before = await requireFailed(trx, cause.mode, id, { en: "abandoned", el: "εγκαταλειφθεί" });
    const key = counterOf(before);
    if (key === undefined || before.number === null || before.provider_numbered === 1) {
      throw new AppError("invalid_state", {
        en: "This document has no number to give up",
        el: "Το παραστατικό δεν έχει αριθμό για εγκατάλειψη",
      });
    }
    await giveUpNumber(trx, { key, number: before.number, state: "abandoned", documentId: id, reason });
    if (!(await clearFailedNumber(trx, { id, at: trx.now })))
      throw new Error(`Document ${id} changed within its own transaction`);
    return requireDocumentRow(trx, cause.mode, id);
  });
  return renderDocument(context, row);
}
