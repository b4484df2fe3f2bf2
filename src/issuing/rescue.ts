/**
 * A crash while something is under way is a normal case: claims whose lease has run out are taken back. A send that was
 * begun may have arrived, so its document is reconciled, never sent again unasked.
 */
import { findOpenCalls } from "../../storage/calls.ts";
import { findDocumentRow, releaseLease } from "../../storage/documents.ts";
import { findExpiredClaims } from "../../storage/queue.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import { decideRescue } from "../domain/decide-send.ts";
import type { DeliveryPolicy } from "../domain/delivery-delays.ts";
import { isFinal } from "../domain/lifecycle.ts";
import { isToldAlready } from "../journal/disk/disk-space.ts";
import { buildErrorObject } from "../foundation/errors.ts";
import { createEvidence, endCall } from "./call-evidence.ts";
import { settle } from "./settle-document.ts";

/** So that a large crash is taken back in several short writes. */
const RESCUE_BATCH = 100;

const LOST = buildErrorObject(
  "internal_error",
  "The process that made this call ended before it could record the answer",
  {
    retryable: true,
  },
);

/** Takes back expired claims but those of the owners that are `alive` here; answers how many there were. */
export async function rescueExpired(
  context: Context,
  policy: DeliveryPolicy,
  alive: ReadonlySet<string>,
): Promise<number> {
  const { store, clock } = context;
  let rescued = 0;
  for (;;) {
    const found = await findExpiredClaims(store.read, clock.now(), RESCUE_BATCH);
    const expired = found.filter(({ lease_owner: owner }) => owner === null || !alive.has(owner));
    if (expired.length === 0) return rescued;
    const outcomes = await Promise.allSettled(
      expired.map(({ id }) => store.write((trx) => rescueOne(trx, context, id, policy))),
    );
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === "fulfilled") rescued += outcome.value ? 1 : 0;
      else if (!isToldAlready(outcome.reason))
        context.log.error(
          { document: expired[index]!.id, error: String(outcome.reason) },
          "claim not rescued",
        );
    }
    if (
      found.length < RESCUE_BATCH ||
      expired.length < found.length ||
      outcomes.some((outcome) => outcome.status === "rejected")
    )
      return rescued;
  }
}

async function rescueOne(
  trx: Transaction,
  context: Context,
  id: string,
  policy: DeliveryPolicy,
): Promise<boolean> {
  const row = await findDocumentRow(trx, id);
  // Another process may have been here first, or the worker has come back.
  if (row === undefined || row.lease_until === null || row.lease_until >= new Date(trx.clockMs).toISOString())
    return false;
  const open = await findOpenCalls(trx, id);
  for (const call of open) {
    const durationMs = Math.max(0, trx.nowMs - Date.parse(call.started_at));
    const end = { callId: call.id, outcome: "unknown" as const, error: LOST, durationMs };
    // A login carries no verdict.
    const login = call.purpose === "auth" ? { error: null, further: "auth" as const } : {};
    await endCall(trx, context, {
      ...end,
      ...login,
      evidence: createEvidence(),
      bodyOwner: call.id,
      redactor: undefined,
    });
  }
  if (isFinal(row.phase)) {
    // A cancellation that died: the next one looks first whether it got through.
    await releaseLease(trx, { id, owner: row.lease_owner ?? "" });
    return true;
  }
  const callBegun = open.some((call) => call.operation === "issue");
  const decision = decideRescue(row.phase, callBegun, policy, trx.clockMs);
  return (await settle(trx, context, row, decision, undefined)) !== undefined;
}
