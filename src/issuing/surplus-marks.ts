/**
 * Cancels MARKs of documents that are registered several times (docs/contract.md#surplus-marks). The registry accepts a second
 * send like the first: a send that was not found for long enough is repeated, and the first may be listed after all. A MARK
 * is cancelled only while the document's own is not, because otherwise it may be the only valid one.
 */
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { findDueFilingChecks, recordUnfoundSend } from "../../storage/documents/filing-checks.ts";
import {
  changeSurplusMark,
  claimSurplusMark,
  deleteSurplusMark,
  findDueSurplusMarks,
  type SurplusMarkRow,
} from "../../storage/documents/surplus-marks.ts";
import type { SurplusState } from "../../storage/stored-values.ts";
import { isFinal } from "../domain/lifecycle.ts";
import type { CancellationLookup, CancelOutcome } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { checkFiling } from "./check-filing.ts";
import { type FiledDocument, loadFiledDocument, pauseAfter } from "./filed-document.ts";
import { callProvider } from "./single-call.ts";
import { PERSON_PAUSE_MS, unfoundSend } from "./surplus-watch.ts";

const BATCH = 20;
/** Cancellations to try, over several days. */
const TRIES_MAX = 30;

/** Makes the due checks for second registrations, then the due cancellations. */
export async function cancelSurplusMarks(context: Context): Promise<void> {
  const { store, clock } = context;
  if (await isHeld(store.read)) return;
  for (const check of await findDueFilingChecks(store.read, clock.now(), BATCH))
    await logFailure(context, check.document_id, () => checkFiling(context, check));
  for (const surplus of await findDueSurplusMarks(store.read, clock.now(), BATCH))
    await logFailure(context, surplus.document_id, () => processSurplus(context, surplus));
}

/** A failure does not stop the other documents: this one is due again after its pause. */
async function logFailure(context: Context, documentId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error(
      { document: documentId, error: String(error) },
      "a document that may be registered twice could not be checked; trying again",
    );
  }
}

async function processSurplus(context: Context, surplus: SurplusMarkRow): Promise<void> {
  const { document_id: documentId, mark, due_at: due, tries, state } = surplus;
  const pauseMs = state === "cancelling" ? pauseAfter(tries) : PERSON_PAUSE_MS;
  const isMine = await context.store.write((trx) =>
    claimSurplusMark(trx, {
      documentId,
      mark,
      due: due ?? "",
      until: new Date(trx.clockMs + pauseMs).toISOString(),
    }),
  );
  if (!isMine) return;
  const filed = await loadFiledDocument(context, documentId);
  if (state === "cancelling") await cancelSurplus(context, filed, surplus);
  else await lookUpAfterPerson(context, filed, mark);
}

/** A person was asked to see to the MARK: once it is cancelled at the provider, it needs no more attention. */
async function lookUpAfterPerson(context: Context, filed: FiledDocument, mark: string): Promise<void> {
  const found = await findCancellation(context, filed, mark);
  if (found.kind === "cancelled") await change(context, filed.row, mark, "cancelled", found.cancellationMark);
}

async function cancelSurplus(
  context: Context,
  filed: FiledDocument,
  { mark, tries }: SurplusMarkRow,
): Promise<void> {
  const { row } = filed;
  if (row.mark === mark || !isFinal(row.phase)) return withdraw(context, row, mark);
  const outcome = await cancelIfSafe(context, filed, mark, tries > 0);
  if (outcome.kind === "cancelled") {
    await change(context, row, mark, "cancelled", outcome.cancellationMark);
    context.log.warn({ document: row.id, mark }, "a surplus MARK was cancelled");
    return;
  }
  // The document may have been cancelled since its row was read, which the next try knows.
  const isUnsafe = outcome.kind === "unsafe" && tries > 0;
  const isGivenUp = outcome.kind === "rejected" || isUnsafe || tries + 1 >= TRIES_MAX;
  if (!isGivenUp) return;
  await change(context, row, mark, "stuck", null);
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
    await deleteSurplusMark(trx, row.id, mark);
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

async function change(
  context: Context,
  { id }: DocumentRow,
  mark: string,
  state: SurplusState,
  cancellationMark: string | null,
): Promise<void> {
  await context.store.write((trx) => {
    const due = state === "stuck" ? new Date(trx.clockMs + PERSON_PAUSE_MS).toISOString() : null;
    return changeSurplusMark(trx, { documentId: id, mark, state, due, cancellationMark });
  });
}
