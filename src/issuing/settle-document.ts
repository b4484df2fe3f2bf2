/** Writes what an outcome made of a document: row, number, provider call, event and connection, in one write each. */
import { type DocumentRow, findDocumentRow, moveDocumentRow } from "../../storage/documents.ts";
import {
  hasUnfoundSend,
  keepSurplusMark,
  noteUnfoundSend,
  scheduleFilingCheck,
} from "../../storage/surplus.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import { invalidateConnection } from "./invalidate-connection.ts";
import { moveColumns } from "../journal/move-columns.ts";
import { recordCancellation } from "./record-cancellation.ts";
import type { Decision } from "../domain/decision.ts";
import { canMove, isFinal, statusOf } from "../domain/lifecycle.ts";
import { giveUpNumber, HELD_BY_ANOTHER } from "../numbering/allocate.ts";
import { counterOf } from "../numbering/counter-key.ts";
import { nextPollBeforeSend, recordPoll } from "../numbering/poll-after-restore.ts";
import { appendDocumentEvent, backgroundCause } from "../journal/append-event.ts";
import { type CallEnd, endCall } from "./call-evidence.ts";

/**
 * Applies `decision` to a document that `owner` claimed as `claimed`. When somebody else has moved it meanwhile (the
 * rescuer, after the lease had run out) only the call is completed: the document is not ours any more.
 */
export async function settle(
  trx: Transaction,
  context: Context,
  claimed: DocumentRow,
  decision: Decision,
  end: Omit<CallEnd, "outcome" | "error"> | undefined,
  usedConnectionId = claimed.connection_id,
): Promise<DocumentRow | undefined> {
  if (end !== undefined)
    await endCall(trx, context, { ...end, outcome: decision.call, error: decision.error });
  const before = await findDocumentRow(trx, claimed.id);
  if (before === undefined || before.phase !== claimed.phase || before.lease_owner !== claimed.lease_owner) {
    context.log.warn(
      { document: claimed.id },
      "an outcome came after the document had been rescued; the rescue stands",
    );
    if (before !== undefined) await keepLateMark(trx, before, decision);
    return undefined;
  }
  const after = applyDecision(before, decision, trx);
  if (decision.number !== "keep") await giveUp(trx, before, decision, await hasUnfoundSend(trx, before.id));
  await recordPoll(trx, before, { phase: after.phase, isNumberGivenUp: decision.number !== "keep" });
  const isMoved = await moveDocumentRow(trx, { ...moveColumns(after), from: before.phase });
  if (!isMoved) throw new Error(`The document ${after.id} moved within its own write`);
  if (decision.event !== null) {
    await appendDocumentEvent(trx, {
      type: decision.event,
      before,
      after,
      cause: backgroundCause(after.mode),
    });
  }
  await takeOverCancellation(trx, after, decision.cancellationMark);
  tellOfAnother(context, before, decision);
  await watchForSecondFiling(trx, context, before, after, decision);
  if (decision.invalidatesConnection && usedConnectionId !== null && decision.error !== null) {
    await invalidateConnection(trx, usedConnectionId, decision.error);
  }
  return after;
}

/** decisions 16: cancelled elsewhere, before its MARK was known here. */
async function takeOverCancellation(
  trx: Transaction,
  row: DocumentRow,
  cancellationMark: string | null,
): Promise<void> {
  if (cancellationMark === null) return;
  await recordCancellation(trx, row.id, cancellationMark, backgroundCause(row.mode));
}

/** Two programs number in one series: a person must hear of it, and once is enough. */
function tellOfAnother({ log }: Context, before: DocumentRow, { markOfAnother, number }: Decision): void {
  if (markOfAnother === null || (number === "keep" && before.absences > 0)) return;
  log.warn(
    { document: before.id, number: before.number, mark: markOfAnother },
    number === "keep"
      ? "another document stands under the number at the provider; if this one is not found, it takes the next number"
      : "another document holds the number at the provider; it is passed over, find out which program numbers in the series",
  );
}

/** What was sent by somebody who was thought dead is registered: under a MARK that the document does not know, or not yet. */
async function keepLateMark(trx: Transaction, row: DocumentRow, { mark }: Decision): Promise<void> {
  if (mark === null || row.mark === mark || row.provider === "sandbox") return;
  const documentId = row.id;
  const { series, number, uid } = row;
  if (row.mark === null) await noteUnfoundSend(trx, { documentId, series, number, uid });
  else await keepSurplusMark(trx, { documentId, mark, due: new Date(trx.clockMs).toISOString() });
}

/** How long after a document is issued its earlier sends are looked for once more. */
const CHECK_PAUSE_MS = 10 * 60_000;

/** What was not found and is sent again may turn up later: it is noted, and looked for once the document is issued. */
async function watchForSecondFiling(
  trx: Transaction,
  context: Context,
  before: DocumentRow,
  after: DocumentRow,
  decision: Decision,
): Promise<void> {
  const due = new Date(trx.clockMs).toISOString();
  for (const mark of decision.surplusMarks) await keepSurplusMark(trx, { documentId: after.id, mark, due });
  const wasNotFound =
    before.phase === "reconciling" && (after.phase === "queued" || after.phase === "failed");
  if (wasNotFound && context.providers.find(after.provider)?.canCancel === true)
    await noteUnfoundSend(trx, {
      documentId: after.id,
      series: before.series,
      number: before.number,
      uid: before.uid,
    });
  // Nothing is lost on the way to the sandbox, and its documents come by the thousand.
  if (isFinal(after.phase) && after.provider !== "sandbox") {
    await scheduleFilingCheck(trx, after.id, new Date(trx.clockMs + CHECK_PAUSE_MS).toISOString());
  }
}

/** The row after the decision. Asserts what must hold before it is written. */
function applyDecision(before: DocumentRow, decision: Decision, trx: Transaction): DocumentRow {
  const { phase } = decision;
  const moves = phase !== before.phase;
  if (moves && !canMove(before.phase, phase))
    throw new Error(`A document cannot go from ${before.phase} to ${phase}`);
  if (phase === "issued" && decision.mark === null) throw new Error("An issued document has a MARK");
  const isAsked = phase === "awaiting_mark" || phase === "reconciling";
  const hasError = phase === "rejected" || phase === "failed";
  const givenUp = decision.number !== "keep";
  return {
    ...before,
    phase,
    status: statusOf(phase),
    series: decision.registration?.series ?? before.series,
    number: givenUp ? null : (decision.registration?.number ?? before.number),
    mark: decision.mark ?? before.mark,
    uid: givenUp ? null : (decision.registration?.uid ?? before.uid),
    qr_url: decision.registration?.qrUrl ?? before.qr_url,
    provider_ref: decision.providerRef ?? before.provider_ref,
    error_json: hasError ? JSON.stringify(decision.error) : null,
    updated_at: moves ? trx.now : before.updated_at,
    // A refused account, and a send that was put off, is no attempt at delivering.
    attempts:
      decision.refundsAttempt && before.phase === "submitting" ? before.attempts - 1 : before.attempts,
    polls: decision.polls,
    absences: decision.absences,
    stage_since: isAsked ? (moves ? new Date(trx.clockMs).toISOString() : before.stage_since) : null,
    next_at: isFinal(phase) || decision.nextAtMs === null ? null : new Date(decision.nextAtMs).toISOString(),
    lease_owner: null,
    lease_until: null,
    connection_lost: decision.connectionLost ? 1 : before.connection_lost,
    asking: nextPollBeforeSend(before, { phase, isNumberGivenUp: givenUp }),
  };
}

function heldByAnother(mark: string | null): string {
  return `${HELD_BY_ANOTHER}${mark === null ? "" : `, MARK ${mark}`}`;
}

/** A number under which an unfound send may stand is given to nobody else. */
async function giveUp(
  trx: Transaction,
  before: DocumentRow,
  decision: Decision,
  mayStand: boolean,
): Promise<void> {
  const key = counterOf(before);
  if (key === undefined || before.number === null || before.provider_numbered === 1) return;
  const isReleased = decision.number === "release" && !mayStand;
  const isAnothers = decision.markOfAnother !== null || !mayStand;
  await giveUpNumber(trx, {
    key,
    number: before.number,
    state: isReleased ? "released" : "passed",
    documentId: before.id,
    reason: isReleased
      ? "its document was refused; the next one takes it"
      : isAnothers
        ? heldByAnother(decision.markOfAnother)
        : "a send of its document without an answer may stand with it",
  });
}
