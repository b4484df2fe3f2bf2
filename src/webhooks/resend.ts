/** Resends one event, or replays the held and failed deliveries of an endpoint (docs/contract.md#resending-events). */
import { type EventRow, findEvent } from "../../storage/journal/events.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { findEndpointInterests, type EndpointRow } from "../../storage/webhooks/webhooks.ts";
import type { Cause, Context } from "../journal/context.ts";
import { AppError, type Problem, validationError } from "../foundation/errors.ts";
import { buildEventObject, type EventObject, requireEventRow } from "../journal/event-object.ts";
import { parseWith } from "../foundation/validation.ts";
import { requireEndpointRow } from "./endpoints.ts";
import { deliveryTo, subscribesTo } from "../journal/append-event.ts";
import { ResendEventSchema, ReplayWebhookEventsSchema } from "./endpoint-input.ts";
import { noteResend } from "./listening/listen-files.ts";
import {
  findDeliveryOfEvent,
  requeueDelivery,
  findUnsentDeliveries,
} from "../../storage/webhooks/deliveries.ts";
import type { Transaction } from "../../storage/database/write.ts";
import type { CreatedRange } from "../../storage/database/lists.ts";
import { createdRange } from "../foundation/pages.ts";
import type { WebhookReplay } from "./endpoint-object.ts";

/**
 * Queues the event for each of them, notifies the listeners of this data directory, and returns the event. Throws
 * `validation_failed`, `not_found` for the event or the endpoint, or `invalid_state` if the given endpoint is disabled.
 */
export async function resendEvent(
  context: Context,
  eventId: string,
  body: unknown,
  { mode }: Cause,
): Promise<EventObject> {
  const { webhook_endpoint: named } = parseWith(ResendEventSchema, body, "");
  const event = await context.store.write(async (trx) => {
    const row = await requireEventRow(trx, mode, eventId);
    if (named !== undefined) {
      await requeueEvent(trx, await requireEnabled(trx, mode, named), row);
      return row;
    }
    for (const endpoint of await findEndpointInterests(trx, mode)) {
      const isWanted = endpoint.status === "enabled" && subscribesTo(endpoint.enabled_events_json, row.type);
      if (isWanted) await requeueEvent(trx, endpoint, row);
    }
    // Listeners are not endpoints, so an event for a single endpoint is not for them.
    await noteResend(trx, mode, row.id);
    return row;
  });
  return buildEventObject(event);
}

/**
 * Queues the event as if it had just happened. An undelivered delivery is queued again, so that there is never more than one
 * in progress; otherwise a new delivery is created. False if the event is already waiting for its first attempt.
 */
async function requeueEvent(
  trx: Transaction,
  endpoint: Pick<EndpointRow, "id" | "status">,
  event: EventRow,
): Promise<boolean> {
  const known = await findDeliveryOfEvent(trx, { endpointId: endpoint.id, eventId: event.id });
  if (known === undefined || known.status === "delivered") {
    await trx.insertRows({ deliveries: [deliveryTo(trx, endpoint, event)] });
    return true;
  }
  if (known.status === "pending" && known.tries === 0) return false;
  trx.announce("deliveries");
  return requeueDelivery(trx, { id: known.id, due: new Date(trx.clockMs).toISOString() });
}

/** Rows per write, which takes a few milliseconds. */
const BATCH = 500;

/** Throws `not_found`, and `invalid_state` if it is disabled, as it may be during a long replay. */
async function requireEnabled(trx: Transaction, mode: Mode, endpointId: string): Promise<EndpointRow> {
  const endpoint = await requireEndpointRow(trx, mode, endpointId);
  if (endpoint.status === "enabled") return endpoint;
  throw new AppError("invalid_state", {
    en: "The webhook endpoint is disabled; enable it first, then send again",
    el: "Ο παραλήπτης webhook είναι ανενεργός· ενεργοποιήστε τον πρώτα και επαναλάβετε την αποστολή",
  });
}

/**
 * Queues deliveries of an endpoint again, once per event: those of the given `events` whatever their status; otherwise every
 * held or failed one, limited to events created in the given range. Deliveries in progress are left alone. Throws
 * `validation_failed`, `not_found`, or `invalid_state` if the endpoint is disabled; deliveries queued before that are held again.
 */
export async function replayWebhookEvents(
  context: Context,
  endpointId: string,
  body: unknown,
  { mode }: Cause,
): Promise<WebhookReplay> {
  const { created = {}, events } = parseWith(ReplayWebhookEventsSchema, body, "");
  const range = createdRange({ "created[gte]": created.gte, "created[lte]": created.lte });
  const endpoint = { mode, endpointId };
  const queued =
    events === undefined
      ? await requeueUnsent(context, endpoint, range)
      : await requeueEvents(context, endpoint, [...new Set(events)], range);
  return { object: "webhook_replay", queued };
}

interface Target {
  mode: Mode;
  endpointId: string;
}

/** In batches with one write each, in the order of the events, so that first attempts follow that order. */
async function requeueUnsent(
  { store }: Context,
  { mode, endpointId }: Target,
  created: CreatedRange,
): Promise<number> {
  let queued = 0;
  let after = "";
  for (;;) {
    const filter = { endpointId, after, created, limit: BATCH };
    const found = await store.write(async (trx) => {
      await requireEnabled(trx, mode, endpointId);
      const rows = await findUnsentDeliveries(trx, filter);
      const due = new Date(trx.clockMs).toISOString();
      for (const { id } of rows) await requeueDelivery(trx, { id, due });
      trx.announce("deliveries");
      return rows;
    });
    queued += found.length;
    after = found.at(-1)?.event_id ?? after;
    if (found.length < BATCH) return queued;
  }
}

async function requeueEvents(
  { store }: Context,
  { mode, endpointId }: Target,
  eventIds: readonly string[],
  { fromMs = 0, throughMs = Number.POSITIVE_INFINITY }: CreatedRange,
): Promise<number> {
  return store.write(async (trx) => {
    const endpoint = await requireEnabled(trx, mode, endpointId);
    const problems: Problem[] = [];
    let queued = 0;
    for (const [index, eventId] of eventIds.entries()) {
      const event = await findEvent(trx, { id: eventId });
      if (event === undefined || event.mode !== endpoint.mode) {
        problems.push({
          path: `events[${index}]`,
          message: { en: "is not an event of this mode", el: "δεν είναι συμβάν αυτού του περιβάλλοντος" },
        });
        continue;
      }
      const createdMs = Date.parse(event.created_at);
      if (createdMs < fromMs || createdMs > throughMs) continue;
      if (await requeueEvent(trx, endpoint, event)) queued += 1;
    }
    if (problems.length > 0) throw validationError(problems);
    return queued;
  });
}
