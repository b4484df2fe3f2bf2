/** Sending again to one endpoint what it did not get: what was held, and what has failed (decisions 1 and 10). */
import { findDeliveryOfEvent, findUnsent, requeueDelivery } from "../../storage/deliveries.ts";
import { findEvent } from "../../storage/events.ts";
import type { CreatedRange } from "../../storage/lists.ts";
import type { Mode } from "../../storage/schema.ts";
import type { EndpointRow } from "../../storage/webhooks.ts";
import type { Transaction } from "../../storage/write.ts";
import type { Cause, Context } from "../context.ts";
import { AppError, type Problem, validationError } from "../errors.ts";
import { createdRange } from "../pages.ts";
import { parseWith } from "../validation.ts";
import { requireEndpointRow } from "./endpoints.ts";
import { queueDelivery } from "./fan-out.ts";
import { ReplayWebhookEventsSchema } from "./input.ts";
import type { WebhookReplay } from "./object.ts";

/** Rows in one write: some milliseconds. */
const PORTION = 500;

function requireEnabled({ status }: EndpointRow): void {
  if (status === "enabled") return;
  throw new AppError("invalid_state", "The webhook endpoint is disabled; enable it first, then replay");
}

/**
 * Queues deliveries of an endpoint once more, each once: those of the named events, whatever became of them; without
 * `events` everything that is held or has failed, of events made in the range if there is one. What is under way already
 * is left alone. Throws `validation_failed`, `not_found`, or `invalid_state` where the endpoint is disabled.
 */
export async function replayWebhookEvents(
  context: Context,
  endpointId: string,
  body: unknown,
  { mode }: Cause,
): Promise<WebhookReplay> {
  const { created = {}, events } = parseWith(ReplayWebhookEventsSchema, body, "");
  requireEnabled(await requireEndpointRow(context.store.read, mode, endpointId));
  const range = createdRange({ "created[gte]": created.gte, "created[lte]": created.lte });
  const queued =
    events === undefined
      ? (await requeueUnsent(context, endpointId, "held", range)) +
        (await requeueUnsent(context, endpointId, "failed", range))
      : await requeueEvents(context, { mode, endpointId }, [...new Set(events)], range);
  return { object: "webhook_replay", queued };
}

/** In portions, each a write of its own. */
async function requeueUnsent(
  { store }: Context,
  endpointId: string,
  status: "held" | "failed",
  created: CreatedRange,
): Promise<number> {
  let queued = 0;
  let after = "";
  for (;;) {
    const portion = { endpointId, status, after, created, limit: PORTION };
    const ids = await store.write(async (trx) => {
      const found = await findUnsent(trx, portion);
      for (const id of found) await requeueDelivery(trx, id, new Date(trx.clockMs).toISOString());
      trx.tell("deliveries");
      return found;
    });
    queued += ids.length;
    after = ids.at(-1) ?? after;
    if (ids.length < PORTION) return queued;
  }
}

async function requeueEvents(
  { store }: Context,
  { mode, endpointId }: { mode: Mode; endpointId: string },
  eventIds: readonly string[],
  { fromMs = 0, throughMs = Number.POSITIVE_INFINITY }: CreatedRange,
): Promise<number> {
  return store.write(async (trx) => {
    const endpoint = await requireEndpointRow(trx, mode, endpointId);
    const problems: Problem[] = [];
    let queued = 0;
    for (const [index, eventId] of eventIds.entries()) {
      const event = await findEvent(trx, eventId);
      if (event === undefined || event.mode !== endpoint.mode) {
        problems.push({ path: `events[${index}]`, message: "is no event of this mode" });
        continue;
      }
      const createdMs = Date.parse(event.created_at);
      if (createdMs < fromMs || createdMs > throughMs) continue;
      if (await requeueEvent(trx, endpoint, { id: eventId, documentId: event.document_id })) queued += 1;
    }
    if (problems.length > 0) throw validationError(problems);
    return queued;
  });
}

/** An event that the endpoint was never to get, because it came later or did not ask for the type, is sent as well. */
async function requeueEvent(
  trx: Transaction,
  endpoint: EndpointRow,
  event: { id: string; documentId: string | null },
): Promise<boolean> {
  const known = await findDeliveryOfEvent(trx, { endpointId: endpoint.id, eventId: event.id });
  if (known !== undefined) {
    trx.tell("deliveries");
    return requeueDelivery(trx, known.id, new Date(trx.clockMs).toISOString());
  }
  await queueDelivery(trx, endpoint, event);
  return true;
}
