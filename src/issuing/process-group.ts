/** Processes one group of claimed documents: calls the provider, decides from each outcome, and stores the decision. */
import type { DocumentRow } from "../../storage/documents.ts";
import { hasUnfoundSend } from "../../storage/filing-checks.ts";
import type { Transaction } from "../../storage/write.ts";
import { decideAfterReconcile, decideAfterStatus, decideTakenMark } from "../domain/decide-query.ts";
import { decideAfterSend } from "../domain/decide-send.ts";
import type { Decision, DeliveryState } from "../domain/decision.ts";
import type { DeliveryPolicy } from "../domain/delivery-delays.ts";
import {
  adapterFailed,
  type Contact,
  contactFrom,
  credentialsMissing,
  isDecidableAlone,
} from "../domain/outcome-rules.ts";
import type {
  CallContext,
  Filing,
  IssueOutcome,
  ReconcileOutcome,
  StatusOutcome,
} from "../domain/provider-adapter.ts";
import type { Context } from "../journal/context.ts";
import { storeFiling } from "../journal/substance.ts";
import type { Redactor } from "../logs/redaction.ts";
import { reinterpretSends } from "./account-conditions.ts";
import { buildCallContext, openCredentials, withoutCredentials } from "./call-context.ts";
import type { Claimed, Group } from "./claimed-group.ts";
import { settle } from "./settle-document.ts";
import { findTakenMark, reinterpretOwnSurplus } from "./check-mark.ts";
import { cancelSurplusMarks } from "./surplus-marks.ts";

export function deliveryPolicy(context: Context, rule: DeliveryPolicy["settle"]): DeliveryPolicy {
  return { delaysSeconds: context.config.issuing.delaysSeconds, settle: rule, random: Math.random };
}

/** What the adapter reported for a group, in the order of its documents. */
type Outcomes =
  | { phase: "submitting"; outcomes: readonly IssueOutcome[] }
  | { phase: "awaiting_mark"; outcomes: readonly StatusOutcome[] }
  | { phase: "reconciling"; outcomes: readonly ReconcileOutcome[] };

/** What the adapter reported for one document. */
type Outcome =
  | { phase: "submitting"; outcome: IssueOutcome }
  | { phase: "awaiting_mark"; outcome: StatusOutcome }
  | { phase: "reconciling"; outcome: ReconcileOutcome };

function outcomeAt({ phase, outcomes }: Outcomes, index: number): Outcome {
  return { phase, outcome: outcomes[index]! } as Outcome;
}

interface Settled {
  decision: Decision;
  /** Undefined if the document was rescued meanwhile. */
  row: DocumentRow | undefined;
}

/** Sends or queries, then settles each document separately, so that a failure to settle one affects no other. */
export async function processGroup(context: Context, group: Group): Promise<Contact> {
  const startedMs = context.clock.nowMs();
  const first = group.claimed[0]!;
  const route = {
    mode: group.mode,
    provider: group.adapter.provider,
    connectionId: group.connectionId,
    credentials: group.credentials,
    merchantId: first.row.merchant_id,
    documentId: first.row.id,
  };
  const credentials = openCredentials(context, route);
  const settling = new Map<number, Promise<Settled>>();
  const filed = new Set<number>();
  const reports = { known: settleEarly, filing: storeFilings };
  const call = buildCallContext(context, route, credentials, group.claimed.length, reports);
  const { callContext, evidenceOf, redactor } = call;

  /** Settles a document whose outcome is known before the rest of its batch. */
  function settleEarly(index: number, outcome: IssueOutcome): void {
    if (group.phase !== "submitting" || !isDecidableAlone(outcome)) return;
    if (!(index in group.claimed) || settling.has(index)) return;
    const settled = settleOne(index, { phase: "submitting", outcome: withoutCredentials(outcome, redactor) });
    // A rejection is handled below, together with those of the others.
    settled.catch(() => undefined);
    settling.set(index, settled);
  }

  async function storeFilings(filings: readonly Filing[]): Promise<void> {
    const known = filings.filter(({ index }) => index in group.claimed);
    await context.store.write(async (trx) => {
      for (const { index, text } of known)
        await storeFiling(trx, context, group.claimed[index]!.row.id, text);
    });
    for (const { index } of known) filed.add(index);
  }

  function settleOne(index: number, outcome: Outcome): Promise<Settled> {
    const claimed = group.claimed[index]!;
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    return context.store.write(async (trx) => {
      const decision = await decide(trx, context, group, claimed, outcome);
      const { evidence, keeper } = evidenceOf(index);
      const bodyOwner = group.claimed[keeper]!.callId;
      const end = { callId: claimed.callId, durationMs, evidence, bodyOwner, redactor };
      const options = { usedConnectionId: group.connectionId, isFiled: filed.has(index) };
      const row = await settle(trx, context, claimed.row, decision, end, options);
      return { decision, row };
    });
  }

  const reported = redact(await callAdapter(context, group, callContext), redactor);
  const answer =
    reported.phase === "submitting"
      ? { ...reported, outcomes: await reinterpretSends(context, group, reported.outcomes) }
      : reported;
  const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
  const settled = await Promise.allSettled(
    group.claimed.map((_, index) => settling.get(index) ?? settleOne(index, outcomeAt(answer, index))),
  );
  reportSettled(context, group, settled, durationMs);
  if (settled.some((one) => one.status === "fulfilled" && one.value.decision.surplusMarks.length > 0))
    await cancelSurplusMarks(context);
  return contactFrom(answer.outcomes, call.wasAnswered());
}

/** Logs and counts the results of a group. */
function reportSettled(
  context: Context,
  group: Group,
  settled: readonly PromiseSettledResult<Settled>[],
  durationMs: number,
): void {
  const { mode, phase } = group;
  const { provider } = group.adapter;
  for (const [index, result] of settled.entries()) {
    const { document, callId } = group.claimed[index]!;
    if (result.status === "rejected") {
      const fields = { document: document.id, error: String(result.reason) };
      context.log.error(fields, "document left to the rescuer");
      continue;
    }
    const { decision, row } = result.value;
    if (index === 0) {
      const operation = phase === "submitting" ? "issue" : "status";
      context.watch.call({ callId, mode, provider, operation, outcome: decision.call, durationMs });
    }
    if (row !== undefined && row.status !== "pending")
      context.watch.document({ mode: row.mode, provider, status: row.status });
  }
}

function redact(answer: Outcomes, redactor: Redactor | undefined): Outcomes {
  if (redactor === undefined) return answer;
  const outcomes = answer.outcomes.map((outcome) => withoutCredentials(outcome, redactor));
  return { phase: answer.phase, outcomes } as Outcomes;
}

/** Returns one outcome per document, whatever the adapter does. */
async function callAdapter(context: Context, group: Group, call: CallContext): Promise<Outcomes> {
  const { adapter, phase } = group;
  const documents = group.claimed.map(({ document }) => document);
  if (group.connectionId !== null && call.credentials === null)
    return { phase, outcomes: documents.map(() => credentialsMissing()) };
  try {
    const answer: Outcomes =
      phase === "submitting"
        ? { phase, outcomes: await adapter.issue(documents, call) }
        : phase === "awaiting_mark"
          ? { phase, outcomes: await adapter.status(documents, call) }
          : { phase, outcomes: await adapter.reconcile(documents, call) };
    const { length } = answer.outcomes;
    if (length === documents.length) return answer;
    throw new Error(`The adapter of ${adapter.provider} returned ${length} outcomes for ${documents.length}`);
  } catch (cause) {
    const fields = { provider: adapter.provider, error: String(cause) };
    context.log.error(fields, "the adapter failed; outcome unknown");
    call.evidence.failed(cause);
    return { phase, outcomes: documents.map(() => adapterFailed()) };
  }
}

/** Decides within the settling write, because only there is it certain that no other document has the reported MARK. */
async function decide(
  trx: Transaction,
  context: Context,
  { adapter, isOtherAccount }: Group,
  { row }: Claimed,
  reported: Outcome,
): Promise<Decision> {
  const nowMs = trx.clockMs;
  const policy = deliveryPolicy(context, adapter.settle);
  const state: DeliveryState = {
    attempts: row.attempts,
    polls: row.polls,
    absences: row.absences,
    stageSinceMs: row.stage_since === null ? null : Date.parse(row.stage_since),
  };
  if (reported.outcome.kind === "issued") {
    const taken = await findTakenMark(trx, context, row, reported.outcome.mark);
    if (taken !== undefined) return decideTakenMark(row.phase, state, taken, policy, nowMs);
  }
  switch (reported.phase) {
    case "submitting":
      return decideAfterSend(state, reported.outcome, policy, nowMs);
    case "awaiting_mark":
      return decideAfterStatus(state, reported.outcome, policy, nowMs);
    case "reconciling": {
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
  }
}
