/** The API objects of webhook endpoints and deliveries, without secrets, and the health of an endpoint. */
import * as v from "valibot";
import { EVENT_TYPES, DELIVERY_STATUSES, ENDPOINT_STATUSES } from "../../storage/stored-values.ts";
import type { EndpointRow } from "../../storage/webhooks/webhooks.ts";
import { EVERY_EVENT } from "../journal/append-event.ts";
import { component, described } from "../foundation/described.ts";
import { readJson } from "../foundation/json.ts";
import { CreatedField, idOf, InstantText, ModeField, objectName } from "../foundation/wire.ts";
import { SECRET_FORM } from "./signature.ts";

export const ENABLED_EVENTS = [EVERY_EVENT, ...EVENT_TYPES] as const;
export type EnabledEvent = (typeof ENABLED_EVENTS)[number];

/** The words for what requests and responses both have. */
export const ENDPOINT_FIELDS = {
  url: "The address to which events are sent.",
  enabledEvents: `The types of events that are sent, or \`["${EVERY_EVENT}"]\` for all, new ones included.`,
  description: "Your own note about the endpoint; null for none.",
};

/** docs/contract.md#webhook-endpoints */
export const WebhookEndpointObjectSchema = component(
  "WebhookEndpoint",
  "An address that receives events of one mode.",
  v.strictObject({
    id: idOf("we"),
    object: objectName("webhook_endpoint"),
    url: described(v.string(), ENDPOINT_FIELDS.url),
    enabled_events: described(v.array(v.picklist(ENABLED_EVENTS)), ENDPOINT_FIELDS.enabledEvents),
    description: described(v.nullable(v.string()), ENDPOINT_FIELDS.description),
    mode: ModeField,
    status: described(
      v.picklist(ENDPOINT_STATUSES),
      "`enabled`: events are sent; `disabled`: they are held back, by you or by the service.",
    ),
    disabled_reason: described(
      v.nullable(v.string()),
      "Why it is disabled: `failing` if the service did it after every delivery failed for days; otherwise null.",
    ),
    created: CreatedField,
  }),
);

export type WebhookEndpointObject = v.InferOutput<typeof WebhookEndpointObjectSchema>;

/** The response of creation and rotation, the only ones with the secret. */
export const WebhookEndpointWithSecretSchema = component(
  "WebhookEndpointWithSecret",
  "A webhook endpoint with the secret that signs its deliveries.",
  v.strictObject({
    ...WebhookEndpointObjectSchema.entries,
    secret: described(
      v.pipe(v.string(), v.regex(SECRET_FORM)),
      "The key of the signatures, the `whsec_` included. Shown only now: store it.",
    ),
  }),
);

export type WebhookEndpointWithSecret = v.InferOutput<typeof WebhookEndpointWithSecretSchema>;

export function buildEndpointObject(row: EndpointRow): WebhookEndpointObject {
  return {
    id: row.id,
    object: "webhook_endpoint",
    url: row.url,
    enabled_events: readJson<EnabledEvent[]>(row.enabled_events_json),
    description: row.description,
    mode: row.mode,
    status: row.status,
    disabled_reason: row.disabled_reason,
    created: row.created_at,
  };
}

export const DeletedWebhookEndpointSchema = component(
  "DeletedWebhookEndpoint",
  "Confirms that a webhook endpoint is deleted.",
  v.strictObject({
    id: idOf("we"),
    object: objectName("webhook_endpoint"),
    deleted: described(v.literal(true), "Always true."),
  }),
);

/** Why an attempt failed. `http`: a status other than 2xx; `blocked`: the network guard refused the address before sending. */
export const FAILURE_CLASSES = ["dns", "connect", "tls", "timeout", "blocked", "http"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export const AttemptSchema = component(
  "DeliveryAttempt",
  "One attempt to deliver an event.",
  v.strictObject({
    at: described(InstantText, "When it was made, in UTC."),
    status: described(
      v.nullable(v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599))),
      "The HTTP status of the response; null if there was none.",
    ),
    duration_ms: described(
      v.pipe(v.number(), v.integer(), v.minValue(0)),
      "How long it took, in milliseconds.",
    ),
    error: described(
      v.nullable(
        v.strictObject({
          class: described(
            v.picklist(FAILURE_CLASSES),
            "The kind of failure. `http`: a status other than 2xx; `blocked`: the address may not be called.",
          ),
          message: described(v.string(), "What went wrong."),
        }),
      ),
      "Why it failed; null if the event was delivered.",
    ),
    response: described(
      v.nullable(v.string()),
      "The beginning of the response body, as text; null if it was empty.",
    ),
  }),
);

export type Attempt = v.InferOutput<typeof AttemptSchema>;

/** docs/contract.md#webhook-deliveries */
export const WebhookDeliveryObjectSchema = component(
  "WebhookDelivery",
  "One event for one webhook endpoint, with every attempt to deliver it.",
  v.strictObject({
    id: idOf("whd"),
    object: objectName("webhook_delivery"),
    endpoint: idOf("we"),
    event: idOf("evt"),
    status: described(
      v.picklist(DELIVERY_STATUSES),
      "`pending`: attempts continue; `delivered`: the endpoint responded with 2xx; `failed`: every attempt failed; `held`: the endpoint is disabled.",
    ),
    attempts: described(v.array(AttemptSchema), "The attempts so far, oldest first."),
    next_attempt_at: described(
      v.nullable(InstantText),
      "When the next attempt is due, in UTC; null if none is.",
    ),
    created: CreatedField,
  }),
);

export type WebhookDeliveryObject = v.InferOutput<typeof WebhookDeliveryObjectSchema>;

export const WebhookReplaySchema = component(
  "WebhookReplay",
  "The result of a replay.",
  v.strictObject({
    object: objectName("webhook_replay"),
    queued: described(v.pipe(v.number(), v.integer(), v.minValue(0)), "How many deliveries were queued."),
  }),
);

export type WebhookReplay = v.InferOutput<typeof WebhookReplaySchema>;

/** With fewer failures the endpoint just receives few events, however long ago the first failure was. */
const FAILURES_MIN = 10;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** "Gone": the receiver wants no more events. */
const GONE = 410;

/** An endpoint's failures since its last success. */
export interface Health {
  /** Null after a success. */
  failing_since: string | null;
  failures: number;
  gone_at: string | null;
}

/** The health after one more failed attempt. `status` is null if there was no response. */
export function afterFailure(health: Health, status: number | null, now: string): Health {
  return {
    failing_since: health.failing_since ?? now,
    failures: health.failures + 1,
    gone_at: status === GONE ? now : health.gone_at,
  };
}

export const HEALTHY: Health = { failing_since: null, failures: 0, gone_at: null };

/** Whether the failure between `before` and `after` disables the endpoint. */
export function shouldDisable(
  before: Health,
  after: Health,
  status: number | null,
  options: { nowMs: number; disableAfterDays: number },
): boolean {
  if (status === GONE && before.gone_at !== null && options.nowMs - Date.parse(before.gone_at) <= HOUR_MS)
    return true;
  const sinceMs = after.failing_since === null ? options.nowMs : Date.parse(after.failing_since);
  return after.failures >= FAILURES_MIN && options.nowMs - sinceMs >= options.disableAfterDays * DAY_MS;
}
