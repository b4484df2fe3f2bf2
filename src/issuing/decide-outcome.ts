/** Decides what an outcome means for its document, from what the adapter reported and what is on record here. */
import type { DocumentRow } from "../../storage/documents/documents.ts";
import { hasUnfoundSend } from "../../storage/documents/filing-checks.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { decideAfterReconcile, decideAfterStatus, decideTakenMark } from "../domain/decide-query.ts";
import { decideAfterSend } from "../domain/decide-send.ts";
import type { Decision, DeliveryState } from "../domain/decision.ts";
import type { DeliveryPolicy } from "../domain/delivery-delays.ts";
import type { IssueOutcome, ReconcileOutcome, StatusOutcome } from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { findTakenMark, reinterpretOwnSurplus } from "./check-mark.ts";
import type { Group } from "./claimed-group.ts";

export function deliveryPolicy(context: Context, rule: DeliveryPolicy["settle"]): DeliveryPolicy {
  return { delaysSeconds: context.config.issuing.delaysSeconds, settle: rule, random: Math.random };
}

/** What the adapter reported for one document. */
export type Outcome = AloneOutcome | { phase: "reconciling"; outcome: ReconcileOutcome };

/** An outcome that can be decided from the document alone, once it is known that no other document has its MARK. */
type AloneOutcome =
  | { phase: "submitting"; outcome: IssueOutcome }
  | { phase: "awaiting_mark"; outcome: StatusOutcome };

/** Decides within the settling write, because only there is it certain that no other document has the reported MARK. */
export async function decideOutcome(
  trx: Transaction,
  context: Context,
  { adapter, isOtherAccount }: Group,
  row: DocumentRow,
  reported: Outcome,
): Promise<Decision> {
  const nowMs = trx.clockMs;
  const policy = deliveryPolicy(context, adapter.settle);
  const state = stateOf(row);
  if (reported.outcome.kind === "issued") {
    const taken = await findTakenMark(trx, context, row, reported.outcome.mark);
    if (taken !== undefined) return decideTakenMark(row.phase, state, taken, policy, nowMs);
  }
  if (reported.phase !== "reconciling") return decideAlone(reported, state, policy, nowMs);
  const isUnsent = row.asking === "first" && row.attempts === 0;
  const conditions = {
    isOtherAccount,
    isUnsent,
    hasUnfoundSend: await hasUnfoundSend(trx, row.id),
    numbering: adapter.numbering,
  };
  const outcome = await reinterpretOwnSurplus(trx, row, reported.outcome);
  return decideAfterReconcile(state, outcome, conditions, policy, nowMs);
}

export function stateOf(row: DocumentRow): DeliveryState {
  const { attempts, polls, absences, stage_since: since } = row;
  return { attempts, polls, absences, stageSinceMs: since === null ? null : Date.parse(since) };
}

/** The decision if no other document has the reported MARK. */
export function decideAlone(
  reported: AloneOutcome,
  state: DeliveryState,
  policy: DeliveryPolicy,
  nowMs: number,
): Decision {
  return reported.phase === "submitting"
    ? decideAfterSend(state, reported.outcome, policy, nowMs)
    : decideAfterStatus(state, reported.outcome, policy, nowMs);
}
