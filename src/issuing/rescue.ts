/**
 * Takes over claims whose lease has run out, because their worker died. A send that had begun may have arrived, so its document
 * is reconciled and never sent again without a query.
 */
import { findAbandonedCalls, findOpenCalls, type ProviderCallRow } from "../../storage/logs/calls.ts";
import { findDocumentRow } from "../../storage/documents/documents.ts";
import { releaseLease } from "../../storage/documents/document-changes.ts";
import { findExpiredClaims } from "../../storage/documents/claims.ts";
import type { Transaction } from "../../storage/database/write.ts";
import { decideRescue } from "../domain/decide-send.ts";
import type { DeliveryPolicy } from "../domain/delivery-delays.ts";
import { isFinal } from "../domain/lifecycle.ts";
import { buildErrorObject } from "../foundation/errors.ts";
import type { Context } from "../journal/context.ts";
import { isReportedAlready } from "../journal/disk/disk-space.ts";
import { createEvidence, endCall } from "./call-evidence.ts";
import { shortenFutureLeases } from "./clock-jump.ts";
import { settle } from "./settle-document.ts";

/** Claims per round, so that a large crash is taken over in several short writes. */
const RESCUE_BATCH = 100;

const PROCESS_DIED = buildErrorObject(
  "internal_error",
  {
    en: "The process that made this call ended before it could record the response",
    el: "Η διεργασία που έκανε την κλήση τερματίστηκε πριν καταγράψει την απάντηση",
  },
  { retryable: true },
);

/** Takes over expired claims, except those whose owners are `alive` in this process. Returns how many. */
export async function rescueExpired(
  context: Context,
  policy: DeliveryPolicy,
  alive: ReadonlySet<string>,
): Promise<number> {
  const { store, clock, log } = context;
  let rescued = 0;
  await shortenFutureLeases(context, 2);
  for (;;) {
    const found = await findExpiredClaims(store.read, clock.now(), RESCUE_BATCH);
    const expired = found.filter(({ lease_owner: owner }) => owner === null || !alive.has(owner));
    if (expired.length === 0) return rescued;
    const outcomes = await Promise.allSettled(
      expired.map(({ id }) => store.write((trx) => rescueOne(trx, context, id, policy))),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") rescued += outcome.value ? 1 : 0;
      else if (!isReportedAlready(outcome.reason))
        log.error({ document: expired[index]!.id, error: String(outcome.reason) }, "claim not rescued");
    }
    const isLast = found.length < RESCUE_BATCH || expired.length < found.length;
    if (isLast || outcomes.some(({ status }) => status === "rejected")) return rescued;
  }
}

/** Much longer than a call about a document that nobody claims, such as the download of a PDF, or about a connection. */
const SINGLE_CALL_MS_MAX = 10 * 60_000;

/** Records that calls outside the queue have no outcome, because their process died. */
export async function endAbandonedCalls(context: Context): Promise<void> {
  const { store, clock } = context;
  const instant = (ms: number) => new Date(ms).toISOString();
  const by = {
    before: instant(clock.nowMs() - SINGLE_CALL_MS_MAX),
    after: instant(clock.nowMs() + SINGLE_CALL_MS_MAX),
    limit: RESCUE_BATCH,
  };
  if ((await findAbandonedCalls(store.read, by)).length === 0) return;
  await store.write(async (trx) => {
    for (const call of await findAbandonedCalls(trx, by)) await endDeadCall(trx, context, call);
  });
}

/** Ends a call whose process died. */
async function endDeadCall(trx: Transaction, context: Context, call: ProviderCallRow): Promise<void> {
  const isLogin = call.purpose === "auth";
  await endCall(trx, context, {
    callId: call.id,
    outcome: "unknown",
    error: isLogin ? null : PROCESS_DIED,
    durationMs: Math.max(0, trx.nowMs - Date.parse(call.started_at)),
    evidence: createEvidence(),
    bodyOwner: call.id,
    redactor: undefined,
    ...(isLogin ? { further: "auth" as const } : {}),
  });
}

async function rescueOne(
  trx: Transaction,
  context: Context,
  id: string,
  policy: DeliveryPolicy,
): Promise<boolean> {
  const row = await findDocumentRow(trx, id);
  // Another process may have rescued it first, or its worker has come back.
  if (row === undefined || row.lease_until === null || row.lease_until >= new Date(trx.clockMs).toISOString())
    return false;
  const open = await findOpenCalls(trx, id);
  for (const call of open) await endDeadCall(trx, context, call);
  if (isFinal(row.phase)) {
    // A cancellation that died. The next one first checks whether it succeeded.
    await releaseLease(trx, { id, owner: row.lease_owner ?? "" });
    return true;
  }
  const hasBegunSend = open.some((call) => call.operation === "issue");
  const decision = decideRescue(row.phase, hasBegunSend, policy, trx.clockMs);
  return (await settle(trx, context, row, decision, undefined)) !== undefined;
}
