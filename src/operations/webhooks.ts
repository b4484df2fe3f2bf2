/** Operations on webhook endpoints: create, list, get, update, delete, rotate the secret, list deliveries, replay. */
import type * as v from "valibot";
import * as deliveries from "../webhooks/deliveries.ts";
import * as endpoints from "../webhooks/endpoints.ts";
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
import * as events from "../webhooks/resend.ts";
import { joinTexts, sameInBoth, type Text } from "../foundation/text.ts";
import { EVENT_TYPES, DELIVERY_STATUSES, ENDPOINT_STATUSES } from "../../storage/stored-values.ts";
import { field, PAGE_FIELDS, wordField } from "./field.ts";
import { type BodyFlag, created, data, list, operationsOf } from "./operation.ts";
import {
  type Column,
  countText,
  instantText,
  LABELS,
  listWords,
  optionalInstantText,
  rowsFrom,
  type ValueText,
  wordText,
} from "./view.ts";

const operation = operationsOf("webhook endpoints");

type Endpoint = v.InferOutput<typeof WebhookEndpointObjectSchema>;

function statusOf({ status, disabled_reason: reason }: Endpoint): ValueText {
  if (reason === null) return wordText(status);
  const text = joinTexts([wordText(status), sameInBoth(" ("), wordText(reason), sameInBoth(")")], "");
  return { ...text, of: { kind: "word", value: status } };
}

const COLUMNS: readonly Column<Endpoint>[] = [
  { head: "id", value: (endpoint) => endpoint.id },
  { head: "url", shortens: true, value: (endpoint) => endpoint.url },
  { head: LABELS.events, shortens: true, value: (endpoint) => endpoint.enabled_events.join(", ") },
  { head: LABELS.status, isStatus: true, value: statusOf },
  { head: LABELS.created, leaveOut: 1, value: (endpoint) => instantText(endpoint.created) },
];

/** With its secret if it was just made. */
const rows = rowsFrom(COLUMNS, ({ description, mode, secret }: Endpoint & { secret?: string }) => [
  [{ en: "description", el: "περιγραφή" }, description],
  [LABELS.mode, wordText(mode)],
  ...(secret === undefined ? [] : [[{ en: "secret", el: "μυστικό" }, secret] as const]),
]);

export const ALL_TYPES = "*";

export const EVENTS_FLAG: BodyFlag = {
  name: "events <types...>",
  kind: "list",
  words: [ALL_TYPES, ...EVENT_TYPES],
  label: LABELS.events,
  help: {
    en: `event types, separated by spaces or commas; '${ALL_TYPES}' for all`,
    el: `τύποι συμβάντων, με κενά ή κόμματα ανάμεσα· '${ALL_TYPES}' για όλους`,
  },
};

type Delivery = v.InferOutput<typeof WebhookDeliveryObjectSchema>;

/** The HTTP status of the last attempt, or why there was none. */
function lastResponseOf({ attempts }: Delivery): Text | string {
  const last = attempts.at(-1);
  if (last === undefined) return "-";
  return last.status === null ? errorText(last.error) : String(last.status);
}

function errorText(error: unknown): Text | string {
  if (typeof error === "string") return error;
  if (typeof error === "object" && error !== null && "class" in error) return String(error.class);
  return { en: "no response", el: "καμία απάντηση" };
}

export const createWebhookEndpoint = operation({
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/webhook_endpoints",
  summary: "Create a webhook endpoint",
  description:
    "New events of the key's mode are sent to the endpoint. The secret that signs them is shown only once; repeating the request with the same Idempotency-Key shows it again.",
  body: CreateWebhookEndpointSchema,
  example: {
    url: "https://shop.example/webhooks",
    enabled_events: ["document.issued", "document.rejected", "document.failed"],
    description: "Web shop",
  },
  creates: true,
  response: WebhookEndpointWithSecretSchema,
  errors: ["invalid_state"],
  verb: {
    makesDatabase: true,
    summary: {
      en: "send events to a URL; prints the signing secret, which is shown only once",
      el: "στέλνει τα συμβάντα σε μια διεύθυνση URL· τυπώνει το μυστικό υπογραφής, μόνο μία φορά",
    },
    flags: {
      url: {
        name: "url <url>",
        help: {
          en: "URL that events are sent to; in live mode https",
          el: "διεύθυνση URL όπου στέλνονται τα συμβάντα· στην παραγωγική λειτουργία https",
        },
        ask: { en: "URL that events are sent to", el: "Διεύθυνση URL όπου στέλνονται τα συμβάντα" },
      },
      enabled_events: {
        ...EVENTS_FLAG,
        ask: {
          en: "Event types, separated by commas (* for all)",
          el: "Τύποι συμβάντων, με κόμματα ανάμεσα (* για όλους)",
        },
      },
      description: {
        name: "description <text>",
        help: { en: "what the endpoint is for", el: "σε τι χρησιμεύει το τελικό σημείο (endpoint)" },
      },
    },
    takesKey: true,
    examples: [
      "fiscal webhooks add --url https://example.com/webhooks --events '*' --description \"web shop\"",
    ],
  },
  rows,
  handle: async ({ context, body, cause, use }) =>
    created(await endpoints.createWebhookEndpoint(context, body, cause, use)),
});

export const listWebhookEndpoints = operation({
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/webhook_endpoints",
  summary: "List webhook endpoints",
  description: "Lists the endpoints of the key's mode.",
  query: {
    ...PAGE_FIELDS,
    status: field(
      wordField(ENDPOINT_STATUSES, "Only endpoints with this status."),
      LABELS.status,
      "status <status>",
      listWords(ENDPOINT_STATUSES),
    ),
  },
  response: WebhookEndpointObjectSchema,
  verb: {
    summary: {
      en: "list webhook endpoints, newest first",
      el: "τα τελικά σημεία (endpoints) της λειτουργίας, πρώτα τα νεότερα",
    },
    examples: ["fiscal webhooks list"],
  },
  table: {
    none: { en: "No webhook endpoints.", el: "Δεν υπάρχουν τελικά σημεία (endpoints)." },
    columns: COLUMNS,
  },
  handle: async ({ context, mode, query }) =>
    list(await endpoints.listWebhookEndpoints(context, mode, query)),
});

export const getWebhookEndpoint = operation({
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/webhook_endpoints/{id}",
  summary: "Get a webhook endpoint",
  description: "Shows what an endpoint receives, and whether and why it is disabled.",
  response: WebhookEndpointObjectSchema,
  verb: {
    argument: "endpoint",
    summary: {
      en: "show one endpoint, without its secret",
      el: "ένα τελικό σημείο (endpoint), χωρίς το μυστικό του",
    },
    examples: ["fiscal webhooks show we_… --json"],
  },
  rows,
  handle: async ({ context, mode, id }) => data(await endpoints.getWebhookEndpoint(context, mode, id)),
});

export const updateWebhookEndpoint = operation({
  id: "updateWebhookEndpoint",
  method: "PATCH",
  path: "/webhook_endpoints/{id}",
  summary: "Update, disable or enable a webhook endpoint",
  description:
    "Changes the given fields. Events for a disabled endpoint are held; after it is enabled again, only `replayWebhookEvents` sends them.",
  body: UpdateWebhookEndpointSchema,
  example: { status: "enabled" },
  response: WebhookEndpointObjectSchema,
  verb: {
    argument: "endpoint",
    summary: {
      en: "change an endpoint; `--status enabled` enables it again",
      el: "αλλάζει ένα τελικό σημείο (endpoint)· η `--status enabled` το ενεργοποιεί ξανά",
    },
    flags: {
      url: {
        name: "url <url>",
        help: { en: "URL that events are sent to", el: "διεύθυνση URL όπου στέλνονται τα συμβάντα" },
      },
      enabled_events: EVENTS_FLAG,
      description: {
        name: "description <text>",
        isRemovable: true,
        help: {
          en: "what the endpoint is for; an empty text removes it",
          el: "σε τι χρησιμεύει το τελικό σημείο (endpoint)· κενή τιμή την αφαιρεί",
        },
      },
      status: {
        name: "status <status>",
        words: ["enabled", "disabled"],
        help: { en: "enabled or disabled", el: "enabled (ενεργό) ή disabled (ανενεργό)" },
      },
    },
    examples: ["fiscal webhooks update we_… --status enabled"],
  },
  rows,
  handle: async ({ context, id, body, cause }) =>
    data(await endpoints.updateWebhookEndpoint(context, id, body, cause)),
});

export const deleteWebhookEndpoint = operation({
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/webhook_endpoints/{id}",
  summary: "Delete a webhook endpoint",
  description: "Removes an endpoint. Deliveries that are still pending are dropped.",
  response: DeletedWebhookEndpointSchema,
  verb: {
    argument: "endpoint",
    summary: {
      en: "delete an endpoint; nothing more is sent to it",
      el: "διαγράφει ένα τελικό σημείο (endpoint)· τίποτα άλλο δεν στέλνεται εκεί",
    },
    examples: ["fiscal webhooks remove we_… --yes"],
  },
  handle: async ({ context, id, cause }) => data(await endpoints.deleteWebhookEndpoint(context, id, cause)),
});

export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhook_endpoints/{id}/rotate_secret",
  summary: "Rotate the secret of a webhook endpoint",
  description:
    "Makes a new secret, which is shown only once. For overlap_seconds (one day by default) deliveries are signed with both secrets.",
  body: RotateWebhookSecretSchema,
  isBodyOptional: true,
  example: { overlap_seconds: 86_400 },
  response: WebhookEndpointWithSecretSchema,
  verb: {
    argument: "endpoint",
    summary: {
      en: "create a new signing secret and print it, only once",
      el: "δημιουργεί νέο μυστικό υπογραφής και το τυπώνει, μόνο μία φορά",
    },
    flags: {
      overlap_seconds: {
        name: "overlap <seconds>",
        kind: "integer",
        help: {
          en: "how long the old secret still signs as well (default 86400, one day)",
          el: "για πόσο υπογράφει και το παλιό (αν λείπει: 86400, μία ημέρα)",
        },
      },
    },
    examples: ["fiscal webhooks rotate-secret we_… --overlap 3600"],
  },
  rows,
  handle: async ({ context, id, body, cause }) =>
    data(await endpoints.rotateWebhookSecret(context, id, body, cause)),
});

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhook_endpoints/{id}/deliveries",
  summary: "List the deliveries of a webhook endpoint",
  description: "Shows how each delivery to an endpoint went, and when the next attempt is due.",
  query: {
    ...PAGE_FIELDS,
    status: field(
      wordField(DELIVERY_STATUSES, "Only deliveries with this status."),
      LABELS.status,
      "status <status>",
      listWords(DELIVERY_STATUSES),
    ),
  },
  response: WebhookDeliveryObjectSchema,
  verb: {
    argument: "endpoint",
    summary: {
      en: "list an endpoint's past and pending deliveries, newest first",
      el: "οι αποστολές σε ένα τελικό σημείο (endpoint), όσες έγιναν και όσες μένουν, πρώτα οι νεότερες",
    },
    examples: ["fiscal webhooks deliveries we_… --status failed"],
  },
  table: {
    none: { en: "No deliveries.", el: "Δεν υπάρχουν αποστολές." },
    columns: [
      { head: LABELS.created, leaveOut: 3, value: (delivery) => instantText(delivery.created) },
      { head: { en: "event", el: "συμβάν" }, value: (delivery) => delivery.event },
      { head: LABELS.status, isStatus: true, value: (delivery) => wordText(delivery.status) },
      {
        head: { en: "attempts", el: "προσπάθειες" },
        align: "right",
        value: (delivery) => countText(delivery.attempts.length),
      },
      { head: { en: "last response", el: "τελευταία απάντηση" }, shortens: true, value: lastResponseOf },
      {
        head: { en: "next attempt", el: "επόμενη προσπάθεια" },
        leaveOut: 2,
        value: (delivery) => optionalInstantText(delivery.next_attempt_at),
      },
      { head: "id", leaveOut: 1, value: (delivery) => delivery.id },
    ],
  },
  handle: async ({ context, mode, id, query }) =>
    list(await deliveries.listWebhookDeliveries(context, mode, id, query)),
});

export const replayWebhookEvents = operation({
  id: "replayWebhookEvents",
  method: "POST",
  path: "/webhook_endpoints/{id}/replay",
  summary: "Send held and failed events to a webhook endpoint again",
  description:
    "Queues each delivery once: those of the given events whatever their status, otherwise every held or failed one, limited to events created in the given range.",
  body: ReplayWebhookEventsSchema,
  isBodyOptional: true,
  example: { created: { gte: "2025-11-01T00:00:00Z", lte: "2025-11-03T00:00:00Z" } },
  isAdditive: true,
  response: WebhookReplaySchema,
  errors: ["invalid_state"],
  verb: {
    argument: "endpoint",
    summary: {
      en: "queue held and failed deliveries again: all, those of a period, or those of single events",
      el: "βάζει ξανά στη σειρά όσα κρατήθηκαν ή απέτυχαν: όλα, ενός διαστήματος, ή μεμονωμένα συμβάντα",
    },
    flags: {
      "created.gte": {
        name: "from <instant>",
        help: { en: "only events at or after", el: "συμβάντα τότε ή αργότερα" },
      },
      "created.lte": {
        name: "to <instant>",
        help: { en: "only events at or before", el: "συμβάντα τότε ή νωρίτερα" },
      },
      events: {
        name: "event <events...>",
        kind: "list",
        help: {
          en: "these events, delivered or not; several separated by spaces",
          el: "αυτά τα συμβάντα, είτε παραδόθηκαν είτε όχι· πολλά με κενά ανάμεσα",
        },
      },
    },
    examples: [
      "fiscal webhooks replay we_… --from 2025-11-01 --to 2025-11-03",
      "fiscal webhooks replay we_… --event evt_…",
    ],
  },
  handle: async ({ context, id, body, cause }) =>
    data(await events.replayWebhookEvents(context, id, body, cause)),
});
