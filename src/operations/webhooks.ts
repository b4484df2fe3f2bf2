/** Operations on webhook endpoints: create, list, get, update, delete, rotate the secret, list deliveries, replay. */
import { DELIVERY_STATUSES, ENDPOINT_STATUSES } from "../../storage/database/schema.ts";
import type { ErrorCode } from "../foundation/errors.ts";
import { listWebhookDeliveries } from "../webhooks/attempts.ts";
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  listWebhookEndpoints,
  rotateWebhookSecret,
  updateWebhookEndpoint,
} from "../webhooks/endpoints.ts";
import {
  CreateWebhookEndpointSchema,
  ReplayWebhookEventsSchema,
  RotateWebhookSecretSchema,
  UpdateWebhookEndpointSchema,
} from "../webhooks/endpoint-input.ts";
import {
  DeletedWebhookEndpointSchema,
  WebhookDeliveryObjectSchema,
  WebhookEndpointObjectSchema,
  WebhookEndpointWithSecretSchema,
  WebhookReplaySchema,
} from "../webhooks/endpoint-object.ts";
import { replayWebhookEvents } from "../webhooks/resend.ts";
import { created, data, list, type Operation, operation } from "./operation.ts";
import { PAGE_FIELDS, wordField } from "./field.ts";

const tag = "webhook endpoints";

const WITH_BODY: readonly ErrorCode[] = [
  "validation_failed",
  "not_found",
  "payload_too_large",
  "unsupported_media_type",
];

export const WEBHOOK_OPERATIONS: readonly Operation[] = [
  operation({
    id: "createWebhookEndpoint",
    method: "POST",
    path: "/webhook_endpoints",
    tag,
    summary: "Create a webhook endpoint",
    description:
      "New events of the key's mode are sent to the endpoint. The secret that signs them is shown only once; repeating the request with the same Idempotency-Key shows it again.",
    query: {},
    body: CreateWebhookEndpointSchema,
    example: {
      url: "https://shop.example/webhooks",
      enabled_events: ["document.issued", "document.rejected", "document.failed"],
      description: "Web shop",
    },
    idempotency: "accepted",
    creates: true,
    response: {
      status: 201,
      kind: "data",
      schema: WebhookEndpointWithSecretSchema,
      description: "The endpoint, with its secret.",
    },
    errors: [
      "validation_failed",
      "idempotency_conflict",
      "idempotency_in_progress",
      "invalid_state",
      "payload_too_large",
      "unsupported_media_type",
    ],
    handle: async ({ context, body, cause, claim }) =>
      created(await createWebhookEndpoint(context, body, cause, claim), {}),
  }),
  operation({
    id: "listWebhookEndpoints",
    method: "GET",
    path: "/webhook_endpoints",
    tag,
    summary: "List webhook endpoints",
    description: "Lists the endpoints of the key's mode.",
    query: { ...PAGE_FIELDS, status: wordField(ENDPOINT_STATUSES, "Only endpoints with this status.") },
    idempotency: "none",
    response: {
      status: 200,
      kind: "list",
      schema: WebhookEndpointObjectSchema,
      description: "A page of the endpoints in the key's mode, newest first.",
    },
    errors: ["validation_failed"],
    handle: async ({ context, mode, query }) => list(await listWebhookEndpoints(context, mode, query)),
  }),
  operation({
    id: "getWebhookEndpoint",
    method: "GET",
    path: "/webhook_endpoints/{id}",
    tag,
    summary: "Get a webhook endpoint",
    description: "Shows what an endpoint receives, and whether and why it is disabled.",
    query: {},
    idempotency: "none",
    response: {
      status: 200,
      kind: "data",
      schema: WebhookEndpointObjectSchema,
      description: "The endpoint, without its secret.",
    },
    errors: ["not_found"],
    handle: async ({ context, mode, params }) =>
      data(await getWebhookEndpoint(context, mode, params["id"] ?? "")),
  }),
  operation({
    id: "updateWebhookEndpoint",
    method: "PATCH",
    path: "/webhook_endpoints/{id}",
    tag,
    summary: "Update, disable or enable a webhook endpoint",
    description:
      "Changes the given fields. Events for a disabled endpoint are held; after it is enabled again, only `replayWebhookEvents` sends them.",
    query: {},
    body: UpdateWebhookEndpointSchema,
    example: { status: "enabled" },
    idempotency: "none",
    response: {
      status: 200,
      kind: "data",
      schema: WebhookEndpointObjectSchema,
      description: "The updated endpoint.",
    },
    errors: WITH_BODY,
    handle: async ({ context, params, body, cause }) =>
      data(await updateWebhookEndpoint(context, params["id"] ?? "", body, cause)),
  }),
  operation({
    id: "deleteWebhookEndpoint",
    method: "DELETE",
    path: "/webhook_endpoints/{id}",
    tag,
    summary: "Delete a webhook endpoint",
    description: "Removes an endpoint. Deliveries that are still pending are dropped.",
    query: {},
    idempotency: "none",
    response: {
      status: 200,
      kind: "data",
      schema: DeletedWebhookEndpointSchema,
      description: "Confirmation that it is deleted.",
    },
    errors: ["not_found"],
    handle: async ({ context, params, cause }) =>
      data(await deleteWebhookEndpoint(context, params["id"] ?? "", cause)),
  }),
  operation({
    id: "rotateWebhookSecret",
    method: "POST",
    path: "/webhook_endpoints/{id}/rotate_secret",
    tag,
    summary: "Rotate the secret of a webhook endpoint",
    description:
      "Makes a new secret, which is shown only once. For overlap_seconds (one day by default) deliveries are signed with both secrets.",
    query: {},
    body: RotateWebhookSecretSchema,
    isBodyOptional: true,
    example: { overlap_seconds: 86_400 },
    idempotency: "accepted",
    response: {
      status: 200,
      kind: "data",
      schema: WebhookEndpointWithSecretSchema,
      description: "The endpoint, with its new secret.",
    },
    errors: WITH_BODY,
    handle: async ({ context, params, body, cause }) =>
      data(await rotateWebhookSecret(context, params["id"] ?? "", body, cause)),
  }),
  operation({
    id: "listWebhookDeliveries",
    method: "GET",
    path: "/webhook_endpoints/{id}/deliveries",
    tag,
    summary: "List the deliveries of a webhook endpoint",
    description: "Shows how each delivery to an endpoint went, and when the next attempt is due.",
    query: { ...PAGE_FIELDS, status: wordField(DELIVERY_STATUSES, "Only deliveries with this status.") },
    idempotency: "none",
    response: {
      status: 200,
      kind: "list",
      schema: WebhookDeliveryObjectSchema,
      description: "A page of deliveries, newest first, each with its attempts.",
    },
    errors: ["validation_failed", "not_found"],
    handle: async ({ context, mode, params, query }) =>
      list(await listWebhookDeliveries(context, mode, params["id"] ?? "", query)),
  }),
  operation({
    id: "replayWebhookEvents",
    method: "POST",
    path: "/webhook_endpoints/{id}/replay",
    tag,
    summary: "Send held and failed events to a webhook endpoint again",
    description:
      "Queues each delivery once: those of the given events whatever their status, otherwise every held or failed one, limited to events created in the given range.",
    query: {},
    body: ReplayWebhookEventsSchema,
    isBodyOptional: true,
    example: { created: { gte: "2025-11-01T00:00:00Z", lte: "2025-11-03T00:00:00Z" } },
    idempotency: "accepted",
    isAdditive: true,
    response: {
      status: 200,
      kind: "data",
      schema: WebhookReplaySchema,
      description: "How many deliveries were queued.",
    },
    errors: [...WITH_BODY, "invalid_state"],
    handle: async ({ context, params, body, cause }) =>
      data(await replayWebhookEvents(context, params["id"] ?? "", body, cause)),
  }),
];
