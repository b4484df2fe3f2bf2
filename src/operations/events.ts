/** Operations on events: list, get, resend. */
import * as journal from "../journal/event-object.ts";
import type { EventObject } from "../journal/event-object.ts";
import { EventObjectSchema } from "../webhooks/event-schema.ts";
import { ResendEventSchema } from "../webhooks/endpoint-input.ts";
import * as webhooks from "../webhooks/resend.ts";
import { createdFields, EVENT_TYPE_FIELD, field, idField, PAGE_FIELDS } from "./field.ts";
import { type Column, instantText, LABELS, rowsFrom, wordText } from "./view.ts";
import { data, list, operationsOf } from "./operation.ts";

const operation = operationsOf("events");

const ABOUT = { en: "about", el: "αφορά" };

/** The id of what the event is about. */
function idOfObject({ data: { object } }: EventObject): string {
  return object.id;
}

const COLUMNS: readonly Column<EventObject>[] = [
  { head: LABELS.created, value: (event) => instantText(event.created) },
  { head: LABELS.type, value: (event) => event.type },
  { head: ABOUT, value: idOfObject },
  { head: "id", leaveOut: 1, value: (event) => event.id },
];

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/events",
  summary: "List events",
  description:
    "Lists every state change, exactly as webhooks deliver it. To catch up after downtime, page back to the last event that you handled.",
  query: {
    ...PAGE_FIELDS,
    ...createdFields({ en: "only", el: "συνέβησαν" }),
    type: field(EVENT_TYPE_FIELD, LABELS.type, "type <type>", {
      en: "only of this type; may be repeated",
      el: "αυτού του τύπου· επαναλαμβάνεται",
    }),
    document: field(idField("doc", "Only events about this document."), LABELS.document, "document <id>", {
      en: "only about this document",
      el: "για αυτό το παραστατικό",
    }),
    merchant: field(
      idField("mer", "Only events about this merchant, its documents and its connections."),
      LABELS.merchant,
      "merchant <merchant>",
      {
        en: "only about this merchant and its documents and connections: id or external id",
        el: "για αυτή την επιχείρηση, τα παραστατικά και τις συνδέσεις της: id ή εξωτερικό id",
      },
    ),
  },
  response: EventObjectSchema,
  verb: {
    summary: { en: "list events, newest first", el: "συμβάντα, πρώτα τα νεότερα" },
    examples: ["fiscal events list --type document.rejected --created-from 2025-11-01"],
  },
  table: {
    none: { en: "No events.", el: "Δεν υπάρχουν συμβάντα." },
    columns: COLUMNS,
  },
  tail: {
    summary: {
      en: "print events as they happen, until interrupted",
      el: "τυπώνει συμβάντα καθώς συμβαίνουν, μέχρι να διακοπεί",
    },
    example: "fiscal events tail --type document.issued --json",
    follow: journal.followEvents,
  },
  handle: async ({ context, mode, query }) => list(await journal.listEvents(context, mode, query)),
});
export const getEvent = operation({
  id: "getEvent",
  method: "GET",
  path: "/events/{id}",
  summary: "Get an event",
  description: "Shows one event with the object as it was right after it.",
  response: EventObjectSchema,
  verb: {
    argument: "event",
    summary: { en: "show one event with its snapshot", el: "ένα συμβάν με το στιγμιότυπό του" },
    examples: ["fiscal events show evt_… --json"],
  },
  rows: rowsFrom(COLUMNS, ({ livemode, request }) => [
    [LABELS.mode, wordText(livemode ? "live" : "test")],
    [{ en: "caused by request", el: "από το αίτημα" }, request?.id ?? null],
  ]),
  handle: async ({ context, mode, id }) => data(await journal.getEvent(context, mode, id)),
});
export const resendEvent = operation({
  id: "resendEvent",
  method: "POST",
  path: "/events/{id}/resend",
  summary: "Send an event to webhook endpoints again",
  description:
    "Sends an event to the given webhook endpoint, or to every enabled one that subscribes to its type. Receivers get the same event with the same id.",
  body: ResendEventSchema,
  isBodyOptional: true,
  example: {},
  isAdditive: true,
  response: EventObjectSchema,
  errors: ["invalid_state"],
  verb: {
    argument: "event",
    summary: {
      en: "send an event again to the endpoints for its type, and to `webhooks listen`",
      el: "στέλνει ξανά ένα συμβάν στα τελικά σημεία (endpoints) που ζητούν τον τύπο του, και στη `webhooks listen`",
    },
    flags: {
      webhook_endpoint: {
        name: "endpoint <endpoint>",
        help: { en: "only to this endpoint", el: "μόνο σε αυτό το τελικό σημείο (endpoint)" },
      },
    },
    examples: ["fiscal events resend evt_… --endpoint we_…"],
  },
  handle: async ({ context, id, body, cause }) => data(await webhooks.resendEvent(context, id, body, cause)),
});
