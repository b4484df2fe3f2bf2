/**
 * The deliveries of the API with their attempts, which are encrypted because receivers' responses may contain anything
 * (docs/contract.md#webhook-deliveries). An attempt is recorded in one write: the evidence, the next attempt, and whether the endpoint is
 * disabled (docs/contract.md#failing-endpoints).
 */
import type { Slice } from "../../storage/database/lists.ts";
import { placeIn } from "../../storage/encryption/sealed.ts";
import type { Cipher } from "../../storage/encryption/cipher.ts";
import {
  type DeliveryRow,
  deliveryWork,
  findClaimedDelivery,
  findDeliverySlice,
  listDeliveriesOfDocument,
} from "../../storage/webhooks/deliveries.ts";
import { readJson } from "../foundation/json.ts";
import {
  afterFailure,
  type Attempt,
  buildEndpointObject,
  HEALTHY,
  shouldDisable,
  type WebhookDeliveryObject,
} from "./endpoint-object.ts";
import type { DeliveryStatus, Mode } from "../../storage/stored-values.ts";
import type { Context } from "../journal/context.ts";
import { type Page, type PageQuery, readPage } from "../foundation/pages.ts";
import { requireDocumentRow } from "../documents/list-documents.ts";
import { requireEndpointRow } from "./endpoints.ts";
import {
  changeEndpoint,
  changeEndpointHealth,
  type EndpointRow,
  findEndpointRow,
} from "../../storage/webhooks/webhooks.ts";
import { inTurn, type Transaction } from "../../storage/database/write.ts";
import { appendEvent, backgroundCause } from "../journal/append-event.ts";
import { readRetryAfterMs } from "../foundation/http-sender.ts";
import { dueIn, nextDue } from "../work/work-off.ts";
import { deliveriesOf } from "../work/kinds.ts";
import { isAccepted, type PostOutcome } from "./sender.ts";

/** More than two full schedules; a delivery that is replayed again and again keeps only the latest. */
const ATTEMPTS_MAX = 30;

/** Oldest first; empty if they cannot be decrypted, which must not affect the delivery itself. */
function readAttempts(cipher: Cipher, row: Pick<DeliveryRow, "id" | "attempts">): Attempt[] {
  if (row.attempts === null) return [];
  const opened = cipher.open(placeIn("deliveries", row.id), row.attempts);
  return opened === undefined ? [] : readJson<Attempt[]>(opened.toString());
}

function sealAttempts(cipher: Cipher, id: string, attempts: readonly Attempt[]): Uint8Array {
  return cipher.seal(placeIn("deliveries", id), JSON.stringify(attempts.slice(-ATTEMPTS_MAX)));
}

export function hasResponse(
  cipher: Cipher,
  row: Pick<DeliveryRow, "id" | "attempts">,
  matches: (response: unknown) => boolean,
): boolean {
  return readAttempts(cipher, row).some(({ response }) => response !== null && matches(response));
}

/** The delivery's attempts without the receivers' responses, encrypted. */
export function withoutResponses(cipher: Cipher, row: Pick<DeliveryRow, "id" | "attempts">): Uint8Array {
  const attempts = readAttempts(cipher, row).map((attempt) => ({ ...attempt, response: null }));
  return sealAttempts(cipher, row.id, attempts);
}

/** docs/contract.md#webhook-deliveries */
function buildDeliveryObject(cipher: Cipher, row: DeliveryRow): WebhookDeliveryObject {
  return {
    id: row.id,
    object: "webhook_delivery",
    endpoint: row.endpoint_id,
    event: row.event_id,
    status: row.status,
    attempts: readAttempts(cipher, row),
    next_attempt_at: row.lease_owner === null ? row.due_at : null,
    created: row.created_at,
  };
}

/** Throws `not_found` if the endpoint does not exist. */
export async function listWebhookDeliveries(
  context: Context,
  mode: Mode,
  endpointId: string,
  query: PageQuery & { status?: DeliveryStatus | undefined },
): Promise<Page<WebhookDeliveryObject>> {
  const { read, cipher } = context.store;
  await requireEndpointRow(read, mode, endpointId);
  const find = (slice: Slice) => findDeliverySlice(read, { endpointId, status: query.status }, slice);
  return readPage("whd", query, find, (row) => buildDeliveryObject(cipher, row));
}

/** The newest deliveries of a document's events, at most `limit`. Throws `not_found` if the document does not exist. */
export async function listDocumentDeliveries(
  context: Context,
  mode: Mode,
  documentId: string,
  limit: number,
): Promise<WebhookDeliveryObject[]> {
  const { read, cipher } = context.store;
  await requireDocumentRow(context.store.read, mode, documentId);
  const rows = await listDeliveriesOfDocument(read, { documentId, limit });
  return rows.map((row) => buildDeliveryObject(cipher, row));
}

export interface MadeAttempt {
  delivery: DeliveryRow;
  at: string;
  durationMs: number;
  outcome: Exclude<PostOutcome, { kind: "stopped" }>;
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
  context.finishedWork.attempt({ deliveryId: delivery.id, outcome: finalStatus, status, durationMs });
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
    const { cipher } = context.store;
    const attempts = sealAttempts(cipher, row.id, [...readAttempts(cipher, row), evidenceOf(made)]);
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
    if (!isEnabled) return { status, settled: "done" };
    const answered = outcome.kind === "answered" ? outcome.status : null;
    const health = afterFailure(endpoint, answered, dueIn(trx, 0));
    const after = { ...endpoint, ...health };
    const limits = { nowMs: trx.clockMs, disableAfterDays: context.config.webhooks.disableAfterDays };
    if (shouldDisable(endpoint, health, answered, limits))
      return { status, settled: await disable(trx, endpoint, after, "failing") };
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

export async function closeDelivery(
  trx: Transaction,
  delivery: DeliveryRow,
  status: "failed" | "held",
): Promise<void> {
  await deliveryWork.settle(trx, delivery, { due_at: null, tries: delivery.tries }, { status });
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
  await appendEvent(trx, {
    type: "webhook_endpoint.disabled",
    before: buildEndpointObject(before),
    after: buildEndpointObject(after),
    merchantId: null,
    cause: backgroundCause(before.mode),
  });
  return "endpoint_disabled";
}
