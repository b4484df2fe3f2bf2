/** Stores a decision about a document in one write: row, number, provider call, event and connection. */
import { type DocumentRow, findDocumentRow } from "../../storage/documents/documents.ts";
import { moveDocumentRow } from "../../storage/documents/document-changes.ts";
import type { TimelineRow } from "../../storage/journal/events.ts";
import { hasUnfoundSend } from "../../storage/documents/filing-checks.ts";
import { deleteFiling, hasFiling } from "../../storage/documents/filings.ts";
import { schedulePdf } from "../../storage/documents/provider-pdfs.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { Decision } from "../domain/decision.ts";
import { canMove, isFinal, statusOf } from "../domain/lifecycle.ts";
import { appendDocumentEvent, backgroundCause } from "../journal/append-event.ts";
import type { Context } from "../journal/context.ts";
import { giveUpNumber, HELD_BY_ANOTHER } from "../numbering/allocate.ts";
import { counterOf } from "../numbering/counter-key.ts";
import { nextPollBeforeSend, recordPoll } from "../numbering/poll-after-restore.ts";
import { type CallEnd, endCall } from "./call-evidence.ts";
import { invalidateConnection } from "./invalidate-connection.ts";
import { recordCancellation } from "./record-cancellation.ts";
import { firstDue } from "../work/claim.ts";
import { PROVIDER_PDFS } from "../work/kinds.ts";
import { recordLateMark, watchForSurplusMarks } from "./surplus-watch.ts";

interface SettleOptions {
  /** The connection that the call was made with. Default: the document's. */
  usedConnectionId?: string | null;
  /** This process stored what filed the document. */
  isFiled?: boolean;
  /** What the caller has read in the same write. */
  read?: { row: DocumentRow; timeline: readonly TimelineRow[] | undefined } | undefined;
}

/** Whether the document is still as it was claimed; otherwise the rescuer has taken it over. */
export function isStillClaimed(row: DocumentRow | undefined, claimed: DocumentRow): row is DocumentRow {
  return row !== undefined && row.phase === claimed.phase && row.lease_owner === claimed.lease_owner;
}

/**
 * Applies `decision` to the document that was claimed as `claimed`, and returns its new row. If the rescuer has taken it over
 * meanwhile, only the call is completed and undefined is returned. `end` is undefined if no call was made.
 */
export async function settle(
  trx: Transaction,
  context: Context,
  claimed: DocumentRow,
  decision: Decision,
  end: Omit<CallEnd, "outcome" | "error"> | undefined,
  { usedConnectionId = claimed.connection_id, isFiled = false, read }: SettleOptions = {},
): Promise<DocumentRow | undefined> {
  if (end !== undefined)
    await endCall(trx, context, { ...end, outcome: decision.call, error: decision.error });
  const before = read?.row ?? (await findDocumentRow(trx, claimed.id));
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
  const after = {
    ...applyDecision(before, decision, trx),
    has_filing: hasStoredFiling && !isRejected ? 1 : 0,
  } as const;
  const isNumberGivenUp = decision.number !== "keep";
  if (isNumberGivenUp) await giveUp(trx, before, decision, await hasUnfoundSend(trx, before.id));
  await recordPoll(trx, before, { phase: after.phase, isNumberGivenUp });
  const isMoved = await moveDocumentRow(trx, before, after);
  if (!isMoved) throw new Error(`The document ${after.id} moved within its own write`);
  const cause = backgroundCause(after.mode);
  if (decision.event !== null) {
    const { timeline } = read ?? {};
    await appendDocumentEvent(trx, { type: decision.event, before, after, cause, timeline });
  }
  if (decision.cancellationMark !== null)
    await recordCancellation(trx, after.id, decision.cancellationMark, cause);
  if (isRejected && hasStoredFiling) await deleteFiling(trx, after.id);
  if (after.phase === "issued") await planPdf(trx, context, after);
  logForeignNumber(context, before, decision);
  await watchForSurplusMarks(trx, context, before, after, decision);
  if (decision.invalidatesConnection && usedConnectionId !== null && decision.error !== null) {
    await invalidateConnection(trx, usedConnectionId, decision.error);
  }
  return after;
}

/** Whether an earlier send stored what filed the document. While reconciling it is read, as the process that sent it may have died. */
async function wasFiled(trx: Transaction, before: DocumentRow): Promise<boolean> {
  if (before.has_filing === 1) return true;
  return before.phase === "reconciling" && (await hasFiling(trx, before.id));
}

/** Returns the row after the decision. Throws if the decision breaks an invariant. */
function applyDecision(before: DocumentRow, decision: Decision, trx: Transaction): DocumentRow {
  const { phase } = decision;
  const moves = phase !== before.phase;
  if (moves && !canMove(before.phase, phase))
    throw new Error(`A document cannot move from ${before.phase} to ${phase}`);
  if (phase === "issued" && decision.mark === null) throw new Error("An issued document must have a MARK");
  const isPolled = phase === "awaiting_mark" || phase === "reconciling";
  const hasError = phase === "rejected" || phase === "failed";
  const isNumberGivenUp = decision.number !== "keep";
  const isRefunded = decision.refundsAttempt && before.phase === "submitting";
  return {
    ...before,
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
    next_at: isFinal(phase) || decision.nextAtMs === null ? null : new Date(decision.nextAtMs).toISOString(),
    lease_owner: null,
    lease_until: null,
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
  await schedulePdf(trx, id, firstDue(trx, PROVIDER_PDFS));
}

/** Warns once that another program numbers in the same series. */
function logForeignNumber({ log }: Context, before: DocumentRow, { markOfAnother, number }: Decision): void {
  if (markOfAnother === null || (number === "keep" && before.absences > 0)) return;
  log.warn(
    { document: before.id, number: before.number, mark: markOfAnother },
    number === "keep"
      ? "the provider has another document under this number; if this one is not found, it takes the next number"
      : "the provider has another document under this number, so it was skipped; find out which program uses the series",
  );
}
