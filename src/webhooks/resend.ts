/** Resends one event to a given endpoint, or to every endpoint that subscribes to its type (docs/contract.md#resending-events). */
import { findEvent } from "../../storage/journal/events.ts";
import { isId } from "../../storage/database/ids.ts";
import type { Mode } from "../../storage/stored-values.ts";
import { findEndpointInterests } from "../../storage/webhooks/webhooks.ts";
import type { Cause, Context } from "../journal/context.ts";
import { AppError } from "../foundation/errors.ts";
import { buildEventObject, type EventObject } from "../journal/event-object.ts";
import { parseWith } from "../foundation/validation.ts";
import { requireEndpointRow } from "./endpoints.ts";
import { subscribesTo } from "../journal/fan-out.ts";
import { ResendEventSchema } from "./endpoint-input.ts";
import { noteResend } from "./listening/resends.ts";
import { requeueEvent } from "./requeue.ts";

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
    const row = isId(eventId, "evt") ? await findEvent(trx, eventId) : undefined;
    if (row === undefined || row.mode !== mode)
      throw new AppError("not_found", {
        en: "There is no such event in this mode",
        el: "Δεν υπάρχει τέτοιο συμβάν σε αυτό το περιβάλλον",
      });
    const reference = { id: row.id, documentId: row.document_id };
    if (named !== undefined) {
      const endpoint = await requireEndpointRow(trx, mode, named);
      if (endpoint.status === "disabled")
        throw new AppError("invalid_state", {
          en: "The webhook endpoint is disabled; enable it first",
          el: "Ο παραλήπτης webhook είναι ανενεργός· ενεργοποιήστε τον πρώτα",
        });
      await requeueEvent(trx, endpoint, reference);
      return row;
    }
    for (const endpoint of await findEndpointInterests(trx, mode)) {
      const isWanted = endpoint.status === "enabled" && subscribesTo(endpoint.enabled_events_json, row.type);
      if (isWanted) await requeueEvent(trx, endpoint, reference);
    }
    return row;
  });
  // Listeners are not endpoints, so an event for a single endpoint is not for them.
  if (named === undefined) notifyListeners(context, mode, event.id);
  return buildEventObject(event);
}

/** Only warns on failure: the event is already queued for the endpoints. */
function notifyListeners({ config, log }: Context, mode: Mode, eventId: string): void {
  try {
    noteResend(config.dataDir, mode, eventId);
  } catch (error) {
    log.warn({ event: eventId, error: String(error) }, "could not pass a resent event on to webhooks listen");
  }
}
