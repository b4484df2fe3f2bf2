/**
 * Decides what an outcome means for its document, from what the adapter reported and what is on record here. A reported MARK is accepted
 * unless it is another document's (docs/contract.md#mark-of-another-document), or one that is being cancelled as surplus.
 */
import { type DocumentRow, findOtherDocumentWithMark } from "../../storage/documents/documents.ts";
import { findLastErrors } from "../../storage/logs/logs.ts";
import type { Transaction } from "../../storage/database/write.ts";
import {
  decideAfterReconcile,
  decideAfterSend,
  decideAfterStatus,
  decideTakenMark,
} from "../domain/decide-after-call.ts";
import type { Decision, DeliveryState } from "../domain/decision.ts";
import type {
  IssueOutcome,
  ReconcileOutcome,
  StatusOutcome,
  UnknownOutcome,
} from "../domain/provider-adapter.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";
import type { Group } from "./claimed-group.ts";
import { findSurplusMark, hasUnfoundSend, insertSurplusMark } from "../../storage/documents/surplus-marks.ts";

/** Decides within the settling write, because only there is it certain that no other document has the reported MARK. */
export async function decideOutcome(
  trx: Transaction,
  context: Context,
  { adapter, phase, connectionId, connection }: Group,
  row: DocumentRow,
  reported: ReconcileOutcome,
  mayBeTaken: boolean,
): Promise<Decision> {
  const { delaysSeconds } = context.config.issuing;
  const policy = { delaysSeconds, settle: adapter.settle, random: Math.random, nowMs: trx.clockMs };
  const state = stateOf(row);
  if (reported.kind === "issued" && mayBeTaken) {
    const taken = await findTakenMark(trx, context, row, reported.mark);
    if (taken !== undefined) return decideTakenMark(row.phase, state, taken, policy);
  }
  // What a send and a poll report are outcomes of a lookup too, but not the other way round.
  if (phase === "submitting")
    return withLastWords(trx, row, decideAfterSend(state, reported as IssueOutcome, policy));
  if (phase === "awaiting_mark") return decideAfterStatus(state, reported as StatusOutcome, policy);
  const isUnsent = row.asking === "first" && row.attempts === 0;
  const conditions = {
    isOtherAccount: connection !== undefined && connection.id !== connectionId,
    isUnsent,
    hasUnfoundSend: await hasUnfoundSend(trx, { documentId: row.id }),
    numbering: adapter.numbering,
  };
  const outcome = await reinterpretOwnSurplus(trx, row, reported);
  return withLastWords(trx, row, decideAfterReconcile(state, outcome, conditions, policy));
}

/** Of the last calls; earlier ones are about other attempts. */
const ERRORS_READ_MAX = 50;

/** A document that could not be delivered shows what the provider said last, also where the last attempt had no answer. */
async function withLastWords(trx: Transaction, { id }: DocumentRow, decision: Decision): Promise<Decision> {
  const { phase, error } = decision;
  if (phase !== "failed" || error === null || error.provider_code !== null) return decision;
  const errors = await findLastErrors(trx, { documentId: id, limit: ERRORS_READ_MAX });
  const said = errors
    .map((json) => readJson<ErrorObject>(json))
    .find(({ provider_code: code }) => code !== null);
  if (said === undefined) return decision;
  const { provider_code, provider_message } = said;
  return { ...decision, error: { ...error, provider_code, provider_message } };
}

function stateOf(row: DocumentRow): DeliveryState {
  const { attempts, polls, absences, stage_since: since } = row;
  return { attempts, polls, absences, stageSinceMs: since === null ? null : Date.parse(since) };
}

/** The error if another document here has the MARK, which is recorded for a person; undefined if it can be accepted. */
async function findTakenMark(
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
async function reinterpretOwnSurplus(
  trx: Transaction,
  row: DocumentRow,
  outcome: ReconcileOutcome,
): Promise<ReconcileOutcome> {
  if (outcome.kind !== "issued") return outcome;
  const surplus = await findSurplusMark(trx, { document_id: row.id, mark: outcome.mark });
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
