/**
 * One document under several MARKs (decisions 6). The registry registers a second send like the first: a send that was not
 * found for long enough is made again, and the first may be listed after all. So what was sent again is looked for once more
 * after it was issued; the MARK on the document is kept, every other one is cancelled at the provider.
 */
import { findFirstSend } from "../../storage/calls.ts";
import { findDocumentInput, findDocumentRow, type DocumentRow } from "../../storage/documents.ts";
import {
  dropFilingCheck,
  endSurplusMark,
  type FilingCheckRow,
  findDueFilingChecks,
  findDueSurplusMarks,
  keepSurplusMark,
  type SurplusMarkRow,
  takeFilingCheck,
  takeSurplusMark,
} from "../../storage/surplus.ts";
import type { Context } from "../journal/context.ts";
import { buildSent } from "./outgoing.ts";
import { isHeld } from "../journal/held.ts";
import type { CancelOutcome, ProviderAdapter, SentDocument } from "../domain/provider-adapter.ts";
import { callProvider } from "./single-call.ts";

const BATCH = 20;
const MINUTE_MS = 60_000;
/** Pauses after the tries: a provider that is away comes back, refused credentials are mended by people. */
const PAUSES_MS = [1, 5, 15, 60, 240].map((minutes) => minutes * MINUTE_MS);
/** Some days of the longest pause. */
const TRIES_MAX = 30;
/** A listing that does not even show the MARK on the document says nothing about others. */
const LOOKS_MAX = 12;
/** Looks over some six hours that must all find nothing. */
const ABSENCES_MAX = 5;

function pauseAfter(tries: number): number {
  return PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)]!;
}

/** Works what is due: looks for second registrations, then cancels what is one too many. */
export async function cancelSurplusMarks(context: Context): Promise<void> {
  const { store, clock } = context;
  if (await isHeld(store.read)) return;
  for (const check of await findDueFilingChecks(store.read, clock.now(), BATCH)) {
    await guarded(context, check.document_id, () => lookAgain(context, check));
  }
  for (const surplus of await findDueSurplusMarks(store.read, clock.now(), BATCH)) {
    await guarded(context, surplus.document_id, () => cancelSurplus(context, surplus));
  }
}

/** Trouble with one holds up no other: it comes up again when its time has passed. */
async function guarded(context: Context, documentId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    context.log.error(
      { document: documentId, error: String(error) },
      "a document that may be registered twice could not be looked at; trying again",
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

async function lookAgain(context: Context, check: FilingCheckRow): Promise<void> {
  const { store } = context;
  const { document_id: documentId, due_at: due, looks } = check;
  const isMine = await store.write((trx) =>
    takeFilingCheck(trx, {
      documentId,
      due: due ?? "",
      until: new Date(trx.clockMs + pauseAfter(looks)).toISOString(),
    }),
  );
  if (!isMine) return;
  const { row, document, adapter } = await loadSubject(context, documentId);
  if (row.phase !== "issued" && row.phase !== "failed" && row.phase !== "rejected") return;
  // The document may have another number by now, or none.
  const { series, number, uid } = check;
  const sent = uid === null ? document : { ...document, series, number, uid };
  const outcome = await callProvider(context, row, "status", async (call) => {
    const [first] = await adapter.reconcile([sent], call);
    if (first === undefined) throw new Error(`The adapter of ${row.provider} answered nothing`);
    return first;
  });
  const marks = outcome.kind === "issued" ? [outcome.mark, ...(outcome.surplusMarks ?? [])] : [];
  const isAnothers = outcome.kind === "unknown" && outcome.numberOfAnother === true;
  const isAnswered = outcome.kind === "issued" || outcome.kind === "absent" || isAnothers;
  const isShown = row.mark === null || uid !== row.uid || marks.includes(row.mark);
  if (!(isAnswered && isShown) && looks + 1 < LOOKS_MAX) return;
  // What was late once may be late again: a send that is still not there is looked for a few times more.
  if (marks.length === 0 && isAnswered && looks + 1 < ABSENCES_MAX) return;
  if (!isAnswered || !isShown) {
    context.log.error(
      { document: documentId },
      "a document that was sent again is not listed by its provider; look there whether it stands twice",
    );
  }
  const surplus = marks.filter((mark) => mark !== row.mark);
  await store.write(async (trx) => {
    const now = new Date(trx.clockMs).toISOString();
    for (const mark of surplus) await keepSurplusMark(trx, { documentId, mark, due: now });
    await dropFilingCheck(trx, documentId);
  });
}

async function cancelSurplus(context: Context, surplus: SurplusMarkRow): Promise<void> {
  const { store, log } = context;
  const { document_id: documentId, mark, due_at: due, tries } = surplus;
  const isMine = await store.write((trx) =>
    takeSurplusMark(trx, {
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
    await store.write((trx) =>
      endSurplusMark(trx, { documentId, mark, cancellationMark: outcome.cancellationMark }),
    );
    log.warn({ document: documentId, mark }, "a surplus MARK was cancelled");
    return;
  }
  if (outcome.kind !== "rejected" && tries + 1 < TRIES_MAX) return;
  await store.write((trx) => endSurplusMark(trx, { documentId, mark, cancellationMark: null }));
  log.error({ document: documentId, mark }, "a surplus MARK could not be cancelled; cancel it by hand");
}

/** A try whose answer was lost may have done it. */
async function cancelMark(
  context: Context,
  { row, document, adapter }: Subject,
  mark: string,
  wasTried: boolean,
): Promise<CancelOutcome> {
  const surplus = { ...document, mark };
  if (wasTried) {
    const found = await callProvider(context, row, "cancel", (call) =>
      adapter.findCancellation(surplus, call),
    );
    if (found.kind !== "not_cancelled") return found;
  }
  return callProvider(context, row, "cancel", (call) => adapter.cancel(surplus, call));
}
