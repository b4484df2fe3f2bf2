/** The example event, webhook endpoint and delivery. */
import type { EventObject } from "../../journal/event-object.ts";
import { ISSUED_DOCUMENT, QUEUED_DOCUMENT } from "./documents.ts";
import { WebhookEndpointObjectSchema } from "../../webhooks/endpoint-object.ts";
import { completeExample } from "./complete.ts";
import { IDS, INSTANTS } from "./names.ts";

export const EVENT: EventObject = {
  id: IDS.issued,
  object: "event",
  type: "document.issued",
  created: INSTANTS.issued,
  api_version: "0.1.0",
  livemode: false,
  data: {
    object: { ...ISSUED_DOCUMENT },
    previous_attributes: {
      status: "pending",
      stage: "awaiting_mark",
      mark: null,
      uid: null,
      qr_url: null,
      timeline: QUEUED_DOCUMENT.timeline,
      updated: INSTANTS.sent,
    },
  },
  request: null,
};

export const ENDPOINT = completeExample(WebhookEndpointObjectSchema, {
  id: IDS.endpoint,
  object: "webhook_endpoint",
  url: "https://shop.example/webhooks",
  enabled_events: ["document.issued", "document.rejected", "document.failed"],
  description: "Web shop",
  mode: "test",
  status: "enabled",
  created: INSTANTS.setUp,
});

/** The secret was generated for this example only. */
export const ENDPOINT_WITH_SECRET = {
  ...ENDPOINT,
  secret: "whsec_ZXhhbXBsZS1vbmx5LWV4YW1wbGUtb25seS1leGFtcGw=",
} as const;

export const DELETED_ENDPOINT = { id: IDS.endpoint, object: "webhook_endpoint", deleted: true } as const;

export const DELIVERY = {
  id: IDS.delivery,
  object: "webhook_delivery",
  endpoint: IDS.endpoint,
  event: IDS.issued,
  status: "delivered",
  attempts: [{ at: INSTANTS.delivered, status: 200, duration_ms: 84, error: null, response: "ok" }],
  next_attempt_at: null,
  created: INSTANTS.issued,
} as const;

export const REPLAY = { object: "webhook_replay", queued: 3 } as const;
