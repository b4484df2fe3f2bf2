/**
 * Finds documents that are registered under several MARKs, and cancels all but the one on the document
 * (docs/contract.md#surplus-marks). The registry accepts a second send like the first: a send that was not found for long enough
 * is repeated, and the first may be listed after all.
 */
import { findFirstSend } from "../../storage/calls.ts";
import { findDocumentInput, findDocumentRow, type DocumentRow } from "../../storage/documents.ts";
import {
  deleteFilingCheck,
  type FilingCheckRow,
  findDueFilingChecks,
  claimFilingCheck,
} from "../../storage/filing-checks.ts";
import {
  closeSurplusMark,
  findDueSurplusMarks,
  insertSurplusMark,
  type SurplusMarkRow,
  claimSurplusMark,
} from "../../storage/surplus-marks.ts";
import type {
  CancelOutcome,
  ProviderAdapter,
  ReconcileOutcome,
  SentDocument,
} from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { isHeld } from "../journal/held.ts";
import { buildSent } from "./outgoing.ts";
import { callProvider } from "./single-call.ts";

const BATCH = 20;
const MINUTE_MS = 60_000;
/** Pauses after each try: long enough for a provider to come back, or for a person to fix refused credentials. */
const PAUSES_MS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS);
/** Cancellations to try, over several days. */
const TRIES_MAX = 30;
/** Checks to make while the listing does not even show the MARK on the document, and so proves nothing. */
const LOOKS_MAX = 12;
/** Checks that must all find nothing, over about six hours. */
const ABSENCES_MAX = 5;

function pauseAfter(tries: number): number {
  return PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!;
}

/** Makes the due checks for second registrations, then the due cancellations. */
export async function cancelSurplusMarks(context: Context): Promise<void> {
  const { store, clock } = context;
  if (await isHeld(store.read)) return;
  for (const check of await findDueFilingChecks(store.read, clock.now(), BATCH))
    await logFailure(context, check.document_id, () => checkRegistrations(context, check));
  for (const surplus of await findDueSurplusMarks(store.read, clock.now(), BATCH))
    await logFailure(context, surplus.document_id, () => cancelSurplus(context, surplus));
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

interface Subject {
  row: DocumentRow;
  document: SentDocument;
  adapter: ProviderAdapter;
}

async function loadSubject({ store, providers }: Context, id: string): Promise<Subject> {
  const row = await findDocumentRow(store.read, id);
  const input = await findDocumentInput(store.read, id);
  if (row === undefined || input === undefined) throw new Error(`The document ${id} is gone`);
  const submittedAt = (await findFirstSend(store.read, id)) ?? row.created_at;
  return { row, document: buildSent(row, input, submittedAt), adapter: providers.get(row.provider) };
}

/** Looks up the sends of a final document, and records every MARK that is not on the document as surplus. */
async function checkRegistrations(context: Context, check: FilingCheckRow): Promise<void> {
  const { store } = context;
  const { document_id: documentId, due_at: due, looks } = check;
  const isMine = await store.write((trx) =>
    claimFilingCheck(trx, {
      documentId,
      due: due ?? "",
      until: new Date(trx.clockMs + pauseAfter(looks)).toISOString(),
    }),
  );
  if (!isMine) return;
  const subject = await loadSubject(context, documentId);
  const { row } = subject;
  if (row.phase !== "issued" && row.phase !== "failed" && row.phase !== "rejected") return;
  const outcome = await findRegistrations(context, subject, check);
  const marks = outcome.kind === "issued" ? [outcome.mark, ...(outcome.surplusMarks ?? [])] : [];
  const isForeign = outcome.kind === "unknown" && outcome.numberOfAnother === true;
  const isAnswered = outcome.kind === "issued" || outcome.kind === "absent" || isForeign;
  const showsOwnMark = row.mark === null || check.uid !== row.uid || marks.includes(row.mark);
  const isConclusive = isAnswered && showsOwnMark;
  if (!isConclusive && looks + 1 < LOOKS_MAX) return;
  // A listing that was late once may be late again, so a send that is still missing is looked up several times.
  if (marks.length === 0 && isAnswered && looks + 1 < ABSENCES_MAX) return;
  if (!isConclusive) {
    context.log.error(
      { document: documentId },
      "a document that was sent again is not listed by its provider; check there whether it is registered twice",
    );
  }
  const surplus = marks.filter((mark) => mark !== row.mark);
  await store.write(async (trx) => {
    const now = new Date(trx.clockMs).toISOString();
    for (const mark of surplus) await insertSurplusMark(trx, { documentId, mark, due: now });
    await deleteFilingCheck(trx, documentId);
  });
}

function findRegistrations(
  context: Context,
  { row, document, adapter }: Subject,
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

async function cancelSurplus(context: Context, surplus: SurplusMarkRow): Promise<void> {
  const { store, log } = context;
  const { document_id: documentId, mark, due_at: due, tries } = surplus;
  const isMine = await store.write((trx) =>
    claimSurplusMark(trx, {
      documentId,
      mark,
      due: due ?? "",
      until: new Date(trx.clockMs + pauseAfter(tries)).toISOString(),
    }),
  );
  if (!isMine) return;
  const subject = await loadSubject(context, documentId);
  const outcome = await cancelMark(context, subject, mark, tries > 0);
  if (outcome.kind === "cancelled") {
    const { cancellationMark } = outcome;
    await store.write((trx) => closeSurplusMark(trx, { documentId, mark, cancellationMark }));
    log.warn({ document: documentId, mark }, "a surplus MARK was cancelled");
    return;
  }
  if (outcome.kind !== "rejected" && tries + 1 < TRIES_MAX) return;
  await store.write((trx) => closeSurplusMark(trx, { documentId, mark, cancellationMark: null }));
  log.error({ document: documentId, mark }, "a surplus MARK could not be cancelled; cancel it by hand");
}

async function cancelMark(
  context: Context,
  { row, document, adapter }: Subject,
  mark: string,
  wasTried: boolean,
): Promise<CancelOutcome> {
  const surplus = { ...document, mark };
  if (wasTried) {
    // An earlier try whose response was lost may have succeeded.
    const found = await callProvider(context, row, "cancel", (call) =>
      adapter.findCancellation(surplus, call),
    );
    if (found.kind !== "not_cancelled") return found;
  }
  return callProvider(context, row, "cancel", (call) => adapter.cancel(surplus, call));
}
