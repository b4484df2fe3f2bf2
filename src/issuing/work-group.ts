/** One group of claimed documents: the call to the provider, and the decision about each answer. */
import type { DocumentRow } from "../../storage/documents.ts";
import type { Context } from "../journal/context.ts";
import {
  type Decision,
  decideAfterReconcile,
  decideAfterSend,
  decideAfterStatus,
  type Policy,
  type Standing,
} from "../domain/lifecycle.ts";
import { buildErrorObject, type ErrorObject } from "../foundation/errors.ts";
import type {
  CallContext,
  IssueOutcome,
  ReconcileOutcome,
  StatusOutcome,
} from "../domain/provider-adapter.ts";
import type { Redactor } from "../logs/redaction.ts";
import { buildCallContext, openCredentials, withoutCredentials } from "./call-context.ts";
import type { Claimed, Group } from "./claims.ts";
import { settle } from "./settle-document.ts";
import { keepToSupplier } from "./supplier-refusals.ts";
import { tendSurplus } from "./surplus-marks.ts";

export function policyOf(context: Context, settleRule: Policy["settle"]): Policy {
  return { delaysSeconds: context.config.issuing.delaysSeconds, settle: settleRule, random: Math.random };
}

type Answer =
  | { phase: "submitting"; outcomes: readonly IssueOutcome[] }
  | { phase: "awaiting_mark"; outcomes: readonly StatusOutcome[] }
  | { phase: "reconciling"; outcomes: readonly ReconcileOutcome[] };

/** One document's part of it. */
type Outcome =
  | { phase: "submitting"; outcome: IssueOutcome }
  | { phase: "awaiting_mark"; outcome: StatusOutcome }
  | { phase: "reconciling"; outcome: ReconcileOutcome };

function outcomeAt(answer: Answer, index: number): Outcome {
  const { phase } = answer;
  return { phase, outcome: answer.outcomes[index]! } as Outcome;
}

interface Settled {
  decision: Decision;
  /** Undefined where the document was rescued meanwhile. */
  row: DocumentRow | undefined;
}

/** Whether anything came back from the provider, and the longest pause that it asked for. */
export interface Contact {
  isAnswered: boolean;
  retryAfterMs: number | undefined;
}

function contactOf({ outcomes }: Answer, wasAnswered: boolean): Contact {
  const pauses = outcomes.flatMap((outcome) =>
    "retryAfterMs" in outcome && outcome.retryAfterMs !== undefined ? [outcome.retryAfterMs] : [],
  );
  return {
    // An answer that cannot be made out is an answer all the same, and so is one account's used-up quota.
    isAnswered: wasAnswered || outcomes.some(({ kind }) => kind !== "not_sent" && kind !== "unknown"),
    retryAfterMs: pauses.length === 0 ? undefined : Math.max(...pauses),
  };
}

/** Sends or asks, then settles each document by itself: one that cannot be settled harms no other. */
export async function workGroup(context: Context, group: Group): Promise<Contact> {
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
  const hand = buildCallContext(context, route, credentials, group.claimed.length, (index, outcome) => {
    // Whether a refusal is the account's is seen from the whole answer.
    if (group.phase !== "submitting" || outcome.kind === "credentials_refused") return;
    if (!(index in group.claimed) || settling.has(index)) return;
    const known = redactor === undefined ? outcome : withoutCredentials(outcome, redactor);
    const settled = settleOne(index, { phase: "submitting", outcome: known });
    // Looked at with those of the others.
    settled.catch(() => undefined);
    settling.set(index, settled);
  });
  const { callContext, evidenceOf, redactor } = hand;

  function settleOne(index: number, outcome: Outcome): Promise<Settled> {
    const claimed = group.claimed[index]!;
    const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
    return context.store.write(async (trx) => {
      const decision = decide(context, group, claimed, outcome, trx.clockMs);
      const { evidence, keeper } = evidenceOf(index);
      const bodyOwner = group.claimed[keeper]!.callId;
      const end = { callId: claimed.callId, durationMs, evidence, bodyOwner, redactor };
      const row = await settle(trx, context, claimed.row, decision, end, group.connectionId);
      return { decision, row };
    });
  }

  const answer = await narrowed(
    context,
    group,
    redacted(await callAdapter(context, group, callContext), redactor),
  );
  const durationMs = Math.max(0, context.clock.nowMs() - startedMs);
  const settled = await Promise.allSettled(
    group.claimed.map((_, index) => settling.get(index) ?? settleOne(index, outcomeAt(answer, index))),
  );
  const hasSurplus = tellSettled(context, group, settled, durationMs);
  if (hasSurplus) await tendSurplus(context);
  return contactOf(answer, hand.wasAnswered());
}

/** Tells logs and metrics what came of the group; answers whether a MARK is one too many. */
function tellSettled(
  context: Context,
  group: Group,
  settled: readonly PromiseSettledResult<Settled>[],
  durationMs: number,
): boolean {
  let hasSurplus = false;
  for (const [index, outcome] of settled.entries()) {
    const { document } = group.claimed[index]!;
    if (outcome.status === "rejected") {
      context.log.error(
        { document: document.id, error: String(outcome.reason) },
        "document left to the rescuer",
      );
      continue;
    }
    const { decision, row } = outcome.value;
    const { provider } = group.adapter;
    if (index === 0) {
      const operation = group.phase === "submitting" ? "issue" : "status";
      context.watch.call({
        callId: group.claimed[0]!.callId,
        mode: group.mode,
        provider,
        operation,
        outcome: decision.call,
        durationMs,
      });
    }
    if (row !== undefined && row.status !== "pending")
      context.watch.document({ mode: row.mode, provider, status: row.status });
    if (decision.surplusMarks.length > 0) hasSurplus = true;
  }
  return hasSurplus;
}

function redacted(answer: Answer, redactor: Redactor | undefined): Answer {
  if (redactor === undefined) return answer;
  const outcomes = answer.outcomes.map((outcome) => withoutCredentials(outcome, redactor));
  return { phase: answer.phase, outcomes } as Answer;
}

async function narrowed(context: Context, group: Group, answer: Answer): Promise<Answer> {
  if (answer.phase !== "submitting") return answer;
  return { ...answer, outcomes: await keepToSupplier(context, group, answer.outcomes) };
}

/** Answers an outcome for each document, whatever the adapter does. */
async function callAdapter(context: Context, group: Group, call: CallContext): Promise<Answer> {
  const { adapter, phase } = group;
  const documents = group.claimed.map(({ document }) => document);
  try {
    if (group.connectionId !== null && call.credentials === null) {
      return { phase, outcomes: documents.map(() => credentialsGone()) };
    }
    const answer: Answer =
      phase === "submitting"
        ? { phase, outcomes: await adapter.issue(documents, call) }
        : phase === "awaiting_mark"
          ? { phase, outcomes: await adapter.status(documents, call) }
          : { phase, outcomes: await adapter.reconcile(documents, call) };
    if (answer.outcomes.length !== documents.length) {
      throw new Error(
        `The adapter of ${adapter.provider} answered ${answer.outcomes.length} of ${documents.length}`,
      );
    }
    return answer;
  } catch (cause) {
    context.log.error(
      { provider: adapter.provider, error: String(cause) },
      "the adapter failed; outcome unknown",
    );
    call.evidence.failed(cause);
    const error = buildErrorObject("internal_error", "The adapter failed while it was at work", {
      retryable: true,
    });
    return { phase, outcomes: documents.map(() => ({ kind: "unknown", error })) };
  }
}

function credentialsGone(): { kind: "credentials_refused"; error: ErrorObject } {
  const message = "The credentials of the connection are gone or cannot be read; connect the merchant again";
  return { kind: "credentials_refused", error: buildErrorObject("provider_credentials_invalid", message) };
}

/**
 * Where the provider knows documents by account, that another account has it not says nothing. What is asked about before its
 * first send goes on with the next number where this one is another document's: it cannot be its own send that is shown.
 */
function weighed(
  { isOtherAccount, adapter }: Group,
  row: DocumentRow,
  outcome: ReconcileOutcome,
): ReconcileOutcome {
  const isUnsent = row.asking === "first" && row.attempts === 0 && adapter.numbering === "ours";
  if (outcome.kind === "unknown" && outcome.numberOfAnother === true && isUnsent) {
    const { error, markOfAnother } = outcome;
    return { kind: "number_taken", error, ...(markOfAnother === undefined ? {} : { markOfAnother }) };
  }
  if (outcome.kind !== "absent" || !isOtherAccount || adapter.numbering === "ours") return outcome;
  const message =
    "The document was sent by a connection that is out of use, and the present one does not show it; look at the provider's";
  return { kind: "unknown", error: buildErrorObject("provider_unavailable", message) };
}

function decide(context: Context, group: Group, claimed: Claimed, answer: Outcome, nowMs: number): Decision {
  const policy = policyOf(context, group.adapter.settle);
  const { row } = claimed;
  const standing: Standing = {
    attempts: row.attempts,
    polls: row.polls,
    absences: row.absences,
    stageSinceMs: row.stage_since === null ? null : Date.parse(row.stage_since),
  };
  switch (answer.phase) {
    case "submitting":
      return decideAfterSend(standing, answer.outcome, policy, nowMs);
    case "awaiting_mark":
      return decideAfterStatus(standing, answer.outcome, policy, nowMs);
    case "reconciling":
      return decideAfterReconcile(standing, weighed(group, row, answer.outcome), policy, nowMs);
  }
}
