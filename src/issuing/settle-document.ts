/** Settles documents together: each is decided in the write, and what the decisions lead to is written table by table. */
import {
  type DocumentRow,
  findDocumentRows,
  findMarksInUse,
  type Move,
  moveDocumentRow,
} from "../../storage/documents/documents.ts";
import { type EventRow, findTimelines, type TimelineRow } from "../../storage/journal/events.ts";
import { hasUnfoundSend } from "../../storage/documents/surplus-marks.ts";
import { deleteFiling, hasFiling, schedulePdf } from "../../storage/documents/document-substance.ts";
import type { Kind, Transaction } from "../../storage/database/write.ts";
import { findEndpointInterests } from "../../storage/webhooks/webhooks.ts";
import type { Decision } from "../domain/decision.ts";
import { canMove, isFinal, statusOf } from "../domain/lifecycle.ts";
import type { NewDelivery } from "../../storage/webhooks/deliveries.ts";
import { backgroundCause, buildDocumentEvent } from "../journal/append-event.ts";
import type { Context } from "../journal/context.ts";
import { giveUpNumber, HELD_BY_ANOTHER } from "../numbering/allocate.ts";
import { counterOf } from "../../storage/documents/series.ts";
import { nextPollBeforeSend, recordPoll } from "../numbering/poll-after-restore.ts";
import { createCallRows, type EndedCall } from "./call-evidence.ts";
import { invalidateConnection } from "./connection-status.ts";
import { mailIssued } from "./customer-mail.ts";
import { firstDue } from "../work/work-off.ts";
import { PROVIDER_PDFS } from "../work/kinds.ts";
import { recordCancellation, recordLateMark, scheduleMarkChecks } from "./registrations.ts";

export interface Settlement {
  context: Context;
  claimed: DocumentRow;
  /** The MARK that the provider reported. Undefined without one, and for the sandbox, which assigns its MARKs itself. */
  reportedMark?: string | undefined;
  /** Decides in the write, after those before it in a batch. `mayBeTaken`: another document may have the reported MARK. */
  decide(trx: Transaction, mayBeTaken: boolean): Decision | Promise<Decision>;
  /** The call that ended; undefined if none was made. The decision gives its outcome and, unless it has one, its error. */
  call?: Omit<EndedCall, "outcome"> | undefined;
  /** This process stored what filed the document. */
  isFiled?: boolean;
  /** A document that its send leaves without a MARK stays claimed, because the first query about it follows at once. */
  isAskedNext?: boolean;
}

export interface Settled {
  decision: Decision;
  /** Undefined if the rescuer had taken the document over: only the call is stored then. */
  row: DocumentRow | undefined;
  callId: string | undefined;
}

/** Settles claimed documents, each at most once in a write. */
export const SETTLEMENTS: Kind<Settlement, Settled> = {
  commit: async (trx, settlements) => (await settleAll(trx, settlements)).map((value) => ({ value })),
};

export async function settleAll(trx: Transaction, settlements: readonly Settlement[]): Promise<Settled[]> {
  const ids = settlements.map(({ claimed }) => claimed.id);
  const rows = await findDocumentRows(trx, ids);
  const timelines = await findTimelines(trx, ids);
  const reportedMarks = settlements.flatMap(({ reportedMark }) => reportedMark ?? []);
  // One query for all: a query for each document would hold up all other writes of a database server.
  const inUse = new Set(
    reportedMarks.length === 0 ? [] : await findMarksInUse(trx, { marks: reportedMarks }),
  );
  const batch = createBatch(trx);
  try {
    const settled: Settled[] = [];
    for (const one of settlements) {
      const { reportedMark } = one;
      const decision = await one.decide(trx, reportedMark !== undefined && inUse.has(reportedMark));
      if (reportedMark !== undefined) inUse.add(reportedMark);
      const callId = addCall(batch, one, decision);
      const { id } = one.claimed;
      const row = await settle(trx, batch, one, decision, rows.get(id), timelines.get(id));
      settled.push({ decision, row, callId });
    }
    await batch.store();
    return settled;
  } finally {
    // Nothing may use the transaction after its unit has ended.
    await Promise.allSettled(batch.moves);
  }
}

type Batch = ReturnType<typeof createBatch>;

function createBatch(trx: Transaction) {
  const calls = createCallRows(trx);
  const events: EventRow[] = [];
  const deliveries: NewDelivery[] = [];
  /** Not awaited one by one: a database server runs them without waiting for the answer to each. */
  const moves: Promise<void>[] = [];
  return {
    calls,
    events,
    deliveries,
    moves,
    async store(): Promise<void> {
      await Promise.all(moves);
      await trx.insertRows({ ...calls.rows, events, deliveries });
      for (const rows of [calls.rows.bodies, calls.rows.provider_calls, events, deliveries]) rows.length = 0;
    },
  };
}

function addCall({ calls }: Batch, { call }: Settlement, decision: Decision): string | undefined {
  return call && calls.add({ ...call, outcome: decision.call, error: call.error ?? decision.error });
}

/** Whether the document is still as it was claimed; otherwise the rescuer has taken it over. */
function isStillClaimed(row: DocumentRow | undefined, claimed: DocumentRow): row is DocumentRow {
  return row !== undefined && row.phase === claimed.phase && row.lease_owner === claimed.lease_owner;
}

async function settle(
  trx: Transaction,
  batch: Batch,
  { context, claimed, call, isFiled = false, isAskedNext = false }: Settlement,
  decision: Decision,
  before: DocumentRow | undefined,
  timeline: readonly TimelineRow[] | undefined,
): Promise<DocumentRow | undefined> {
  if (!isStillClaimed(before, claimed)) {
    const fields = { document: claimed.id };
    context.log.warn(
      fields,
      "an outcome arrived after the document was rescued; it does not change the document",
    );
    if (before !== undefined) await recordLateMark(trx, context, claimed, before, decision);
    return undefined;
  }
  const isRejected = decision.phase === "rejected";
  const hasStoredFiling = isFiled || (await wasFiled(trx, before));
  const changes: Move = {
    ...applyDecision(before, decision, trx, isAskedNext),
    has_filing: hasStoredFiling && !isRejected ? 1 : 0,
  };
  const after = { ...before, ...changes };
  const isNumberGivenUp = decision.number !== "keep";
  if (isNumberGivenUp)
    await giveUp(trx, before, decision, await hasUnfoundSend(trx, { documentId: before.id }));
  await recordPoll(trx, before, { phase: after.phase, isNumberGivenUp });
  const move = moveDocumentRow(trx, before, changes);
  // Its failure is thrown when the batch is stored.
  move.catch(() => undefined);
  batch.moves.push(move);
  const cause = backgroundCause(after.mode);
  if (decision.event !== null) {
    const endpoints = await findEndpointInterests(trx, after.mode);
    const change = { type: decision.event, before, after, cause };
    const { event, deliveries } = buildDocumentEvent(trx, endpoints, change, timeline);
    batch.events.push(event);
    batch.deliveries.push(...deliveries);
  }
  if (decision.cancellationMark !== null) {
    // Its event follows the one before in the timeline.
    await batch.store();
    await recordCancellation(trx, after.id, decision.cancellationMark, cause);
  }
  if (isRejected && hasStoredFiling) await deleteFiling(trx, { document_id: after.id });
  if (after.phase === "issued") {
    await planPdf(trx, context, after);
    await mailIssued(trx, context.config, after);
  }
  logForeignNumber(context, before, decision);
  await scheduleMarkChecks(trx, context, before, after, decision);
  const usedConnection = call?.connection_id ?? null;
  if (decision.invalidatesConnection && usedConnection !== null && decision.error !== null)
    await invalidateConnection(trx, usedConnection, decision.error);
  return after;
}

/** Whether an earlier send stored what filed the document. While reconciling it is read, as the process that sent it may have died. */
async function wasFiled(trx: Transaction, before: DocumentRow): Promise<boolean> {
  if (before.has_filing === 1) return true;
  return before.phase === "reconciling" && hasFiling(trx, { documentId: before.id });
}

/** What the decision changes. Throws if it breaks an invariant. */
function applyDecision(
  before: DocumentRow,
  decision: Decision,
  trx: Transaction,
  isAskedNext: boolean,
): Move {
  const { phase } = decision;
  const moves = phase !== before.phase;
  if (moves && !canMove(before.phase, phase))
    throw new Error(`A document cannot move from ${before.phase} to ${phase}`);
  if (phase === "issued" && decision.mark === null) throw new Error("An issued document must have a MARK");
  const isPolled = phase === "awaiting_mark" || phase === "reconciling";
  const hasError = phase === "rejected" || phase === "failed";
  const isNumberGivenUp = decision.number !== "keep";
  const isRefunded = decision.refundsAttempt && before.phase === "submitting";
  const isKept = isAskedNext && before.phase === "submitting" && phase === "awaiting_mark" && !trx.isHeld;
  const dueMs = isFinal(phase) || isKept ? null : decision.nextAtMs;
  return {
    phase,
    status: statusOf(phase),
    series: decision.registration?.series ?? before.series,
    number: isNumberGivenUp ? null : (decision.registration?.number ?? before.number),
    mark: decision.mark ?? before.mark,
    uid: isNumberGivenUp ? null : (decision.registration?.uid ?? before.uid),
    qr_url: decision.registration?.qrUrl ?? before.qr_url,
    authentication_code: decision.registration?.authenticationCode ?? before.authentication_code,
    provider_ref: decision.providerRef ?? before.provider_ref,
    error_json: hasError ? JSON.stringify(decision.error) : null,
    updated_at: moves ? trx.now : before.updated_at,
    attempts: isRefunded ? before.attempts - 1 : before.attempts,
    polls: decision.polls,
    absences: decision.absences,
    stage_since: isPolled ? stageStart(before, moves, new Date(trx.clockMs).toISOString()) : null,
    next_at: dueMs === null ? null : new Date(dueMs).toISOString(),
    lease_owner: isKept ? before.lease_owner : null,
    lease_until: isKept ? before.lease_until : null,
    asking: nextPollBeforeSend(before, { phase, isNumberGivenUp }),
  };
}

/** A start in the future was written while the clock ran ahead (docs/contract.md#clock-jumps). */
function stageStart({ stage_since: since }: DocumentRow, moves: boolean, now: string): string {
  return moves || since === null || since > now ? now : since;
}

/**
 * Records what happens to the number that the document gives up. `mayBeRegistered`: an unfound send may be registered under the
 * number, so no other document gets it.
 */
async function giveUp(
  trx: Transaction,
  before: DocumentRow,
  decision: Decision,
  mayBeRegistered: boolean,
): Promise<void> {
  const key = counterOf(before);
  if (key === undefined || before.number === null || before.provider_numbered === 1) return;
  const isReleased = decision.number === "release" && !mayBeRegistered;
  await giveUpNumber(trx, {
    key,
    number: before.number,
    state: isReleased ? "released" : "passed",
    documentId: before.id,
    reason: isReleased
      ? "its document was refused; the next one takes it"
      : describeSkip(decision, mayBeRegistered),
  });
}

function describeSkip({ markOfAnother }: Decision, mayBeRegistered: boolean): string {
  if (markOfAnother !== null) return `${HELD_BY_ANOTHER}, MARK ${markOfAnother}`;
  return mayBeRegistered ? "an unanswered send of its document may be registered under it" : HELD_BY_ANOTHER;
}

/** Plans to fetch the provider's own PDF, which its background work makes soon. */
async function planPdf(
  trx: Transaction,
  { providers }: Context,
  { id, provider }: DocumentRow,
): Promise<void> {
  const adapter = providers.find(provider);
  if (adapter === undefined || adapter.hasPdf === false) return;
  await schedulePdf(trx, { document_id: id, due_at: firstDue(trx, PROVIDER_PDFS) });
}

/** Warns once that another program numbers in the same series. */
function logForeignNumber({ log }: Context, before: DocumentRow, { markOfAnother, number }: Decision): void {
  if (markOfAnother === null || (number === "keep" && before.absences > 0)) return;
  log.warn(
    { document: before.id, number: before.number, mark: markOfAnother, skipped: number !== "keep" },
    "the provider has another document under this number; find out which program uses the series",
  );
}
