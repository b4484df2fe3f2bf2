/** Describes the deliveries to webhook endpoints in OpenAPI: one webhook for each event type. */
import { EVENT_TYPES, type EventType } from "../../src/domain/vocabulary.ts";
import { EVENT_MEANINGS } from "../../src/journal/event-object.ts";
import { EventObjectSchema, SNAPSHOT_SCHEMAS } from "../../src/webhooks/event-schema.ts";
import { EVENT } from "../../src/operations/examples/objects.ts";
import type { Components, Json } from "./json-schema.ts";

function header(name: string, description: string, example: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string" }, example };
}

const SIGNATURE = "v1=6f0c1d2e3b4a59687786a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0";

/** The headers of every delivery (docs/contract.md#webhook-signature). */
export const DELIVERY_HEADERS: Json = {
  ServiceSignature: header(
    "service-signature",
    "`t=<unix seconds>,v1=<signature>`, with one `v1` for each valid secret. A signature is the HMAC-SHA256, in lower-case hex, of `<t>.<raw body>`, keyed with the endpoint's secret including `whsec_`. Compare in constant time, accept any matching `v1`, and reject a `t` more than 300 seconds from now.",
    `t=1763629201,${SIGNATURE}`,
  ),
  WebhookId: header("webhook-id", "The id of the event, as Standard Webhooks names it.", EVENT.id),
  WebhookTimestamp: header(
    "webhook-timestamp",
    "When the delivery was signed, in Unix seconds, as Standard Webhooks names it.",
    "1763629201",
  ),
  WebhookSignature: header(
    "webhook-signature",
    "The signatures in the form of Standard Webhooks, separated by spaces, for its libraries.",
    "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  ),
};

const RESPONSES: Json = {
  "2XX": { description: "The event was received. The body of the response does not matter." },
  default: {
    description:
      "Any other status, a redirect, or no response within 15 seconds counts as failed, and the event is sent again later, at growing intervals for days.",
  },
};

/** `document.issued` becomes `onDocumentIssued`. */
function operationId(type: EventType): string {
  return `on_${type}`.replaceAll(/[._]([a-z])/g, (_whole, letter: string) => letter.toUpperCase());
}

function describeDelivery(type: EventType, components: Components): Json {
  const kind = type.slice(0, type.indexOf("."));
  const noun = kind.replaceAll("_", " ");
  const snapshot = components.convert(SNAPSHOT_SCHEMAS[kind]!, "output");
  // Linters read a missing additionalProperties as false.
  const narrowed = {
    type: "object",
    properties: {
      type: { const: type, description: `Always \`${type}\`.` },
      data: {
        type: "object",
        description: "What the event is about.",
        properties: { object: { ...snapshot, description: `The ${noun} right after the event.` } },
        additionalProperties: true,
      },
    },
    additionalProperties: true,
  };
  const schema = { allOf: [components.convert(EventObjectSchema, "output"), narrowed] };
  const example = type === EVENT.type ? { example: EVENT } : {};
  return {
    post: {
      operationId: operationId(type),
      tags: ["events"],
      summary: type,
      description: `${EVENT_MEANINGS[type]} Sent to every enabled webhook endpoint of the mode that subscribes to the type. \`data.object\` is the ${noun}.`,
      security: [],
      parameters: Object.keys(DELIVERY_HEADERS).map((name) => ({ $ref: `#/components/parameters/${name}` })),
      requestBody: {
        description: "The event, the same as in the list of events.",
        required: true,
        content: { "application/json": { schema, ...example } },
      },
      responses: RESPONSES,
    },
  };
}

export function describeWebhooks(components: Components): Json {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, describeDelivery(type, components)]));
}
