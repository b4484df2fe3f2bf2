/** The API objects of webhook endpoints and deliveries, without secrets. */
import * as v from "valibot";
import { DELIVERY_STATUSES, ENDPOINT_STATUSES } from "../../storage/database/schema.ts";
import { EVENT_TYPES, MODES } from "../../storage/stored-values.ts";
import type { EndpointRow } from "../../storage/webhooks/webhooks.ts";
import { EVERY_EVENT } from "../journal/fan-out.ts";
import { readJson } from "../foundation/json.ts";
import { idOf, InstantText } from "../foundation/wire.ts";

export const ENABLED_EVENTS = [EVERY_EVENT, ...EVENT_TYPES] as const;
export type EnabledEvent = (typeof ENABLED_EVENTS)[number];

/** docs/contract.md#webhook-endpoints */
export const WebhookEndpointObjectSchema = v.strictObject({
  id: idOf("we"),
  object: v.literal("webhook_endpoint"),
  url: v.string(),
  enabled_events: v.array(v.picklist(ENABLED_EVENTS)),
  description: v.nullable(v.string()),
  mode: v.picklist(MODES),
  status: v.picklist(ENDPOINT_STATUSES),
  disabled_reason: v.nullable(v.string()),
  created: InstantText,
});

export type WebhookEndpointObject = v.InferOutput<typeof WebhookEndpointObjectSchema>;

/** The response of creation and rotation, the only ones with the secret. */
export const WebhookEndpointWithSecretSchema = v.strictObject({
  ...WebhookEndpointObjectSchema.entries,
  secret: v.pipe(v.string(), v.regex(/^whsec_[A-Za-z0-9+/]{43}=$/)),
});

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

export const DeletedWebhookEndpointSchema = v.strictObject({
  id: idOf("we"),
  object: v.literal("webhook_endpoint"),
  deleted: v.literal(true),
});

/** Why an attempt failed. `http`: a status other than 2xx; `blocked`: the network guard refused the address before sending. */
export const FAILURE_CLASSES = ["dns", "connect", "tls", "timeout", "blocked", "http"] as const;
export type FailureClass = (typeof FAILURE_CLASSES)[number];

export const AttemptSchema = v.strictObject({
  at: InstantText,
  /** Null if there was no response. */
  status: v.nullable(v.pipe(v.number(), v.integer(), v.minValue(100), v.maxValue(599))),
  duration_ms: v.pipe(v.number(), v.integer(), v.minValue(0)),
  /** Null if it was delivered. */
  error: v.nullable(v.strictObject({ class: v.picklist(FAILURE_CLASSES), message: v.string() })),
  /** The beginning of the response body, as text; null if it was empty. */
  response: v.nullable(v.string()),
});

export type Attempt = v.InferOutput<typeof AttemptSchema>;

/** docs/contract.md#webhook-deliveries */
export const WebhookDeliveryObjectSchema = v.strictObject({
  id: idOf("whd"),
  object: v.literal("webhook_delivery"),
  endpoint: idOf("we"),
  event: idOf("evt"),
  status: v.picklist(DELIVERY_STATUSES),
  attempts: v.array(AttemptSchema),
  next_attempt_at: v.nullable(InstantText),
  created: InstantText,
});

export type WebhookDeliveryObject = v.InferOutput<typeof WebhookDeliveryObjectSchema>;

export const WebhookReplaySchema = v.strictObject({
  object: v.literal("webhook_replay"),
  queued: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

export type WebhookReplay = v.InferOutput<typeof WebhookReplaySchema>;
