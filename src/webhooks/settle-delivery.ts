/**
 * Records an attempt in one write: the evidence, the next attempt, and whether the endpoint is disabled
 * (docs/contract.md#failing-endpoints).
 */
import { type DeliveryRow, deliveryWork, findClaimedDelivery } from "../../storage/webhooks/deliveries.ts";
import type { DeliveryStatus } from "../../storage/stored-values.ts";
import {
  changeEndpoint,
  changeEndpointHealth,
  type EndpointRow,
  findEndpointRow,
} from "../../storage/webhooks/webhooks.ts";
import { inTurn, type Transaction } from "../../storage/database/write.ts";
import type { Context } from "../journal/context.ts";
import { appendEvent, backgroundCause, previousAttributes } from "../journal/append-event.ts";
import { readRetryAfterMs } from "../foundation/http-sender.ts";
import { nextDue } from "../work/work-off.ts";
import { deliveriesOf } from "../work/kinds.ts";
import { withAttempt } from "./attempts.ts";
import {
  afterFailure,
  type Attempt,
  buildEndpointObject,
  type Health,
  HEALTHY,
  shouldDisable,
} from "./endpoint-object.ts";
import type { PostOutcome } from "./sender.ts";

export interface MadeAttempt {
  delivery: DeliveryRow;
  /** When the attempt was made. */
  at: string;
  durationMs: number;
  outcome: Exclude<PostOutcome, { kind: "stopped" }>;
}

function isAccepted(outcome: MadeAttempt["outcome"]): boolean {
  return outcome.kind === "answered" && outcome.status >= 200 && outcome.status < 300;
}

function evidenceOf({ at, durationMs, outcome }: MadeAttempt): Attempt {
  const duration = { at, duration_ms: durationMs };
  if (outcome.kind === "unanswered") {
    const error = { class: outcome.failure, message: outcome.message };
    return { ...duration, status: null, error, response: null };
  }
  const { status, response } = outcome;
  if (isAccepted(outcome)) return { ...duration, status, error: null, response };
  const isRedirect = status >= 300 && status < 400;
  const message = `The receiver answered ${status}${isRedirect ? "; redirects are not followed" : ""}`;
  return { ...duration, status, error: { class: "http", message }, response };
}

/** `endpoint_disabled`: the attempt disabled the endpoint, so its pending deliveries must be held. */
export type Settled = "done" | "endpoint_disabled";

export async function settleAttempt(context: Context, made: MadeAttempt): Promise<Settled> {
  const { delivery, outcome, durationMs } = made;
  const { status: finalStatus, settled } = await context.store.add(ATTEMPTS, { context, made });
  const status = outcome.kind === "answered" ? outcome.status : null;
  context.watch.attempt({ deliveryId: delivery.id, outcome: finalStatus, status, durationMs });
  return settled;
}

interface SettledAttempt {
  status: DeliveryStatus;
  settled: Settled;
}

const ATTEMPTS = inTurn(
  async (trx, { context, made }: { context: Context; made: MadeAttempt }): Promise<SettledAttempt> => {
    const { delivery, outcome } = made;
    // Read again, because earlier responses may have been erased in the meantime.
    const row = await findClaimedDelivery(trx, delivery);
    // The claim was lost to another process, which records its own attempt.
    if (row === undefined) return { status: "delivered", settled: "done" };
    const endpoint = await findEndpointRow(trx, { id: delivery.endpoint_id });
    const health = endpoint === undefined ? undefined : healthAfter(trx, context, endpoint, outcome);
    const attempts = withAttempt(context.store.cipher, row, evidenceOf(made));
    const tries = delivery.tries + 1;
    if (isAccepted(outcome)) {
      await deliveryWork.settle(trx, row, { tries, due_at: null }, { status: "delivered", attempts });
      // Usually there are no failures to clear, and nothing is written.
      if (endpoint !== undefined && endpoint.failures > 0)
        await changeEndpointHealth(trx, { id: endpoint.id, ...HEALTHY });
      return { status: "delivered", settled: "done" };
    }
    const isEnabled = endpoint?.status === "enabled";
    const due = isEnabled ? nextAttemptAt(trx, context, made) : null;
    const status = !isEnabled ? "held" : due === null ? "failed" : "pending";
    await deliveryWork.settle(trx, row, { tries, due_at: due }, { status, attempts });
    if (endpoint === undefined || health === undefined || !isEnabled) return { status, settled: "done" };
    const after = { ...endpoint, ...health.health };
    if (health.isDisabled) return { status, settled: await disable(trx, endpoint, after, "failing") };
    await changeEndpointHealth(trx, after);
    return { status, settled: "done" };
  },
);

function nextAttemptAt(
  trx: Transaction,
  { config }: Context,
  { delivery, outcome }: MadeAttempt,
): string | null {
  const retryAfter = outcome.kind === "answered" ? outcome.retryAfter : undefined;
  return nextDue(trx, deliveriesOf(config), delivery, readRetryAfterMs(retryAfter, trx.clockMs));
}

/** Ends a claim without an attempt, because nothing can be sent. */
export async function closeDelivery(
  trx: Transaction,
  delivery: DeliveryRow,
  status: "failed" | "held",
): Promise<void> {
  await deliveryWork.settle(trx, delivery, { due_at: null, tries: delivery.tries }, { status });
}

/** Undefined after a success. */
function healthAfter(
  trx: Transaction,
  context: Context,
  before: EndpointRow,
  outcome: MadeAttempt["outcome"],
): { health: Health; isDisabled: boolean } | undefined {
  if (isAccepted(outcome) || before.status !== "enabled") return undefined;
  const status = outcome.kind === "answered" ? outcome.status : null;
  const health = afterFailure(before, status, new Date(trx.clockMs).toISOString());
  const limits = { nowMs: trx.clockMs, disableAfterDays: context.config.webhooks.disableAfterDays };
  return { health, isDisabled: shouldDisable(before, health, status, limits) };
}

/** Disables an endpoint on the service's own initiative; the caller must hold its pending deliveries. */
export async function disableEndpoint(trx: Transaction, id: string, reason: string): Promise<Settled> {
  const before = await findEndpointRow(trx, { id });
  return before?.status === "enabled" ? disable(trx, before, before, reason) : "done";
}

async function disable(
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
