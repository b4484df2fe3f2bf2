/** Decides what an outcome means for its document, from what the adapter reported and what is on record here. */
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { hasUnfoundSend } from "../../storage/documents/surplus-marks.ts";
import { findLastErrors } from "../../storage/logs/calls.ts";
import type { Transaction } from "../../storage/database/write.ts";
import {
  decideAfterReconcile,
  decideAfterSend,
  decideAfterStatus,
  decideTakenMark,
} from "../domain/decide-after-call.ts";
import type { Decision, DeliveryPolicy, DeliveryState } from "../domain/decision.ts";
import type { IssueOutcome, ReconcileOutcome, StatusOutcome } from "../domain/provider-adapter.ts";
import type { ErrorObject } from "../foundation/errors.ts";
import { readJson } from "../foundation/json.ts";
import type { Context } from "../journal/context.ts";
import { findTakenMark, reinterpretOwnSurplus } from "./check-mark.ts";
import type { Group } from "./claimed-group.ts";

export function deliveryPolicy(context: Context, rule: DeliveryPolicy["settle"]): DeliveryPolicy {
  return { delaysSeconds: context.config.issuing.delaysSeconds, settle: rule, random: Math.random };
}

/** What the adapter reported for one document. */
export type Outcome =
  | { phase: "submitting"; outcome: IssueOutcome }
  | { phase: "awaiting_mark"; outcome: StatusOutcome }
  | { phase: "reconciling"; outcome: ReconcileOutcome };

/** Decides within the settling write, because only there is it certain that no other document has the reported MARK. */
export async function decideOutcome(
  trx: Transaction,
  context: Context,
  { adapter, isOtherAccount }: Group,
  row: DocumentRow,
  reported: Outcome,
  mayBeTaken: boolean,
): Promise<Decision> {
  const nowMs = trx.clockMs;
  const policy = deliveryPolicy(context, adapter.settle);
  const state = stateOf(row);
  if (reported.outcome.kind === "issued" && mayBeTaken) {
    const taken = await findTakenMark(trx, context, row, reported.outcome.mark);
    if (taken !== undefined) return decideTakenMark(row.phase, state, taken, policy, nowMs);
  }
  if (reported.phase === "submitting")
    return withLastWords(trx, row, decideAfterSend(state, reported.outcome, policy, nowMs));
  if (reported.phase === "awaiting_mark") return decideAfterStatus(state, reported.outcome, policy, nowMs);
  const isUnsent = row.asking === "first" && row.attempts === 0;
  const conditions = {
    isOtherAccount,
    isUnsent,
    hasUnfoundSend: await hasUnfoundSend(trx, { documentId: row.id }),
    numbering: adapter.numbering,
  };
  const outcome = await reinterpretOwnSurplus(trx, row, reported.outcome);
  return withLastWords(trx, row, decideAfterReconcile(state, outcome, conditions, policy, nowMs));
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
