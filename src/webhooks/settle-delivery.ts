/**
 * What an attempt makes of its delivery and its endpoint, written in one write: evidence, when to try again, and whether
 * the endpoint is given up (decisions 10).
 */
import type { DeliveryRow } from "../../storage/deliveries.ts";
import type { DeliveryStatus } from "../../storage/schema.ts";
import { findClaimedDelivery, settleDelivery } from "../../storage/delivery-queue.ts";
import { changeEndpoint, type EndpointRow, findEndpointRow } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Context } from "../journal/context.ts";
import { appendEvent, backgroundCause, previousAttributes } from "../journal/append-event.ts";
import { readRetryAfterMs } from "../foundation/retry-after.ts";
import { withAttempt } from "./attempts.ts";
import { afterFailure, HEALTHY, isToBeDisabled } from "./failing.ts";
import { buildEndpointObject, type Attempt } from "./endpoint-object.ts";
import { nextDelayMs } from "./retry-schedule.ts";
import type { PostAnswer } from "./sender.ts";

export interface MadeAttempt {
  delivery: DeliveryRow;
  owner: string;
  /** When it was made, by the clock. */
  at: string;
  durationMs: number;
  answer: Exclude<PostAnswer, { kind: "stopped" }>;
}

function isTaken(answer: MadeAttempt["answer"]): boolean {
  return answer.kind === "answered" && answer.status >= 200 && answer.status < 300;
}

function evidenceOf({ at, durationMs, answer }: MadeAttempt): Attempt {
  const duration = { at, duration_ms: durationMs };
  if (answer.kind === "unanswered") {
    const error = { class: answer.trouble, message: answer.message };
    return { ...duration, status: null, error, response: null };
  }
  const { status, response } = answer;
  if (isTaken(answer)) return { ...duration, status, error: null, response };
  const isRedirect = status >= 300 && status < 400;
  const message = `The receiver answered ${status}${isRedirect ? "; redirects are not followed" : ""}`;
  return { ...duration, status, error: { class: "http", message }, response };
}

/** What a settled attempt leaves to be done: the endpoint was disabled by it, and what waits for it is to be held. */
export type Settled = "done" | "endpoint_disabled";

export async function settleAttempt(context: Context, made: MadeAttempt): Promise<Settled> {
  const { delivery, owner, answer, durationMs } = made;
  let outcome: DeliveryStatus = "delivered";
  const settled = await context.store.write<Settled>(async (trx) => {
    // As it is now: what receivers answered before may have been erased meanwhile.
    const row = await findClaimedDelivery(trx, delivery.id, owner);
    // A claim that was lost is somebody else's by now, and so is what it counts for.
    if (row === undefined) return "done";
    const attempts = withAttempt(context.store.cipher, row, evidenceOf(made));
    const result = { id: delivery.id, owner, tries: delivery.tries + 1, attempts };
    if (isTaken(answer)) {
      await settleDelivery(trx, { ...result, status: "delivered", nextAt: null });
      await noteSuccess(trx, delivery.endpoint_id);
      return "done";
    }
    const endpoint = await findEndpointRow(trx, delivery.endpoint_id);
    const isEnabled = endpoint?.status === "enabled";
    const nextAt = isEnabled ? nextAttemptAt(trx, context, made) : null;
    const status = !isEnabled ? "held" : nextAt === null ? "failed" : "pending";
    await settleDelivery(trx, { ...result, status, nextAt });
    outcome = status;
    return isEnabled ? noteFailure(trx, context, endpoint, answer) : "done";
  });
  const status = answer.kind === "answered" ? answer.status : null;
  context.watch.attempt({ deliveryId: delivery.id, outcome, status, durationMs });
  return settled;
}

function nextAttemptAt(
  trx: Transaction,
  { config }: Context,
  { delivery, answer }: MadeAttempt,
): string | null {
  const retryAfter = answer.kind === "answered" ? answer.retryAfter : undefined;
  const failure = {
    tries: delivery.tries + 1,
    retryAfterMs: readRetryAfterMs(retryAfter, trx.clockMs),
    random: Math.random(),
  };
  const delayMs = nextDelayMs(failure, config.webhooks.delaysSeconds);
  return delayMs === undefined ? null : new Date(trx.clockMs + delayMs).toISOString();
}

async function noteSuccess(trx: Transaction, endpointId: string): Promise<void> {
  const endpoint = await findEndpointRow(trx, endpointId);
  // Nearly always there is nothing to forget, and nothing is written.
  if (endpoint === undefined || endpoint.failures === 0) return;
  await changeEndpoint(trx, { ...endpoint, ...HEALTHY });
}

async function noteFailure(
  trx: Transaction,
  context: Context,
  before: EndpointRow,
  answer: MadeAttempt["answer"],
): Promise<Settled> {
  const status = answer.kind === "answered" ? answer.status : null;
  const health = afterFailure(before, status, new Date(trx.clockMs).toISOString());
  const limits = { nowMs: trx.clockMs, disableAfterDays: context.config.webhooks.disableAfterDays };
  if (!isToBeDisabled(before, health, status, limits)) {
    await changeEndpoint(trx, { ...before, ...health });
    return "done";
  }
  return tellDisabled(trx, before, { ...before, ...health }, "failing");
}

/** Disables an endpoint for a reason of the service's own; what waits for it is to be held. */
export async function disableEndpoint(trx: Transaction, id: string, reason: string): Promise<Settled> {
  const before = await findEndpointRow(trx, id);
  return before?.status === "enabled" ? tellDisabled(trx, before, before, reason) : "done";
}

async function tellDisabled(
  trx: Transaction,
  before: EndpointRow,
  now: EndpointRow,
  reason: string,
): Promise<Settled> {
  const after: EndpointRow = { ...now, status: "disabled", disabled_reason: reason };
  await changeEndpoint(trx, after);
  const object = buildEndpointObject(after);
  await appendEvent(trx, {
    type: "webhook_endpoint.disabled",
    objectJson: JSON.stringify(object),
    previous: previousAttributes(buildEndpointObject(before), object),
    documentId: null,
    merchantId: null,
    cause: backgroundCause(before.mode),
  });
  return "endpoint_disabled";
}
