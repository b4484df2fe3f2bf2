/** Operations on events: list, get, resend. */
import { getEvent, listEvents } from "../../src/journal/list-events.ts";
import { EventObjectSchema } from "../../src/webhooks/event-schema.ts";
import { ResendEventSchema } from "../../src/webhooks/endpoint-input.ts";
import { resendEvent } from "../../src/webhooks/resend.ts";
import { data, list, type Operation, operation } from "../operation.ts";
import { CREATED_FIELDS, EVENT_TYPE_FIELD, idField, PAGE_FIELDS } from "../query.ts";

const tag = "events";

export const EVENT_OPERATIONS: readonly Operation[] = [
  operation({
    id: "listEvents",
    method: "GET",
    path: "/events",
    tag,
    summary: "List events",
    description:
      "Lists every state change, exactly as webhooks deliver it. To catch up after downtime, page back to the last event that you handled.",
    query: {
      ...PAGE_FIELDS,
      ...CREATED_FIELDS,
      type: EVENT_TYPE_FIELD,
      document: idField("doc", "Only events about this document."),
      merchant: idField("mer", "Only events about this merchant, its documents and its connections."),
    },
    idempotency: "none",
    response: {
      status: 200,
      kind: "list",
      schema: EventObjectSchema,
      description: "A page of events, newest first.",
    },
    errors: ["validation_failed"],
    handle: async ({ appliance, mode, query }) => list(await listEvents(appliance, mode, query)),
  }),
  operation({
    id: "getEvent",
    method: "GET",
    path: "/events/{id}",
    tag,
    summary: "Get an event",
    description: "Shows one event with the object as it was right after it.",
    query: {},
    idempotency: "none",
    response: {
      status: 200,
      kind: "data",
      schema: EventObjectSchema,
      description: "The event, with the snapshot taken when it happened.",
    },
    errors: ["not_found"],
    handle: async ({ appliance, mode, params }) => data(await getEvent(appliance, mode, params["id"] ?? "")),
  }),
  operation({
    id: "resendEvent",
    method: "POST",
    path: "/events/{id}/resend",
    tag,
    summary: "Send an event to webhook endpoints again",
    description:
      "Sends an event to the given webhook endpoint, or to every enabled one that subscribes to its type. Receivers get the same event with the same id.",
    query: {},
    body: ResendEventSchema,
    isBodyOptional: true,
    example: {},
    idempotency: "accepted",
    isAdditive: true,
    response: {
      status: 200,
      kind: "data",
      schema: EventObjectSchema,
      description: "The event as it is delivered.",
    },
    errors: [
      "validation_failed",
      "not_found",
      "payload_too_large",
      "unsupported_media_type",
      "invalid_state",
    ],
    handle: async ({ appliance, params, body, cause }) =>
      data(await resendEvent(appliance, params["id"] ?? "", body, cause)),
  }),
];
